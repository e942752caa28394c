import { change, type Decision } from "../../shared/decision.ts";
import { RepoChartChanged, RepoSynced, RepoSyncFailed, RepoSyncRequested } from "../../shared/events/repo.ts";
import { defineFunction } from "../../shared/function.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { chartChanges, failedFact, syncedFact, toldAgain } from "./facts.ts";
import { gather } from "./gather.ts";
import { objectWrites } from "./objects.ts";
import { savedIndexOf } from "./saved-index.ts";
import { failedWrite, syncedWrite, unchangedWrite } from "./status.ts";
import type { World } from "./world.ts";

type SyncDecision = Decision<
  typeof RepoSynced.type | typeof RepoSyncFailed.type | typeof RepoChartChanged.type,
  "HelmRepo" | "HelmApplication" | "HelmApplicationVersion"
>;

/** Brings applications and versions to what a repository's index says. */
export default defineFunction({
  on: RepoSyncRequested,
  summary: "Fetches a repository's index and makes its charts appear as applications and versions.",
  emits: [RepoSynced, RepoSyncFailed, RepoChartChanged],
  reads: [HelmRepo, HelmApplication, HelmApplicationVersion, Secret],
  writes: [HelmRepo, HelmApplication, HelmApplicationVersion],
  uses: ["blobs", "charts", "clock"],
  timeoutMs: 240_000,
  concurrency: 4,
  gather: (event, ports) => gather(event, ports),
  decide: (world, event): SyncDecision => decide(world, event.id),
});

function decide(world: World, eventId: string): SyncDecision {
  switch (world.plan) {
    case "none":
      return change({});
    case "repeat":
      return change({ announce: toldAgain(world.repo, world.previous, world.current) });
    case "failed": {
      const { repo, problem } = world;
      return change({ write: [failedWrite(world, eventId)], announce: [failedFact(repo, problem)] });
    }
    case "unchanged": {
      const write = unchangedWrite(world, eventId);
      return change({ write: [write.write], announce: [syncedFact({ ...world.repo, status: write.status })] });
    }
    case "changed": {
      const { repo, index, previous } = world;
      const saved = savedIndexOf(repo, index);
      const write = syncedWrite(world, saved, eventId);
      return change({
        blobs: [{ bucket: "indexes", key: world.digest, bytes: world.stored }],
        write: [...objectWrites(world, saved), write.write],
        announce: [...chartChanges(repo, previous, index.entries), syncedFact({ ...repo, status: write.status })],
      });
    }
  }
}
