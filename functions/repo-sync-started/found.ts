import type { RepoStatus } from "../../shared/lifecycle/sync-status.ts";
import type { ReadIndex, SyncWorld } from "./world.ts";

/** The counters after an index was asked for: what came, or what did not have to. */
export function counted(
  { repo, sync, now }: SyncWorld,
  read: ReadIndex | undefined,
): NonNullable<RepoStatus["statistics"]> {
  const before = repo.status?.statistics;
  const { bytes = 0, bytesSaved = 0, notModified = 0, indexBytes = 0 } = before ?? {};
  const fetchMs = now.getTime() - Date.parse(sync.fetchedTime ?? sync.startedTime);
  return read
    ? { ...before, fetchMs, bytes: bytes + read.bytes, indexBytes: read.bytes }
    : { ...before, fetchMs, notModified: notModified + 1, bytesSaved: bytesSaved + indexBytes };
}

/** What a text says beside its charts: entries that could not be used, and what a registry has not shown yet. */
export function brought({ dropped, problems, pending, partial }: ReadIndex): Partial<RepoStatus> {
  if (partial) return pending > 0 ? { pendingVersions: pending } : {};
  return { droppedEntries: dropped, problems: [...problems], pendingVersions: pending };
}
