import type { DataOf } from "../../shared/event.ts";
import type { AppEdited } from "../../shared/events/app.ts";
import { isAttachmentId } from "../../shared/pictures.ts";
import type { HelmApplication } from "../../shared/resources/helm-application.ts";
import { LABEL, STORE_REPO } from "../../shared/resources/labels.ts";
import type { World } from "./world.ts";

type Edit = DataOf<typeof AppEdited>;

/** Screenshots that an application shows (KubeSphere §1.10). */
const MAX_SCREENSHOTS = 6;

interface Problem {
  readonly reason: string;
  readonly why: string;
}

/** Why an edit is not done, if anything speaks against it. */
export function problemOf(app: HelmApplication, world: World, edit: Edit): Problem | undefined {
  return (
    standing(app) ??
    nameProblem(app, world.neighbours, edit) ??
    categoryProblem(world, edit) ??
    iconProblem(edit) ??
    missingPicture(world, edit) ??
    screenshotProblem(app, edit)
  );
}

/** The attachments that an edit refers to. */
export function wantedPictures({ icon, addScreenshot }: Edit): readonly string[] {
  return [icon, addScreenshot].filter((id) => id !== undefined).filter(isAttachmentId);
}

function standing({ metadata }: HelmApplication): Problem | undefined {
  const { name, labels, deletionTimestamp } = metadata;
  const repo = labels?.[LABEL.repoId];
  if (repo && repo !== STORE_REPO) {
    return { reason: "Immutable", why: `application ${name} follows repository ${repo}: it is edited there` };
  }
  if (deletionTimestamp === undefined) return undefined;
  return { reason: "BeingDeleted", why: `application ${name} is being deleted` };
}

function nameProblem(app: HelmApplication, neighbours: World["neighbours"], { name }: Edit): Problem | undefined {
  if (name === undefined || name === app.spec.name) return undefined;
  if (name.trim() === "") return { reason: "NameMissing", why: "app name is empty" };
  const taken = neighbours.some(
    ({ metadata, spec }) => spec.name === name.trim() && metadata.name !== app.metadata.name,
  );
  return taken ? { reason: "NameTaken", why: `app ${name.trim()} exists` } : undefined;
}

function categoryProblem({ category }: World, { category: id }: Edit): Problem | undefined {
  if (!id || (category && category.metadata.deletionTimestamp === undefined)) return undefined;
  return { reason: "CategoryNotFound", why: `category ${id} not found` };
}

function iconProblem({ icon }: Edit): Problem | undefined {
  if (icon === undefined || icon === "" || isAttachmentId(icon)) return undefined;
  if (/^https?:\/\//i.test(icon) && URL.canParse(icon)) return undefined;
  return { reason: "IconUnusable", why: "the icon is neither an http(s) address nor the id of an attachment" };
}

function missingPicture({ pictures }: World, edit: Edit): Problem | undefined {
  const { addScreenshot: added } = edit;
  const missing = wantedPictures(edit).find((id) => !pictures.has(id));
  const unusable = missing ?? (added === undefined || isAttachmentId(added) ? undefined : added);
  if (unusable === undefined) return undefined;
  return { reason: "AttachmentNotFound", why: `attachment ${unusable} not found; upload it first` };
}

function screenshotProblem({ spec }: HelmApplication, edit: Edit): Problem | undefined {
  const { length } = spec.attachments ?? [];
  const { addScreenshot, removeScreenshot } = edit;
  if (addScreenshot !== undefined && removeScreenshot === undefined && length >= MAX_SCREENSHOTS) {
    const why = `the application has ${length} screenshots, and ${MAX_SCREENSHOTS} are shown; take one away first`;
    return { reason: "TooManyScreenshots", why };
  }
  if (removeScreenshot === undefined || removeScreenshot < length) return undefined;
  return { reason: "ScreenshotNotFound", why: `there is no screenshot ${removeScreenshot}: there are ${length}` };
}
