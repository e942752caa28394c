import { change } from "../../shared/decision.ts";
import { RepoSyncRequested, RepoSyncTick } from "../../shared/events/repo.ts";
import { defineFunction } from "../../shared/function.ts";
import { syncDue } from "../../shared/lifecycle/sync-schedule.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";

/** Looks which repositories are due. Decided from their state on every tick, so a lost tick costs nothing. */
export default defineFunction({
  on: RepoSyncTick,
  summary: "Asks for a sync of every repository that is due.",
  emits: [RepoSyncRequested],
  reads: [HelmRepo],
  writes: [],
  uses: ["clock"],
  timeoutMs: 30_000,
  concurrency: 1,
  gather: async (_event, { kube, clock }) => ({ repos: await kube.list(HelmRepo), now: clock.now() }),
  decide: ({ repos, now }) =>
    change({
      announce: repos.flatMap((repo) => {
        const reason = syncDue(repo, now);
        if (!reason) return [];
        return [RepoSyncRequested.of(subjectOf(HelmRepo, repo.metadata), { repo: repo.metadata.name, reason })];
      }),
    }),
});
