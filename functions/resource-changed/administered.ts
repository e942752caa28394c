import { originalApp } from "../../shared/charts/ids.ts";
import { AppChanged, AppDeleted } from "../../shared/events/app.ts";
import { CategoryCreated, CategoryDeleted } from "../../shared/events/category.ts";
import { WorkspaceDeleted } from "../../shared/events/workspace.ts";
import { isLeaving } from "../../shared/lifecycle/finalizers.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { ANNOTATION, LABEL, STORE_REPO, UNCATEGORIZED } from "../../shared/resources/labels.ts";

/** KubeSphere's kind of a workspace, whose changes come only where somebody has them sent. */
const WORKSPACE_KIND = "WorkspaceTemplate";

/** Whoever deletes an application or moves it to another category, its categories are counted again. */
export function appFacts(app: HelmApplication) {
  const { name, labels, annotations } = app.metadata;
  const inStore = labels?.[LABEL.repoId] === STORE_REPO;
  if (isLeaving(HelmApplication, app)) return inStore ? [] : [appDeleted(name)];
  const counted = annotations?.[ANNOTATION.countedIn];
  const moved = inStore && counted !== undefined && counted !== (labels?.[LABEL.categoryId] || UNCATEGORIZED);
  return moved ? [appChanged(app)] : [];
}

/** An object that is gone cannot be read: what it was called says what follows. */
export function goneFacts({ kind, name, original }: Gone) {
  if (kind === HelmCategory.kind && name === UNCATEGORIZED) {
    return [CategoryCreated.of(subjectOf(HelmCategory, { name }), { name: "uncategorized" })];
  }
  if (kind === WORKSPACE_KIND) return [WorkspaceDeleted.of(`workspaces/${name}`, { workspace: name })];
  if (kind !== HelmApplication.kind) return [];
  if (original) return [appChanged(original)];
  const app = originalApp(name);
  return [AppChanged.of(subjectOf(HelmApplication, { name: app }), { app, state: null, latestVersion: "" })];
}

interface Gone {
  readonly kind: string;
  readonly name: string;
  /** The application itself, where only the store's copy of it went. */
  readonly original: HelmApplication | undefined;
}

/** A category that was deleted with kubectl goes as soon as it may. */
export function categoryFacts(category: HelmCategory) {
  const { name } = category.metadata;
  if (!isLeaving(HelmCategory, category)) return [];
  return [CategoryDeleted.of(subjectOf(HelmCategory, { name }), { category: name })];
}

function appDeleted(app: string) {
  return AppDeleted.of(subjectOf(HelmApplication, { name: app }), { app });
}

function appChanged({ metadata: { name }, status }: HelmApplication) {
  const data = { app: originalApp(name), state: status?.state ?? "draft", latestVersion: status?.latestVersion ?? "" };
  return AppChanged.of(subjectOf(HelmApplication, { name: data.app }), data);
}
