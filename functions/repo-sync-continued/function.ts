import { objectsOf } from "../../shared/charts/work-list.ts";
import { change, type Decision, last, replaceStatus, type Write } from "../../shared/decision.ts";
import type { EventOf } from "../../shared/event.ts";
import {
  RepoChartChanged,
  RepoSyncContinued,
  RepoSynced,
  RepoSyncFailed,
  RepoVersionQuarantined,
} from "../../shared/events/repo.ts";
import { defineFunction } from "../../shared/function.ts";
import { indexBlob } from "../../shared/lifecycle/kept-index.ts";
import type { IndexState } from "../../shared/lifecycle/repository-version.ts";
import { continuedFact, failedFact, syncedFact } from "../../shared/lifecycle/sync-facts.ts";
import { failedStatus, type Sync, syncingStatus } from "../../shared/lifecycle/sync-status.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { appWrites } from "./app-objects.ts";
import { chartFacts } from "./facts.ts";
import { finishedStatus } from "./finish.ts";
import { gather } from "./gather.ts";
import { versionWrites } from "./version-objects.ts";
import type { Step, World, WriteWorld } from "./world.ts";

type Emitted =
  | typeof RepoSyncContinued.type
  | typeof RepoSynced.type
  | typeof RepoSyncFailed.type
  | typeof RepoChartChanged.type
  | typeof RepoVersionQuarantined.type;
type Written = "HelmRepo" | "HelmApplication" | "HelmApplicationVersion";
type StepDecision = Decision<Emitted, Written>;
type Continued = EventOf<typeof RepoSyncContinued>;

/** Brings a few hundred objects to the index that was fetched, says how far that is, and hands the rest to the next step. */
export default defineFunction({
  on: RepoSyncContinued,
  summary: "Brings the next charts of a repository to its index: applications, versions, and what is told of them.",
  emits: [RepoSyncContinued, RepoSynced, RepoSyncFailed, RepoChartChanged, RepoVersionQuarantined],
  reads: [HelmRepo, HelmApplication, HelmApplicationVersion, HelmRelease],
  writes: [HelmRepo, HelmApplication, HelmApplicationVersion],
  uses: ["blobs", "clock"],
  timeoutMs: 120_000,
  concurrency: 4,
  gather: (event, ports): Promise<World> => gather(event, ports),
  decide: (world, event): StepDecision => {
    switch (world.plan) {
      case "none":
        return change({});
      case "lost":
        return lost(world);
      case "repeat":
        return change({ announce: [...chartFacts(world.repo, world.works), after(world.repo, event, world.step)] });
      case "write":
        return write(world, event);
    }
  },
});

function write(world: WriteWorld, event: Continued): StepDecision {
  const { repo, works, step } = world;
  const sync = repo.status?.sync;
  if (!sync) return change({});
  const { writes, standing } = objects(world, event.data.limit);
  const status = step.last ? finishedStatus(world, { sync, standing }) : advanced(world, sync);
  return change({
    write: [...writes, last(replaceStatus(HelmRepo, repo, status))],
    announce: [...chartFacts(repo, works), after({ ...repo, status }, event, step)],
    forget: step.last ? superseded(repo, sync) : [],
  });
}

/** The index before last: the last one is what a repeated step compares with. */
function superseded(repo: HelmRepo, { from, to }: Sync) {
  const { previousIndexDigest: digest } = repo.status ?? {};
  return digest === undefined || digest === from || digest === to ? [] : [indexBlob(repo, digest)];
}

interface Objects {
  readonly writes: readonly Write<"HelmApplication" | "HelmApplicationVersion">[];
  readonly standing: ReadonlyMap<string, IndexState | undefined>;
}

function objects(world: WriteWorld, limit: number): Objects {
  const outcomes = world.works.map((work) => {
    const versions = versionWrites(work, { ...world, limit });
    return { ...versions, writes: [...appWrites(work, world, versions.standing.size > 0), ...versions.writes] };
  });
  return {
    writes: outcomes.flatMap(({ writes }) => writes),
    standing: new Map(outcomes.flatMap(({ standing }) => [...standing])),
  };
}

function advanced({ repo, step, now }: WriteWorld, sync: Sync) {
  const { resumes: _, chartsDone = 0, objectsDone = 0, ...rest } = sync;
  const moved = {
    ...rest,
    renewedTime: now.toISOString(),
    after: step.items.at(-1)?.chart ?? "",
    chartsDone: chartsDone + step.items.length,
    objectsDone: objectsDone + objectsOf(step.items),
  };
  return syncingStatus(repo, moved, now);
}

/** What comes after a step: the next one, or the word that the repository is synced. */
function after(repo: HelmRepo, { data }: Continued, { items, last: end }: Step) {
  if (end) return syncedFact(repo, repo.status);
  return continuedFact(repo, { ...data, id: data.sync }, items.at(-1)?.chart ?? "");
}

/** Without the index nothing can be written; the next sync fetches it again. */
function lost({ repo, now }: Extract<World, { plan: "lost" }>): StepDecision {
  const sync = repo.status?.sync;
  if (!sync) return change({});
  const message = `the index ${sync.to} that was fetched is not in the object store any more; it is fetched again`;
  const problem = { reason: "IndexLost", message };
  const status = failedStatus(repo, problem, { sync, now });
  return change({ write: [replaceStatus(HelmRepo, repo, status)], announce: [failedFact(repo, problem)] });
}
