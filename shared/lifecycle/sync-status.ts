import { type Condition, type ConditionInput, findCondition, setConditions } from "../conditions.ts";
import { present } from "../present.ts";
import type { HelmRepo } from "../resources/helm-repo.ts";
import { nextSyncTime, requestOf } from "./sync-schedule.ts";
import { cutText } from "./version-object.ts";

/** The status of a repository. */
export type RepoStatus = NonNullable<HelmRepo["status"]>;

/** The sync that a repository's status says is under way. */
export type Sync = NonNullable<RepoStatus["sync"]>;

/** Why a repository could not be synced. */
export interface SyncProblem {
  readonly reason: string;
  readonly message: string;
  /** Time before which the server does not want to be asked again. */
  readonly retryAfterMs?: number;
}

/** Syncs that a repository remembers (KubeSphere §1.10). */
const HISTORY_LIMIT = 10;

/** A server may ask for patience, but not for ever. */
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/** What a sync is begun with: who asked, and what the repository wanted then. */
export function beginSync(repo: HelmRepo, { id, reason }: Pick<Sync, "id" | "reason">, now: Date): Sync {
  const time = now.toISOString();
  const { generation } = repo.metadata;
  const version = repo.spec.version ?? 0;
  return {
    id,
    reason,
    startedTime: time,
    renewedTime: time,
    request: requestOf(repo),
    version,
    ...present({ generation }),
  };
}

/** The status while a sync is under way: who looks, sees what is going on and since when. */
export function syncingStatus(repo: HelmRepo, sync: Sync, now: Date): RepoStatus {
  const { nextSyncTime: _, ...before } = repo.status ?? {};
  const input = { type: "Reconciling", status: "True", reason: reasonOf(sync), message: progressOf(sync) } as const;
  const observed = present({ observedGeneration: sync.generation });
  const conditions = setConditions(before.conditions, [{ ...input, ...observed }], now.toISOString());
  return { ...before, state: "syncing", sync, conditions };
}

function reasonOf({ to }: Sync): string {
  return to === undefined ? "Fetching" : "Writing";
}

function progressOf(sync: Sync): string {
  const { reason, to, chartsDone = 0, chartsTotal = 0, objectsDone = 0, objectsTotal = 0 } = sync;
  if (to === undefined) return `the index is being fetched (${reason}) since ${sync.startedTime}`;
  const charts = `charts ${number(chartsDone)} of ${number(chartsTotal)}`;
  return `${charts}, objects ${number(objectsDone)} of ${number(objectsTotal)}, since ${sync.startedTime}`;
}

function number(count: number): string {
  return count.toLocaleString("en-US");
}

/** What a sync that ended well found. */
export interface Success {
  readonly sync: Sync;
  readonly now: Date;
  /** Whether the index was another one than before. */
  readonly changed: boolean;
  /** Fields that the sync itself brought. */
  readonly found: Partial<RepoStatus>;
}

/** The status after a sync that ended well. */
export function succeededStatus(repo: HelmRepo, { sync, now, changed, found }: Success): RepoStatus {
  const { suspect: _, notBefore: __, ...before } = repo.status ?? {};
  const fetchedTime = sync.fetchedTime ?? sync.startedTime;
  const attempted = attemptedStatus({ ...repo, status: before }, sync, { state: "successful", now });
  const { statistics } = attempted;
  const status: RepoStatus = {
    ...attempted,
    version: sync.version ?? 0,
    lastSuccessfulTime: fetchedTime,
    notModifiedCount: changed ? 0 : (before.notModifiedCount ?? 0) + 1,
    ...found,
    statistics: { ...statistics, ...found.statistics, syncs: (statistics?.syncs ?? 0) + 1 },
  };
  const message = summaryOf(status);
  const conditions = ready(sync, { status: "True", reason: "Synced", message });
  return scheduled(repo, { ...status, conditions: withoutProgress(status.conditions, conditions, now) });
}

function summaryOf(status: RepoStatus): string {
  const { totalCharts = 0, totalChartVersions = 0, droppedEntries = 0, quarantinedVersions = 0 } = status;
  const dropped = droppedEntries === 0 ? "" : `, ${droppedEntries} unusable entries left out`;
  const held = quarantinedVersions === 0 ? "" : `, ${quarantinedVersions} in quarantine`;
  return `${totalCharts} charts with ${totalChartVersions} versions${dropped}${held}; fresh as of ${status.lastSuccessfulTime}`;
}

/** The status after a sync that failed: what was known before stays. */
export function failedStatus(repo: HelmRepo, problem: SyncProblem, { sync, now }: Pick<Success, "sync" | "now">) {
  const { reason, message, retryAfterMs } = problem;
  const attempted = attemptedStatus(repo, sync, { state: "failed", message: cutText(message), now });
  const statistics = { ...attempted.statistics, failures: (attempted.statistics?.failures ?? 0) + 1 };
  const fresh = attempted.lastSuccessfulTime ? `; applications are as of ${attempted.lastSuccessfulTime}` : "";
  const conditions = ready(sync, { status: "False", reason, message: `${message}${fresh}` });
  const wait = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  const { notBefore: _, ...rest } = attempted;
  return scheduled(repo, {
    ...rest,
    statistics,
    conditions: withoutProgress(rest.conditions, conditions, now),
    ...(wait > 0 ? { notBefore: new Date(now.getTime() + wait).toISOString() } : {}),
  });
}

interface Attempt {
  readonly state: "successful" | "failed";
  readonly message?: string;
  readonly now: Date;
}

/** The fields that every attempt writes; what it acted on is what it read when it began. */
function attemptedStatus(repo: HelmRepo, sync: Sync, { state, message, now }: Attempt): RepoStatus {
  const { sync: _, nextSyncTime: __, ...before } = repo.status ?? {};
  const entry = { state, syncTime: now.toISOString(), ...present({ message }) };
  return {
    ...before,
    state,
    syncState: [entry, ...(before.syncState ?? [])].slice(0, HISTORY_LIMIT),
    lastUpdateTime: now.toISOString(),
    lastHandledRequest: sync.request ?? "",
    lastSyncEvent: sync.id,
    statistics: { ...before.statistics, durationMs: now.getTime() - Date.parse(sync.startedTime) },
    ...present({ observedGeneration: sync.generation }),
  };
}

function scheduled({ metadata, spec }: HelmRepo, status: RepoStatus): RepoStatus {
  return { ...status, ...present({ nextSyncTime: nextSyncTime({ metadata, spec, status }) }) };
}

type ReadyInput = Pick<ConditionInput, "status" | "reason" | "message">;

function ready({ generation }: Sync, input: ReadyInput): readonly ConditionInput[] {
  const observed = present({ observedGeneration: generation });
  const stalled = input.status === "True" ? "False" : "True";
  return [
    { type: "Ready", ...input, ...observed },
    { type: "Stalled", ...input, status: stalled, ...observed },
  ];
}

/** kstatus takes a Reconciling condition that is there for progress, so it goes with the sync. */
function withoutProgress(
  before: readonly Condition[] | undefined,
  inputs: readonly ConditionInput[],
  now: Date,
): Condition[] {
  const rest = (before ?? []).filter(({ type }) => type !== "Reconciling");
  return setConditions(rest, inputs, now.toISOString());
}

/** Why the last sync failed, from the status that says so. */
export function problemOfStatus({ status }: HelmRepo): SyncProblem {
  const told = findCondition(status?.conditions, "Ready");
  return { reason: told?.reason ?? "FetchFailed", message: told?.message ?? "" };
}
