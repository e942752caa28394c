import { encodeIndex, type SavedIndex } from "../../shared/charts/kubesphere-index.ts";
import { type ConditionInput, setConditions } from "../../shared/conditions.ts";
import { last, replaceStatus, type Write } from "../../shared/decision.ts";
import { nextSyncTime, requestOf } from "../../shared/lifecycle/sync-schedule.ts";
import { cutText } from "../../shared/lifecycle/version-object.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import type { ChangedWorld, World } from "./world.ts";

type Status = NonNullable<HelmRepo["status"]>;

interface StatusWrite {
  readonly write: Write<"HelmRepo">;
  readonly status: Status;
}

/** Syncs that a repository remembers (KubeSphere §1.10). */
const HISTORY_LIMIT = 10;

/** Entries that could not be used and are named; all are counted. */
const MAX_PROBLEMS = 20;

/** After a sync that brought something new. Written last: it says that all objects are there. */
export function syncedWrite(world: ChangedWorld, saved: SavedIndex, event: string): StatusWrite {
  const { repo, index, digest, now } = world;
  const { data: _, problems: __, indexDigest, ...before } = repo.status ?? {};
  const data = encodeIndex(saved);
  const problems = index.problems
    .slice(0, MAX_PROBLEMS)
    .map((problem) => ({ ...problem, message: problem.message.slice(0, 1024) }));
  const status = {
    ...attempted({ ...repo, status: before }, { state: "successful" }, now),
    ...success(repo, now),
    ...world.validators,
    ...(data === undefined ? {} : { data }),
    ...(problems.length === 0 ? {} : { problems }),
    ...(indexDigest === undefined ? {} : { previousIndexDigest: indexDigest }),
    indexDigest: digest,
    lastSyncEvent: event,
    totalCharts: index.entries.length,
    totalChartVersions: index.entries.reduce((sum, { versions }) => sum + versions.length, 0),
    droppedEntries: index.problems.length,
    notModifiedCount: 0,
  };
  return finish(repo, status, now);
}

/** After a sync that found the index as it was. */
export function unchangedWrite(
  { repo, validators, now }: Extract<World, { plan: "unchanged" }>,
  event: string,
): StatusWrite {
  const { indexDigest } = repo.status ?? {};
  const status = {
    ...attempted(repo, { state: "successful" }, now),
    ...success(repo, now),
    ...validators,
    ...(indexDigest === undefined ? {} : { previousIndexDigest: indexDigest }),
    lastSyncEvent: event,
    notModifiedCount: (repo.status?.notModifiedCount ?? 0) + 1,
  };
  return finish(repo, status, now);
}

/** After a sync that failed: what was known before stays. */
export function failedWrite(
  { repo, problem, now }: Extract<World, { plan: "failed" }>,
  event: string,
): Write<"HelmRepo"> {
  const { reason, message } = problem;
  const status = attempted(repo, { state: "failed", message: cutText(message) }, now);
  const fresh = status.lastSuccessfulTime ? `; applications are as of ${status.lastSuccessfulTime}` : "";
  const told = `${message}${fresh}`;
  const inputs = conditions(repo, { status: "False", reason, message: told });
  return replaceStatus(HelmRepo, repo, {
    ...status,
    lastSyncEvent: event,
    conditions: setConditions(status.conditions, inputs, now.toISOString()),
  });
}

/** The fields that every attempt writes; `nextSyncTime` follows from the history. */
function attempted(
  repo: HelmRepo,
  { state, message }: { state: "successful" | "failed"; message?: string },
  now: Date,
): Status {
  const syncTime = now.toISOString();
  const entry = { state, syncTime, ...(message === undefined ? {} : { message }) };
  const { generation } = repo.metadata;
  const { nextSyncTime: _, ...before } = repo.status ?? {};
  const status = {
    ...before,
    state,
    syncState: [entry, ...(before.syncState ?? [])].slice(0, HISTORY_LIMIT),
    lastUpdateTime: syncTime,
    lastHandledRequest: requestOf(repo),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
  };
  const next = nextSyncTime({ spec: repo.spec, status });
  return next === undefined ? status : { ...status, nextSyncTime: next };
}

function success(repo: HelmRepo, now: Date): Partial<Status> {
  return { version: repo.spec.version ?? 0, lastSuccessfulTime: now.toISOString() };
}

function finish(repo: HelmRepo, status: Status, now: Date): StatusWrite {
  const { totalCharts = 0, totalChartVersions = 0, droppedEntries = 0 } = status;
  const dropped = droppedEntries === 0 ? "" : `, ${droppedEntries} unusable entries left out`;
  const message = `${totalCharts} charts with ${totalChartVersions} versions${dropped}; fresh as of ${status.lastSuccessfulTime}`;
  const inputs = conditions(repo, { status: "True", reason: "Synced", message });
  const complete = { ...status, conditions: setConditions(status.conditions, inputs, now.toISOString()) };
  return { write: last(replaceStatus(HelmRepo, repo, complete)), status: complete };
}

type ReadyInput = Pick<ConditionInput, "status" | "reason" | "message">;

function conditions({ metadata }: HelmRepo, ready: ReadyInput): readonly ConditionInput[] {
  const observed = metadata.generation === undefined ? {} : { observedGeneration: metadata.generation };
  const stalled = ready.status === "True" ? "False" : "True";
  return [
    { type: "Ready", ...ready, ...observed },
    { type: "Stalled", ...ready, status: stalled, ...observed },
  ];
}
