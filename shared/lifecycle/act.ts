import { type Condition, findCondition, setConditions } from "../conditions.ts";
import { change, type Decision, refuse, removeAsRead, replaceStatus, wait } from "../decision.ts";
import type { Event } from "../event.ts";
import { type VersionActionRefused, VersionStateChanged } from "../events/version.ts";
import { subjectOf } from "../resource.ts";
import { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import { LABEL, STORE_REPO } from "../resources/labels.ts";
import { type AuditEntry, auditEntry, repeatedEntry, stateChanged, withEntry } from "./audit.ts";
import { refusalFact, refusedAgain } from "./refusal.ts";
import { inReviewCondition, type ReviewMove, reviewMove, submission } from "./review.ts";
import type { Action, ReviewStep, VersionState } from "./states.ts";
import type { ReadSettings } from "./store-settings.ts";
import { isEarly, nextState, transitionOf } from "./transitions.ts";

/** What an act on a version is decided on. */
export interface ActWorld {
  readonly version: HelmApplicationVersion | undefined;
  readonly settings: ReadSettings;
  readonly now: Date;
}

/** The event data of every act. */
export interface ActData {
  readonly version: string;
  readonly message?: string | undefined;
  readonly step?: ReviewStep | undefined;
  readonly immediate?: boolean | undefined;
}

/** What deciding an act comes to. */
export type ActDecision = Decision<
  typeof VersionStateChanged.type | typeof VersionActionRefused.type,
  "HelmApplicationVersion"
>;
type Status = NonNullable<HelmApplicationVersion["status"]>;

/** Events travel in any order: an act that comes before the one it needs is given this long for the other to arrive. */
const GRACE_MS = 60_000;

/** How many refusals an object keeps; the history stream keeps all. */
const REFUSAL_LIMIT = 10;

/** How long a refusal may be; names and settings that it quotes may be longer. */
const MESSAGE_LIMIT = 1024;

/** Conditions that tell of an act that was refused, and of one that waits for its turn. */
const REFUSED = "ActionRefused";
const PENDING = "ActionPending";

/** Decides one act on one version by the transition table: accept, announce again, wait for its turn, or refuse. */
export function act(action: Action, world: ActWorld, event: Event<ActData>): ActDecision {
  const { version, now } = world;
  if (!version) return withoutVersion(action, world, event);
  const before = decidedBefore(action, version, event);
  if (before) return before;
  const problem = problemOf(version);
  if (problem) return refused(action, world, { event, ...problem });
  const state = stateOf(version);
  const next = nextState(action, state);
  if (next === null) return deleted(version, event, now);
  if (next !== undefined) return move(action, { ...world, version }, { event, next });
  const why = `version ${event.data.version} is ${state}; ${action} needs ${transitionOf(action).from.join(" or ")}`;
  if (isEarly(action, state) && mayWait(event, now))
    return wait("TooEarly", { write: pendingWrite(version, why, now) });
  return refused(action, world, { event, reason: "IllegalTransition", why });
}

/** An act that had its effect or its refusal is told again; so is a deletion that somebody else has begun. */
function decidedBefore(
  action: Action,
  version: HelmApplicationVersion,
  event: Event<ActData>,
): ActDecision | undefined {
  const gone = isGoing(version);
  const repeated = repeatedEntry(version, event, action);
  if (repeated && (gone || action !== "delete")) return change({ announce: [stateChanged(version, repeated)] });
  const again = refusedAgain(version, event, action);
  if (again || !gone || action !== "delete") return again;
  return change({ announce: [alreadyGone(version.metadata.name)] });
}

function isGoing({ metadata }: HelmApplicationVersion): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Deleting what is gone already succeeds (KubeSphere §6.4); anything else needs a version. */
function withoutVersion(action: Action, world: ActWorld, event: Event<ActData>): ActDecision {
  const { version: name } = event.data;
  if (mayWait(event, world.now)) return wait("VersionNotFound");
  if (action === "delete") return change({ announce: [alreadyGone(name)] });
  const why = `no HelmApplicationVersion is called ${name}`;
  return refused(action, world, { event, reason: "VersionNotFound", why });
}

function problemOf(version: HelmApplicationVersion) {
  const { name, labels } = version.metadata;
  if (isGoing(version)) return { reason: "BeingDeleted", why: `version ${name} is being deleted` };
  if (!isFromRepository(version)) return undefined;
  const why = `version ${name} comes from repository ${labels?.[LABEL.repoId]} and follows its index`;
  return { reason: "Immutable", why };
}

interface Move {
  readonly event: Event<ActData>;
  readonly next: VersionState;
}

type Present = ActWorld & { readonly version: HelmApplicationVersion };

function move(action: Action, world: Present, { event, next }: Move): ActDecision {
  const { version, settings, now } = world;
  const reviewed = ["review", "pass", "reject"].includes(action);
  if (reviewed && !settings.ok)
    return refused(action, world, { event, reason: "InvalidSettings", why: settings.message });
  const reviewAct = { action, event, time: now.toISOString() };
  const moved: ReviewMove =
    reviewed && settings.ok
      ? reviewMove(version, reviewAct, settings.settings)
      : action === "submit"
        ? submission(reviewAct)
        : { ok: true, state: next };
  if (!moved.ok) return refused(action, world, { event, reason: moved.reason, why: moved.why });
  return accepted(version, { action, event, moved, now });
}

interface Accepted {
  readonly action: Action;
  readonly event: Event<ActData>;
  readonly moved: Extract<ReviewMove, { ok: true }>;
  readonly now: Date;
}

function accepted(version: HelmApplicationVersion, { action, event, moved, now }: Accepted): ActDecision {
  const { status, entry } = movedStatus(version, { action, event, moved, now });
  const write = [replaceStatus(HelmApplicationVersion, version, status)];
  return change({ write, announce: [stateChanged(version, entry)] });
}

/** The status of a version after an accepted act, with the entry that tells of it. */
export function movedStatus(
  version: HelmApplicationVersion,
  { action, event, moved, now }: Accepted,
): { readonly status: Status; readonly entry: AuditEntry } {
  const { state, step, review = version.status?.review } = moved;
  const { message } = event.data;
  const time = now.toISOString();
  const made = { action, from: stateOf(version), to: state, time, event: event.id, operator: event.operator, message };
  const entry = auditEntry(version, { ...made, ...(step === undefined ? {} : { step }) });
  const accepting = { type: REFUSED, status: "False", reason: "Accepted", message: `the version is ${state}` } as const;
  const { conditions: before, ...rest } = version.status ?? {};
  const inputs = [
    ...(findCondition(before, REFUSED) ? [accepting] : []),
    ...inReviewCondition(version, state, moved.review ?? review),
  ];
  const conditions = setConditions(settled(version), inputs, time);
  const status: Status = {
    ...rest,
    state,
    audit: withEntry(rest.audit, entry),
    ...(review ? { review } : {}),
    ...(conditions.length === 0 ? {} : { conditions }),
  };
  return { status, entry };
}

/**
 * The object goes; its finalizer keeps it until the application has been counted again. Who deletes it is written on it
 * first: others hear of the deletion as soon as it is there, and tell of it too.
 */
function deleted(version: HelmApplicationVersion, event: Event<ActData>, now: Date): ActDecision {
  const { message } = event.data;
  const audit = version.status?.audit;
  const begun = audit?.[0] && audit[0] === repeatedEntry(version, event, "delete") ? audit[0] : undefined;
  const made = { from: stateOf(version), time: now.toISOString(), event: event.id, operator: event.operator, message };
  const entry = begun ?? auditEntry(version, { action: "delete", ...made });
  const status: Status = { ...version.status, audit: withEntry(audit, entry) };
  const write = begun ? [] : [replaceStatus(HelmApplicationVersion, version, status)];
  return change({
    write: [...write, removeAsRead(HelmApplicationVersion, version)],
    announce: [stateChanged(version, entry)],
  });
}

function alreadyGone(name: string) {
  const subject = subjectOf(HelmApplicationVersion, { name });
  return VersionStateChanged.of(subject, { version: name, app: "", from: null, to: null });
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

interface Refused {
  readonly event: Event<ActData>;
  readonly reason: string;
  readonly why: string;
}

function refused(action: Action, { version, now }: ActWorld, { event, reason, ...told }: Refused): ActDecision {
  const why = told.why.slice(0, MESSAGE_LIMIT);
  const state = version ? stateOf(version) : null;
  const fact = refusalFact({ version, event }, { action, state, reason, message: why });
  if (!version) return refuse(reason, why, { announce: [fact] });
  const input = { type: REFUSED, status: "True", reason, message: why } as const;
  const { operator } = event;
  const entry = {
    ...{ event: event.id, action, state: stateOf(version), reason, message: why, time: now.toISOString() },
    ...(operator === undefined ? {} : { operator }),
  };
  const status: Status = {
    ...version.status,
    conditions: setConditions(settled(version), [input], now.toISOString()),
    refusals: [entry, ...(version.status?.refusals ?? [])].slice(0, REFUSAL_LIMIT),
  };
  return refuse(reason, why, { write: [replaceStatus(HelmApplicationVersion, version, status)], announce: [fact] });
}

/** Whoever stands and waits for the answer would rather have it now. */
function mayWait(event: Event<ActData>, now: Date): boolean {
  return event.data.immediate !== true && isYoung(event, now);
}

/** Whether the event was made so lately that others made before it may still be under way. */
export function isYoung(event: Event, now: Date): boolean {
  const age = now.getTime() - Date.parse(event.time ?? "");
  return Math.abs(age) < GRACE_MS;
}
