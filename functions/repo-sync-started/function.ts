import { change, type Decision, replaceStatus } from "../../shared/decision.ts";
import type { EventOf } from "../../shared/event.ts";
import {
  RepoSyncContinued,
  RepoSynced,
  RepoSyncFailed,
  RepoSyncRequested,
  RepoSyncStarted,
} from "../../shared/events/repo.ts";
import { defineFunction } from "../../shared/function.ts";
import { indexBlob } from "../../shared/lifecycle/kept-index.ts";
import { continuedFact, failedFact, syncedFact } from "../../shared/lifecycle/sync-facts.ts";
import { isEdited } from "../../shared/lifecycle/sync-schedule.ts";
import { failedStatus, problemOfStatus, type SyncProblem, syncingStatus } from "../../shared/lifecycle/sync-status.ts";
import { present } from "../../shared/present.ts";
import { subjectOf } from "../../shared/resource.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { gather } from "./gather.ts";
import { plannedSync } from "./plan.ts";
import { suspicionOf } from "./suspicion.ts";
import { isFresh, unchangedStatus } from "./unchanged.ts";
import type { ReadIndex, SyncWorld, World } from "./world.ts";

type Emitted =
  | typeof RepoSyncContinued.type
  | typeof RepoSynced.type
  | typeof RepoSyncFailed.type
  | typeof RepoSyncRequested.type;
type StartDecision = Decision<Emitted, "HelmRepo">;

/** Fetches an index, tells whether anything is new in it, and keeps it for the steps that follow. */
export default defineFunction({
  on: RepoSyncStarted,
  summary: "Fetches a repository's index and compares it with the one that is known.",
  emits: [RepoSyncContinued, RepoSynced, RepoSyncFailed, RepoSyncRequested],
  reads: [HelmRepo, HelmApplicationVersion, HelmRelease, Secret],
  writes: [HelmRepo],
  uses: ["blobs", "charts", "clock"],
  timeoutMs: 240_000,
  concurrency: 16,
  gather: (event, ports): Promise<World> => gather(event, ports),
  decide: (world, event): StartDecision => {
    switch (world.plan) {
      case "none":
        return change({});
      case "overtaken":
        return askedAgain(world.repo, event);
      case "repeat":
        return toldAgain(world.repo);
      case "sync":
        return decide(world);
    }
  },
});

function decide(world: SyncWorld): StartDecision {
  const { fetched, repo, standouts } = world;
  switch (fetched.outcome) {
    case "failed":
      return failed(world, fetched.problem);
    case "notModified":
      return standouts ? planned(world, undefined) : unchanged(world, undefined);
    case "read": {
      const same = fetched.read.index.contentDigest === repo.status?.indexDigest && world.known !== undefined;
      if (same && !isEdited(repo) && !standouts) return unchanged(world, fetched.read);
      const suspicion = suspicionOf(world, fetched.read);
      return suspicion ? failed(world, suspicion.problem, suspicion.mark) : planned(world, fetched.read);
    }
  }
}

function unchanged(world: SyncWorld, read: ReadIndex | undefined): StartDecision {
  const { repo } = world;
  const status = unchangedStatus(world, read);
  const write = isFresh(world, status) ? [] : [replaceStatus(HelmRepo, repo, status)];
  return change({ write, announce: [syncedFact(repo, status)] });
}

function planned(world: SyncWorld, read: ReadIndex | undefined): StartDecision {
  const { repo, now } = world;
  const { sync, found } = plannedSync(world, read);
  const status = syncingStatus({ ...repo, status: { ...repo.status, ...found } }, sync, now);
  const keep = read ? [{ ...indexBlob(repo, read.index.contentDigest), bytes: read.stored }] : [];
  return change({
    blobs: keep,
    write: [replaceStatus(HelmRepo, repo, status)],
    announce: [continuedFact(repo, sync, "")],
  });
}

type Mark = Pick<NonNullable<HelmRepo["status"]>, "suspect">;

function failed(world: SyncWorld, problem: SyncProblem, mark: Mark = {}): StartDecision {
  const { repo } = world;
  const status = { ...failedStatus(repo, problem, world), ...mark };
  return change({ write: [replaceStatus(HelmRepo, repo, status)], announce: [failedFact(repo, problem)] });
}

/** The request sees the sync under way now, and is remembered until that ends. */
function askedAgain(repo: HelmRepo, { data }: EventOf<typeof RepoSyncStarted>): StartDecision {
  const { chart, version } = data;
  const reason = chart === undefined ? ("requested" as const) : ("pushed" as const);
  const request = { repo: repo.metadata.name, reason, force: true, ...present({ chart, version }) };
  return change({ announce: [RepoSyncRequested.of(subjectOf(HelmRepo, repo.metadata), request)] });
}

/** What this sync has come to so far, from the status that it wrote. */
function toldAgain(repo: HelmRepo): StartDecision {
  const { sync, state } = repo.status ?? {};
  if (sync) return change({ announce: [continuedFact(repo, sync, "")] });
  return change({
    announce: [state === "failed" ? failedFact(repo, problemOfStatus(repo)) : syncedFact(repo, repo.status)],
  });
}
