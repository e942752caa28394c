import { change, type Decision, replaceStatus } from "../../shared/decision.ts";
import type { EventOf } from "../../shared/event.ts";
import { RepoSyncContinued, RepoSyncFailed, RepoSyncRequested, RepoSyncStarted } from "../../shared/events/repo.ts";
import { defineFunction } from "../../shared/function.ts";
import { indexBlob } from "../../shared/lifecycle/kept-index.ts";
import { continuedFact, failedFact, startedFact } from "../../shared/lifecycle/sync-facts.ts";
import { isEdited, isStale, syncDue } from "../../shared/lifecycle/sync-schedule.ts";
import {
  beginSync,
  failedStatus,
  type RepoStatus,
  type Sync,
  syncingStatus,
} from "../../shared/lifecycle/sync-status.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { moveCredentials } from "./move-credentials.ts";
import { queuedWish, wishOf } from "./wish.ts";

type Emitted = typeof RepoSyncStarted.type | typeof RepoSyncContinued.type | typeof RepoSyncFailed.type;
type RequestDecision = Decision<Emitted, "HelmRepo" | "Secret">;

/** A fetch that took longer than this may take so long again that others would ask for the next meanwhile. */
const SLOW_MS = 20_000;

/** Times that a sync is taken up again in the same place before it is given up. */
const MAX_RESUMES = 5;

interface World {
  readonly repo: HelmRepo | undefined;
  readonly now: Date;
}

/** Lets one sync of a repository begin at a time: what is asked for meanwhile is remembered, what got stuck is taken up. */
export default defineFunction({
  on: RepoSyncRequested,
  summary: "Begins a sync of a repository, unless one is under way or none is due.",
  emits: [RepoSyncStarted, RepoSyncContinued, RepoSyncFailed],
  reads: [HelmRepo],
  writes: [HelmRepo, Secret],
  uses: ["clock"],
  timeoutMs: 20_000,
  gather: async (event, { kube, clock }): Promise<World> => {
    const repo = await kube.get(HelmRepo, event.data.repo);
    return { repo, now: clock.now() };
  },
  decide: ({ repo, now }, event): RequestDecision => {
    if (!repo || repo.metadata.deletionTimestamp !== undefined) return change({});
    const sync = repo.status?.sync;
    if (!sync) return begin(repo, event, now);
    // What was begun by this event is announced again, as its first announcement may be lost.
    if (sync.id === event.id) return change({ announce: [startedFact(repo, sync, event.data)] });
    if (isStale(repo, now)) return takeUp(repo, sync, now);
    return change({ write: remember(repo, event) });
  },
});

type Requested = EventOf<typeof RepoSyncRequested>;

function begin(repo: HelmRepo, event: Requested, now: Date): RequestDecision {
  const { reason, force = false } = event.data;
  if (!force && !syncDue(repo, now)) return change({});
  const wish = wishOf(repo, event);
  const { repo: wanted, writes } = moveCredentials(repo, now);
  const announce = [startedFact(repo, { id: event.id, reason }, wish)];
  if (writes.length === 0 && isQuick(repo)) return change({ announce });
  const sync = beginSync(wanted, { id: event.id, reason }, now);
  const { queued: _, ...before } = wanted.status ?? {};
  const mark = {
    ...replaceStatus(HelmRepo, wanted, syncingStatus({ ...wanted, status: before }, sync, now)),
    last: true as const,
  };
  return change({ write: [...writes, mark], announce });
}

/** Whether the index will be there before anybody could ask for it again, so that one write at the end will do. */
function isQuick(repo: HelmRepo): boolean {
  const { syncState: [newest] = [], statistics, queued } = repo.status ?? {};
  const lately = newest?.state === "successful" && (statistics?.fetchMs ?? 0) < SLOW_MS;
  return lately && !isEdited(repo) && queued === undefined;
}

/** The schedule asks again by itself; what a person or a push asked for is done after the sync under way. */
function remember(repo: HelmRepo, event: Requested) {
  const queued = event.data.force ? queuedWish(repo, event) : undefined;
  return queued ? [replaceStatus(HelmRepo, repo, { ...repo.status, queued })] : [];
}

function takeUp(repo: HelmRepo, sync: Sync, now: Date): RequestDecision {
  const resumes = (sync.resumes ?? 0) + 1;
  if (resumes > MAX_RESUMES) return giveUp(repo, sync, now);
  const resumed = { ...sync, resumes, renewedTime: now.toISOString() };
  const write = [replaceStatus(HelmRepo, repo, syncingStatus(repo, resumed, now))];
  const next =
    sync.to === undefined ? startedFact(repo, sync, { force: true }) : continuedFact(repo, sync, sync.after ?? "");
  return change({ write, announce: [next] });
}

function giveUp(repo: HelmRepo, sync: Sync, now: Date): RequestDecision {
  const place = sync.to === undefined ? "while its index was fetched" : `after chart ${sync.after || "(none)"}`;
  const message = `the sync stood still ${place} and was taken up ${MAX_RESUMES} times in vain; look at the dead letters of repo-sync-started and repo-sync-continued`;
  const problem = { reason: "SyncStuck", message };
  const status: RepoStatus = failedStatus(repo, problem, { sync, now });
  const forget = sync.to === undefined || sync.to === repo.status?.indexDigest ? [] : [indexBlob(repo, sync.to)];
  return change({ write: [replaceStatus(HelmRepo, repo, status)], announce: [failedFact(repo, problem)], forget });
}
