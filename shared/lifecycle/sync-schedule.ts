import { createHash } from "node:crypto";
import type { HelmRepo } from "../resources/helm-repo.ts";
import { ANNOTATION } from "../resources/labels.ts";

/** Why a repository is to be synced now. */
export type SyncReason = "due" | "new" | "changed" | "retry" | "requested" | "pushed" | "resumed";

const SECOND_MS = 1_000;

/** A sync period below this counts as this (KubeSphere §3.2). */
const MIN_PERIOD_S = 180;

/** First delay after a failure; grows with each one in a row (KubeSphere §3.2). */
const RETRY_S = 60;
const RETRY_MAX_S = 600;

/** A changed spec waits this long after the last attempt, so that a series of edits is one sync. */
const SETTLE_S = 10;

/** Until a registry is asked for the versions that one fetch left over. */
const PENDING_S = 10;

/** Periods grow by up to this share, for each repository by its own, so that they do not all fall due together. */
const JITTER = 0.1;

/** A sync that did not move on for this long has lost its process and its event. */
const STALE_MS = 5 * 60 * SECOND_MS;

/** Why the repository should be synced at `now`, decided from its state alone; `undefined` when it should not. */
export function syncDue(repo: HelmRepo, now: Date): SyncReason | undefined {
  if (repo.metadata.deletionTimestamp !== undefined) return undefined;
  if (repo.status?.sync) return isStale(repo, now) ? "resumed" : undefined;
  if (!repo.status?.syncState?.[0]) return "new";
  return asked(repo, now) ?? scheduled(repo, now);
}

/** What somebody wants, by a request, during the sync before, or by an edit. */
function asked(repo: HelmRepo, now: Date): SyncReason | undefined {
  const { queued, lastHandledRequest = "", syncState: [newest] = [] } = repo.status ?? {};
  if (queued) return queued.chart === undefined ? "requested" : "pushed";
  if (requestOf(repo) !== lastHandledRequest) return "requested";
  const settled = now.getTime() - Date.parse(newest?.syncTime ?? "") >= SETTLE_S * SECOND_MS;
  return isChanged(repo) && settled ? "changed" : undefined;
}

function scheduled(repo: HelmRepo, now: Date): SyncReason | undefined {
  const next = nextSyncTime(repo);
  if (next === undefined || Date.parse(next) > now.getTime()) return undefined;
  return repo.status?.syncState?.[0]?.state === "failed" ? "retry" : "due";
}

/** Whether the sync under way has to be taken up again: nothing else will move it on. */
export function isStale({ status }: HelmRepo, now: Date): boolean {
  return status?.sync !== undefined && now.getTime() - Date.parse(status.sync.renewedTime) > STALE_MS;
}

/** When the schedule asks for the next sync, RFC 3339; `undefined` when it never does (period 0 after a success). */
export function nextSyncTime(repo: Pick<HelmRepo, "metadata" | "spec" | "status">): string | undefined {
  const { notBefore, syncState: [newest] = [] } = repo.status ?? {};
  const waitS = waitSeconds(repo);
  if (!newest || waitS === undefined) return undefined;
  const next = Date.parse(newest.syncTime) + waitS * SECOND_MS;
  return new Date(Math.max(next, Date.parse(notBefore ?? newest.syncTime))).toISOString();
}

function waitSeconds({ metadata, spec, status }: Pick<HelmRepo, "metadata" | "spec" | "status">): number | undefined {
  const history = status?.syncState ?? [];
  const succeeded = history.findIndex((attempt) => attempt.state !== "failed");
  const failures = succeeded === -1 ? history.length : succeeded;
  if (failures > 0) return Math.min(RETRY_S * failures, RETRY_MAX_S);
  if ((status?.pendingVersions ?? 0) > 0) return PENDING_S;
  const period = spec.syncPeriod ?? 0;
  if (period <= 0) return undefined;
  return Math.round(Math.max(period, MIN_PERIOD_S) * (1 + JITTER * shareOf(metadata.name)));
}

/** A number from 0 to 1 that is always the same for the same name. */
function shareOf(name: string): number {
  return createHash("sha256").update(name).digest().readUInt32BE() / 2 ** 32;
}

/** The value of the annotation by which somebody asks for a sync at once. */
export function requestOf(repo: HelmRepo): string {
  return repo.metadata.annotations?.[ANNOTATION.requestedAt] ?? "";
}

/** Whether the spec was edited since it was last acted on: old validators may belong to another address then. */
export function isEdited({ metadata, status }: HelmRepo): boolean {
  return metadata.generation !== status?.observedGeneration;
}

/** `spec.version` was bumped (KubeSphere) or the spec was edited (Kubernetes) since the last attempt. */
function isChanged(repo: HelmRepo): boolean {
  const { metadata, spec, status } = repo;
  const bumped = (spec.version ?? 0) !== (status?.version ?? 0) && status?.syncState?.[0]?.state !== "failed";
  return bumped || (metadata.generation !== undefined && isEdited(repo));
}
