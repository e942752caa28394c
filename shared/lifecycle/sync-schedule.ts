import type { HelmRepo } from "../resources/helm-repo.ts";
import { ANNOTATION } from "../resources/labels.ts";

/** Why a repository is to be synced now. */
export type SyncReason = "due" | "new" | "changed" | "retry" | "requested";

const SECOND_MS = 1_000;

/** A sync period below this counts as this (KubeSphere §3.2). */
const MIN_PERIOD_S = 180;

/** First delay after a failure; grows with each one in a row (KubeSphere §3.2). */
const RETRY_S = 60;
const RETRY_MAX_S = 600;

/** A changed spec waits this long after the last attempt, so that a series of edits is one sync. */
const SETTLE_S = 10;

/** Why the repository should be synced at `now`, decided from its state alone; `undefined` when it should not. */
export function syncDue(repo: HelmRepo, now: Date): SyncReason | undefined {
  if (repo.metadata.deletionTimestamp !== undefined) return undefined;
  const [newest] = repo.status?.syncState ?? [];
  if (!newest) return "new";
  const elapsedS = (now.getTime() - Date.parse(newest.syncTime)) / SECOND_MS;
  if (requestOf(repo) !== (repo.status?.lastHandledRequest ?? "")) return "requested";
  if (isChanged(repo) && elapsedS >= SETTLE_S) return "changed";
  const next = nextSyncTime(repo);
  if (next === undefined || Date.parse(next) > now.getTime()) return undefined;
  return newest.state === "failed" ? "retry" : "due";
}

/** When the schedule asks for the next sync, RFC 3339; `undefined` when it never does (period 0 after a success). */
export function nextSyncTime({ spec, status }: Pick<HelmRepo, "spec" | "status">): string | undefined {
  const history = status?.syncState ?? [];
  const [newest] = history;
  if (!newest) return undefined;
  const succeeded = history.findIndex((attempt) => attempt.state !== "failed");
  const failures = succeeded === -1 ? history.length : succeeded;
  const period = spec.syncPeriod ?? 0;
  if (failures === 0 && period <= 0) return undefined;
  const waitS = failures > 0 ? Math.min(RETRY_S * failures, RETRY_MAX_S) : Math.max(period, MIN_PERIOD_S);
  return new Date(Date.parse(newest.syncTime) + waitS * SECOND_MS).toISOString();
}

/** The value of the annotation by which somebody asks for a sync at once. */
export function requestOf(repo: HelmRepo): string {
  return repo.metadata.annotations?.[ANNOTATION.requestedAt] ?? "";
}

/** `spec.version` was bumped (KubeSphere) or the spec was edited (Kubernetes) since the last attempt. */
function isChanged({ metadata, spec, status }: HelmRepo): boolean {
  const bumped = (spec.version ?? 0) !== (status?.version ?? 0) && status?.syncState?.[0]?.state !== "failed";
  const edited = metadata.generation !== undefined && metadata.generation !== status?.observedGeneration;
  return bumped || edited;
}
