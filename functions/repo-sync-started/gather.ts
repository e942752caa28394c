import type { StoredIndex } from "../../shared/charts/stored-index.ts";
import type { EventOf } from "../../shared/event.ts";
import type { RepoSyncStarted } from "../../shared/events/repo.ts";
import { loadIndex } from "../../shared/lifecycle/kept-index.ts";
import { syncDue } from "../../shared/lifecycle/sync-schedule.ts";
import { beginSync, type Sync } from "../../shared/lifecycle/sync-status.ts";
import type { Blobs, Charts, Clock, KubeReader } from "../../shared/ports.ts";
import type { Secret } from "../../shared/resources/core.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { ANNOTATION, LABEL } from "../../shared/resources/labels.ts";
import { fetchIndex } from "./fetch-index.ts";
import type { Fetched, World } from "./world.ts";

/** What the beginning of a sync needs from outside. */
export interface SyncPorts {
  readonly kube: KubeReader<typeof HelmRepo | typeof HelmApplicationVersion | typeof HelmRelease | typeof Secret>;
  readonly blobs: Blobs;
  readonly charts: Charts;
  readonly clock: Clock;
}

type Started = EventOf<typeof RepoSyncStarted>;

interface Attempt {
  /** What the repository was like when its index was fetched. */
  readonly seen: string;
  readonly sync: Sync;
  readonly known: () => Promise<StoredIndex | undefined>;
  readonly fetched: Fetched;
}

/** Somebody who writes to the repository meanwhile has the same event decided again: its index is not fetched again. */
const attempts = new WeakMap<Started, Attempt>();

/** Fetches and reads what the decision needs; a repository that cannot be had is an answer, not an error. */
export async function gather(event: Started, ports: SyncPorts): Promise<World> {
  const repo = await ports.kube.get(HelmRepo, event.data.repo);
  const now = ports.clock.now();
  if (!repo || repo.metadata.deletionTimestamp !== undefined) return { plan: "none" };
  if (isTold(repo, event)) return { plan: "repeat", repo };
  if (isOvertaken(repo, event)) return { plan: "overtaken", repo };
  if (!isWanted(repo, event, now)) return { plan: "none" };
  const { sync, fetched, known } = await attemptOf(event, { repo, now }, ports);
  const standouts = await haveStandouts(repo, ports);
  const opened = fetched.outcome === "read" || standouts ? await known() : undefined;
  return { plan: "sync", repo, sync, known: opened, fetched, standouts, now: ports.clock.now() };
}

/** Whether the status says already what this event's sync came to, at its end or after its fetch. */
function isTold({ status }: HelmRepo, { data }: Started): boolean {
  const { sync, lastSyncEvent } = status ?? {};
  return lastSyncEvent === data.sync || (sync?.id === data.sync && sync.to !== undefined);
}

/** Two pushes may begin a sync each before either is seen in the status; one is first, and the other must not be lost. */
function isOvertaken({ status }: HelmRepo, { data }: Started): boolean {
  return data.force === true && status?.sync !== undefined && status.sync.id !== data.sync;
}

function isWanted(repo: HelmRepo, { data }: Started, now: Date): boolean {
  const running = repo.status?.sync;
  if (running) return running.id === data.sync;
  return data.force === true || syncDue(repo, now) !== undefined;
}

interface Beginning {
  readonly repo: HelmRepo;
  readonly now: Date;
}

async function attemptOf(event: Started, { repo, now }: Beginning, ports: SyncPorts): Promise<Attempt> {
  const seen = `${repo.metadata.generation} ${repo.status?.lastUpdateTime}`;
  const before = attempts.get(event);
  if (before?.seen === seen) return before;
  const { sync: id, reason } = event.data;
  const sync = { ...(repo.status?.sync ?? beginSync(repo, { id, reason }, now)), fetchedTime: now.toISOString() };
  let opened: Promise<StoredIndex | undefined> | undefined;
  const known = () => (opened ??= loadIndex(repo, repo.status?.indexDigest, ports.blobs));
  const fetched = await fetchIndex(repo, { only: event.data, known }, ports);
  const attempt = { seen, sync, known, fetched };
  attempts.set(event, attempt);
  return attempt;
}

/** Whether a person decided about a version in quarantine, or a version that was kept for a release is not needed any more. */
async function haveStandouts({ metadata, status }: HelmRepo, { kube }: SyncPorts): Promise<boolean> {
  const { quarantinedVersions = 0, withdrawnVersions = 0, olderVersions = 0 } = status ?? {};
  if (quarantinedVersions + withdrawnVersions + olderVersions === 0) return false;
  const [versions, releases] = await Promise.all([
    kube.list(HelmApplicationVersion, { labels: { [LABEL.repoId]: metadata.name }, labelSelector: LABEL.indexState }),
    kube.list(HelmRelease, { labels: { [LABEL.repoId]: metadata.name } }),
  ]);
  const used = new Set(releases.map(({ spec }) => spec.appVerId));
  return versions.some(({ metadata: { name, labels, annotations } }) => {
    const quarantined = labels?.[LABEL.indexState] === "quarantined";
    return quarantined ? annotations?.[ANNOTATION.acceptDigest] !== undefined : !used.has(name);
  });
}
