import type { Announcement, Event, EventDefinition } from "../../shared/event.ts";
import { AppDeleted, AppRecovered, AppSuspended } from "../../shared/events/app.ts";
import { RepoSyncRequested } from "../../shared/events/repo.ts";
import {
  VersionApproved,
  VersionCancelled,
  VersionDeleted,
  VersionRecovered,
  VersionRejected,
  VersionReleased,
  VersionReviewStarted,
  VersionSubmitted,
  VersionSuspended,
} from "../../shared/events/version.ts";
import { verbsOf } from "../../shared/lifecycle/permissions.ts";
import type { Action, ReviewStep } from "../../shared/lifecycle/states.ts";
import { type ResourceDefinition, subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";

/** Acts that a person may send as an event of their own. */
export const ACTS = [
  VersionSubmitted,
  VersionCancelled,
  VersionReviewStarted,
  VersionApproved,
  VersionRejected,
  VersionReleased,
  VersionSuspended,
  VersionRecovered,
  VersionDeleted,
  AppSuspended,
  AppRecovered,
  AppDeleted,
  RepoSyncRequested,
] as const;

/** The type of one of them. */
export type ActType = (typeof ACTS)[number]["type"];

/** What a person wants to have done to which object, and the rights of which one is needed. */
export interface PersonsAct {
  readonly announcement: Announcement<ActType>;
  readonly kind: typeof HelmApplicationVersion | typeof HelmApplication | typeof HelmRepo;
  readonly name: string;
  readonly resource: string;
  readonly verbs: readonly string[];
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
  readonly step?: ReviewStep;
}

type Target = Omit<PersonsAct, "announcement">;

function targetOf(type: ActType, { version, app, repo, step }: ActData): Target {
  if (version !== undefined) {
    const verbs = verbsOf(VERSION_ACTION[type] ?? "delete", step);
    return { kind: HelmApplicationVersion, name: version, resource: "apps/versions", verbs };
  }
  if (app !== undefined) {
    const verbs = type === AppDeleted.type ? ["delete"] : ["suspend"];
    return { kind: HelmApplication, name: app, resource: "apps", verbs };
  }
  return { kind: HelmRepo, name: repo ?? "", resource: "repos", verbs: ["refresh"] };
}

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
