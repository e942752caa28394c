import type { Announcement, Event, EventDefinition } from "../../shared/event.ts";
import { AppDeleted, AppEdited, AppRecovered, AppSuspended } from "../../shared/events/app.ts";
import { CategoryCreated, CategoryDeleted, CategoryEdited } from "../../shared/events/category.ts";
import { RepoAdded, RepoDeleted, RepoEdited, RepoSyncRequested } from "../../shared/events/repo.ts";
import {
  VersionApproved,
  VersionCancelled,
  VersionDeleted,
  VersionEdited,
  VersionRecovered,
  VersionRejected,
  VersionReleased,
  VersionReviewStarted,
  VersionSubmitted,
  VersionSuspended,
} from "../../shared/events/version.ts";
import { WorkspaceDeleted } from "../../shared/events/workspace.ts";
import { verbsOf } from "../../shared/lifecycle/permissions.ts";
import type { Action, ReviewStep } from "../../shared/lifecycle/states.ts";
import { type ResourceDefinition, subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";

/** Acts that a person may send as an event of their own. */
export const ACTS = [
  VersionEdited,
  VersionSubmitted,
  VersionCancelled,
  VersionReviewStarted,
  VersionApproved,
  VersionRejected,
  VersionReleased,
  VersionSuspended,
  VersionRecovered,
  VersionDeleted,
  AppEdited,
  AppSuspended,
  AppRecovered,
  AppDeleted,
  CategoryCreated,
  CategoryEdited,
  CategoryDeleted,
  RepoAdded,
  RepoEdited,
  RepoDeleted,
  RepoSyncRequested,
  WorkspaceDeleted,
] as const;

/** The type of one of them. */
export type ActType = (typeof ACTS)[number]["type"];

/** Kinds that acts are on. */
export const TARGETS = [HelmApplicationVersion, HelmApplication, HelmCategory, HelmRepo] as const;

/** What a person wants to have done to which object, and the rights of which one is needed. */
export interface PersonsAct {
  readonly announcement: Announcement<ActType>;
  readonly kind: (typeof TARGETS)[number];
  /** "" where the object is yet to be made. */
  readonly name: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  /** Where rights are asked for what is yet to be made. */
  readonly workspace?: string;
}

/** Reads an act out of an event; throws what zod throws where its data is not what the type asks for. */
export function actOf(event: Event): PersonsAct | undefined {
  const definition = ACTS.find(({ type }) => type === event.type) as EventDefinition<ActType> | undefined;
  if (!definition) return undefined;
  const data = definition.data.parse(event.data) as ActData;
  const target = targetOf(definition.type, data);
  const subject = subjectOf(target.kind as ResourceDefinition, { name: target.name });
  return { ...target, announcement: definition.of(subject, data) };
}

interface ActData {
  readonly version?: string;
  readonly app?: string;
  readonly repo?: string;
  readonly category?: string;
  readonly workspace?: string;
  readonly step?: ReviewStep;
}

type Target = Omit<PersonsAct, "announcement">;

function targetOf(type: ActType, data: ActData): Target {
  const { version, app, repo, category } = data;
  const deed = VERB[type] ?? "";
  if (version !== undefined) return versionTarget(type, version, data.step);
  if (app !== undefined) return { kind: HelmApplication, name: app, resource: "apps", verbs: [deed] };
  if (repo !== undefined) return { kind: HelmRepo, name: repo, resource: "repos", verbs: [deed] };
  if (category !== undefined) return { kind: HelmCategory, name: category, resource: "categories", verbs: [deed] };
  return nameless(type, deed, data.workspace);
}

function versionTarget(type: ActType, version: string, step: ReviewStep | undefined): Target {
  const action = VERSION_ACTION[type];
  const verbs = action ? verbsOf(action, step) : [VERB[type] ?? ""];
  return { kind: HelmApplicationVersion, name: version, resource: "apps/versions", verbs };
}

/** What is yet to be made has no object, and a workspace is none of the store's. */
function nameless(type: ActType, deed: string, workspace: string | undefined): Target {
  if (type === CategoryCreated.type) return { kind: HelmCategory, name: "", resource: "categories", verbs: [deed] };
  if (type === WorkspaceDeleted.type) return { kind: HelmRepo, name: "", resource: "workspaces", verbs: [deed] };
  const made = { kind: HelmRepo, name: "", resource: "repos", verbs: [deed] };
  return workspace === undefined ? made : { ...made, workspace };
}

const VERB: Partial<Record<ActType, string>> = {
  [VersionEdited.type]: "update",
  [AppEdited.type]: "update",
  [AppSuspended.type]: "suspend",
  [AppRecovered.type]: "suspend",
  [AppDeleted.type]: "delete",
  [CategoryCreated.type]: "create",
  [CategoryEdited.type]: "update",
  [CategoryDeleted.type]: "delete",
  [RepoAdded.type]: "create",
  [RepoEdited.type]: "update",
  [RepoDeleted.type]: "delete",
  [RepoSyncRequested.type]: "refresh",
  [WorkspaceDeleted.type]: "delete",
};

const VERSION_ACTION: Partial<Record<ActType, Action>> = {
  [VersionSubmitted.type]: "submit",
  [VersionCancelled.type]: "cancel",
  [VersionReviewStarted.type]: "review",
  [VersionApproved.type]: "pass",
  [VersionRejected.type]: "reject",
  [VersionReleased.type]: "release",
  [VersionSuspended.type]: "suspend",
  [VersionRecovered.type]: "recover",
  [VersionDeleted.type]: "delete",
};
