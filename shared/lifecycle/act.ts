import { type Condition, findCondition, setConditions } from "../conditions.ts";
import { change, type Decision, refuse, replaceStatus, wait } from "../decision.ts";
import type { Event } from "../event.ts";
import { VersionActionRefused, VersionStateChanged } from "../events/version.ts";
import { subjectOf } from "../resource.ts";
import { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import { LABEL, STORE_REPO } from "../resources/labels.ts";
import type { VersionState } from "./states.ts";
import { type Action, isEarly, nextState, transitionOf } from "./transitions.ts";

/** What an act on a version is decided on. */
export interface ActWorld {
  readonly version: HelmApplicationVersion | undefined;
  readonly now: Date;
}

/** The event data of every act. */
export interface ActData {
  readonly version: string;
  readonly message?: string | undefined;
}

/** What deciding an act comes to. */
export type ActDecision = Decision<
  typeof VersionStateChanged.type | typeof VersionActionRefused.type,
  "HelmApplicationVersion"
>;
type Status = NonNullable<HelmApplicationVersion["status"]>;

/** Events travel in any order: an act that comes before the one it needs is given this long for the other to arrive. */
const GRACE_MS = 60_000;

/** Conditions that tell of an act that was refused, and of one that waits for its turn. */
const REFUSED = "ActionRefused";
const PENDING = "ActionPending";

/** How many audit entries an object keeps (KubeSphere 3.4 keeps 10; the stream keeps all). */
const AUDIT_LIMIT = 10;

/** Decides one act on one version by the transition table: accept, announce again, wait for its turn, or refuse. */
export function act(action: Action, world: ActWorld, event: Event<ActData>): ActDecision {
  const { version, now } = world;
  const name = event.data.version;
  if (!version) {
    if (isYoung(event, now)) return wait("VersionNotFound");
    return refused(action, world, {
      event,
      reason: "VersionNotFound",
      why: `no HelmApplicationVersion is called ${name}`,
    });
  }
  // Ids that people make up are alike for different acts; those would otherwise be taken for repeats.
  const { to } = transitionOf(action);
  const repeated = version.status?.audit?.find((entry) => entry.event === event.id && entry.state === to);
  if (repeated) return change({ announce: [moved(version, repeated)] });
  const state = stateOf(version);
  if (isFromRepository(version)) {
    const why = `version ${name} comes from repository ${version.metadata.labels?.[LABEL.repoId]} and follows its index`;
    return refused(action, world, { event, reason: "Immutable", why });
  }
  const next = nextState(action, state);
  if (next) return accepted(version, { event, state, next, now });
  const why = `version ${name} is ${state}; ${action} needs ${transitionOf(action).from.join(" or ")}`;
  if (isEarly(action, state) && isYoung(event, now))
    return wait("TooEarly", { write: pendingWrite(version, why, now) });
  return refused(action, world, { event, reason: "IllegalTransition", why });
}

/** Tells the one who waits, once: acts that are early together would only overwrite each other's words. */
function pendingWrite(version: HelmApplicationVersion, why: string, now: Date) {
  if (findCondition(version.status?.conditions, PENDING)) return [];
  const message = `${why}; waiting up to a minute for the act that leads there`;
  const input = { type: PENDING, status: "True", reason: "TooEarly", message } as const;
  const conditions = setConditions(version.status?.conditions, [input], now.toISOString());
  return [replaceStatus(HelmApplicationVersion, version, { ...version.status, conditions })];
}

/** The conditions once the waiting is over. */
function settled(version: HelmApplicationVersion): readonly Condition[] {
  return (version.status?.conditions ?? []).filter(({ type }) => type !== PENDING);
}

/** The state of a version; a version without status is a draft (KubeSphere §1.3). */
export function stateOf(version: HelmApplicationVersion): VersionState {
  return version.status?.state || "draft";
}

/** Whether a version follows the index of a repository rather than the lifecycle (KubeSphere §2.3). */
export function isFromRepository(version: HelmApplicationVersion): boolean {
  const repo = version.metadata.labels?.[LABEL.repoId];
  return repo !== undefined && repo !== "" && repo !== STORE_REPO;
}

interface Accepted {
  readonly event: Event<ActData>;
  readonly state: VersionState;
  readonly next: VersionState;
  readonly now: Date;
}

function accepted(version: HelmApplicationVersion, { event, state, next, now }: Accepted): ActDecision {
  const entry = {
    ...(event.data.message === undefined ? {} : { message: event.data.message }),
    state: next,
    from: state,
    time: now.toISOString(),
    ...(event.operator === undefined ? {} : { operator: event.operator }),
    event: event.id,
  };
  const accepting = { type: REFUSED, status: "False", reason: "Accepted", message: `the version is ${next}` } as const;
  const { conditions: before, ...rest } = version.status ?? {};
  const inputs = findCondition(before, REFUSED) ? [accepting] : [];
  const conditions = setConditions(settled(version), inputs, now.toISOString());
  const status: Status = {
    ...rest,
    state: next,
    audit: [entry, ...(rest.audit ?? [])].slice(0, AUDIT_LIMIT),
    ...(conditions.length === 0 ? {} : { conditions }),
  };
  return change({ write: [replaceStatus(HelmApplicationVersion, version, status)], announce: [moved(version, entry)] });
}

interface Refused {
  readonly event: Event<ActData>;
  readonly reason: string;
  readonly why: string;
}

function refused(action: Action, { version, now }: ActWorld, { event, reason, why }: Refused): ActDecision {
  const name = event.data.version;
  const state = version ? stateOf(version) : null;
  const subject = subjectOf(HelmApplicationVersion, { name });
  const fact = VersionActionRefused.of(subject, { version: name, action, state, reason, message: why });
  const told = findCondition(version?.status?.conditions, REFUSED);
  if (!version || (told?.status === "True" && told.message === why)) return refuse(reason, why, { announce: [fact] });
  const input = { type: REFUSED, status: "True", reason, message: why } as const;
  const conditions = setConditions(settled(version), [input], now.toISOString());
  const status: Status = { ...version.status, conditions };
  return refuse(reason, why, { write: [replaceStatus(HelmApplicationVersion, version, status)], announce: [fact] });
}

type AuditEntry = NonNullable<Status["audit"]>[number];

function moved(version: HelmApplicationVersion, entry: AuditEntry) {
  const app = version.metadata.labels?.[LABEL.appId] ?? "";
  return VersionStateChanged.of(
    subjectOf(HelmApplicationVersion, version.metadata),
    {
      version: version.metadata.name,
      app,
      from: entry.from ?? null,
      to: entry.state || "draft",
      ...(entry.operator === undefined ? {} : { operator: entry.operator }),
      ...(entry.message === undefined ? {} : { message: entry.message }),
    },
    { partitionkey: app || version.metadata.name },
  );
}

/** Whether the event was made so lately that others made before it may still be under way. */
export function isYoung(event: Event, now: Date): boolean {
  const age = now.getTime() - Date.parse(event.time ?? "");
  return Math.abs(age) < GRACE_MS;
}
