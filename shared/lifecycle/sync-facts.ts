import { RepoSyncContinued, RepoSynced, RepoSyncFailed, RepoSyncStarted } from "../events/repo.ts";
import { present } from "../present.ts";
import { subjectOf } from "../resource.ts";
import { HelmRepo } from "../resources/helm-repo.ts";
import type { RepoStatus, Sync, SyncProblem } from "./sync-status.ts";

type Named = Pick<HelmRepo, "metadata">;

/** What else the beginning of a sync says. */
export interface Wish {
  readonly force?: boolean | undefined;
  readonly chart?: string | undefined;
  readonly version?: string | undefined;
}

/** Announces that a sync begins. */
export function startedFact({ metadata }: Named, { id, reason }: Pick<Sync, "id" | "reason">, wish: Wish = {}) {
  const { force, chart, version } = wish;
  const data = { repo: metadata.name, sync: id, reason, ...present({ force, chart, version }) };
  return RepoSyncStarted.of(subjectOf(HelmRepo, metadata), data);
}

type Plan = Pick<Sync, "id" | "from" | "to" | "all" | "limit">;

/** Announces that the charts after `after` are next; the event carries all that says which these are. */
export function continuedFact({ metadata }: Named, { id, from, to = "", all = false, limit = 1 }: Plan, after: string) {
  const data = { repo: metadata.name, sync: id, to, all, limit, after, ...present({ from }) };
  const subject = subjectOf(HelmRepo, metadata);
  return RepoSyncContinued.of(subject, data, { name: `${subject} ${id} ${after}`, partitionkey: subject });
}

/** The fact that a sync ended well, from the status that says so. */
export function syncedFact({ metadata }: Named, status: RepoStatus | undefined) {
  return RepoSynced.of(subjectOf(HelmRepo, metadata), {
    repo: metadata.name,
    changed: (status?.notModifiedCount ?? 0) === 0,
    charts: status?.totalCharts ?? 0,
    versions: status?.totalChartVersions ?? 0,
    dropped: status?.droppedEntries ?? 0,
  });
}

/** The fact that a sync failed. */
export function failedFact({ metadata }: Named, { reason, message }: SyncProblem) {
  const data = { repo: metadata.name, reason, message: message.slice(0, 1024) };
  return RepoSyncFailed.of(subjectOf(HelmRepo, metadata), data);
}
