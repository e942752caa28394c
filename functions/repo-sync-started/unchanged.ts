import { sameJson } from "../../shared/equal.ts";
import { type RepoStatus, succeededStatus } from "../../shared/lifecycle/sync-status.ts";
import { present } from "../../shared/present.ts";
import { brought, counted } from "./found.ts";
import type { ReadIndex, SyncWorld } from "./world.ts";

/** "Fresh as of" is told to the minute: a sync so soon after another one that found the same writes nothing. */
const FRESH_MS = 60_000;

/** The status after a sync that found the index as it was. */
export function unchangedStatus(world: SyncWorld, read: ReadIndex | undefined): RepoStatus {
  const { repo, sync, now } = world;
  const statistics = counted(world, read);
  const counts = { ...statistics, unchanged: (statistics.unchanged ?? 0) + 1 };
  const found = { ...(read ? brought(read) : {}), ...present({ etag: read?.etag, lastModified: read?.lastModified }) };
  return succeededStatus(repo, { sync, now, changed: false, found: { ...found, statistics: counts } });
}

/** Whether the repository says all of this already, but for the time and the counts. */
export function isFresh({ repo, now }: SyncWorld, status: RepoStatus): boolean {
  const { lastSuccessfulTime, state, sync } = repo.status ?? {};
  if (sync || state !== "successful" || lastSuccessfulTime === undefined) return false;
  const young = now.getTime() - Date.parse(lastSuccessfulTime) < FRESH_MS;
  return young && sameJson(lasting(repo.status), lasting(status));
}

/** The fields that do not change from one such sync to the next. */
function lasting(status: RepoStatus | undefined) {
  const { lastHandledRequest, observedGeneration, version, etag, lastModified, pendingVersions, droppedEntries } =
    status ?? {};
  const { problems, totalCharts, indexDigest } = status ?? {};
  const read = { etag, lastModified, pendingVersions, droppedEntries, problems, totalCharts, indexDigest };
  return { lastHandledRequest, observedGeneration, version, ...read };
}
