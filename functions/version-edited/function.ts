import { change, type Decision, refuse, replace } from "../../shared/decision.ts";
import type { EventOf } from "../../shared/event.ts";
import {
  VersionActionRefused,
  VersionChanged,
  VersionEdited,
  VersionStateChanged,
} from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { isFromRepository, stateOf } from "../../shared/lifecycle/act.ts";
import { versionName } from "../../shared/lifecycle/app-state.ts";
import { stateChanged } from "../../shared/lifecycle/audit.ts";
import { isDone, remembering } from "../../shared/lifecycle/remembered-acts.ts";
import { cutText } from "../../shared/lifecycle/version-object.ts";
import { present } from "../../shared/present.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { LABEL } from "../../shared/resources/labels.ts";

type Edit = EventOf<typeof VersionEdited>;

/** What an edit is decided on. */
interface World {
  readonly version: HelmApplicationVersion | undefined;
  /** All versions of the same application. */
  readonly siblings: readonly HelmApplicationVersion[];
}

type Emitted = typeof VersionChanged.type | typeof VersionActionRefused.type | typeof VersionStateChanged.type;
type EditDecision = Decision<Emitted, "HelmApplicationVersion">;

/** A version is described, and renamed while nobody relies on its name (KubeSphere §2.3). */
export default defineFunction({
  on: VersionEdited,
  summary: "Renames or describes a version.",
  emits: [VersionChanged, VersionActionRefused, VersionStateChanged],
  reads: [HelmApplicationVersion],
  writes: [HelmApplicationVersion],
  timeoutMs: 20_000,
  gather: async ({ data }, { kube }): Promise<World> => {
    const version = await kube.get(HelmApplicationVersion, data.version);
    const app = version?.metadata.labels?.[LABEL.appId];
    if (data.name === undefined || app === undefined) return { version, siblings: [] };
    return { version, siblings: await kube.list(HelmApplicationVersion, { labels: { [LABEL.appId]: app } }) };
  },
  decide: ({ version, siblings }, event): EditDecision => {
    if (!version) {
      const why = `helmapplicationversions.application.kubesphere.io "${event.data.version}" not found`;
      return refused(version, event, { reason: "VersionNotFound", why });
    }
    if (isDone(version, event)) return change({ announce: told(version, event) });
    const problem = standing(version) ?? nameProblem(version, siblings, event);
    if (problem) return refused(version, event, problem);
    const wanted = edited(version, event);
    return change({ write: [replace(HelmApplicationVersion, wanted)], announce: told(wanted, event) });
  },
});

function edited(version: HelmApplicationVersion, event: Edit): HelmApplicationVersion {
  const { name, description } = event.data;
  const { appVersion: _, version: __, ...rest } = version.spec;
  const numbered = name === undefined ? version.spec : { ...rest, ...numbers(name) };
  return {
    ...version,
    metadata: { ...version.metadata, annotations: remembering(version.metadata, event) },
    spec: { ...numbered, ...(description === undefined ? {} : { description: cutText(description) }) },
  };
}

/** The parts of a version's name: `<version>` or `<version> [<appVersion>]` (KubeSphere §2.8). */
function numbers(name: string) {
  const [version = "", rest = ""] = name.trim().split(/\s+(.*)/s);
  return present({ version, appVersion: /^\[(.*)\]$/s.exec(rest)?.[1] || undefined });
}

/** The newest entry of the history is told again where the name changed: the application's latest version follows. */
function told(version: HelmApplicationVersion, { data }: Edit) {
  const { metadata, status } = version;
  const app = metadata.labels?.[LABEL.appId] ?? "";
  const subject = subjectOf(HelmApplicationVersion, metadata);
  const fact = { version: metadata.name, app, name: versionName(version) };
  const newest = data.name === undefined ? undefined : status?.audit?.[0];
  return [
    VersionChanged.of(subject, fact, { partitionkey: app || metadata.name }),
    ...(newest ? [stateChanged(version, newest)] : []),
  ];
}

interface Problem {
  readonly reason: string;
  readonly why: string;
}

function standing(version: HelmApplicationVersion): Problem | undefined {
  const { name, deletionTimestamp } = version.metadata;
  if (isFromRepository(version)) return { reason: "Immutable", why: `version ${name} follows its repository` };
  if (deletionTimestamp === undefined) return undefined;
  return { reason: "BeingDeleted", why: `version ${name} is being deleted` };
}

function nameProblem(
  version: HelmApplicationVersion,
  siblings: readonly HelmApplicationVersion[],
  { data }: Edit,
): Problem | undefined {
  if (data.name === undefined) return undefined;
  const name = versionName({ spec: numbers(data.name) });
  if (name === versionName(version)) return undefined;
  if (name === "") return { reason: "NameMissing", why: "version name is empty" };
  // KubeSphere renames in any state; here what somebody reviews or installs keeps the name that it has.
  if (!["draft", "rejected"].includes(stateOf(version))) return { reason: "NotADraft", why: "action not permitted" };
  const taken = siblings.some(
    (each) => each.metadata.name !== version.metadata.name && each.spec.version === numbers(name).version,
  );
  return taken ? { reason: "VersionExists", why: "application version exists" } : undefined;
}

function refused(version: HelmApplicationVersion | undefined, { data, operator }: Edit, { reason, why }: Problem) {
  const subject = subjectOf(HelmApplicationVersion, { name: data.version });
  const app = version?.metadata.labels?.[LABEL.appId];
  const state = version ? stateOf(version) : null;
  const told = { version: data.version, action: "edit", state, reason, message: why, ...present({ app, operator }) };
  return refuse(reason, why, { announce: [VersionActionRefused.of(subject, told)] });
}
