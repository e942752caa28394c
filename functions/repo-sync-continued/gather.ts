import type { SavedIndex } from "../../shared/charts/kubesphere-index.ts";
import type { StoredIndex } from "../../shared/charts/stored-index.ts";
import { nextStep, type WorkItem, workList } from "../../shared/charts/work-list.ts";
import { mapLimited } from "../../shared/concurrency.ts";
import type { EventOf } from "../../shared/event.ts";
import type { RepoSyncContinued } from "../../shared/events/repo.ts";
import { loadIndex } from "../../shared/lifecycle/kept-index.ts";
import { appIdOf, identified, readSavedIndex } from "../../shared/lifecycle/version-ids.ts";
import type { Blobs, Clock, KubeReader } from "../../shared/ports.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import type { ChartWork, World } from "./world.ts";

/** What a step needs from outside. */
export interface StepPorts {
  readonly kube: KubeReader<
    typeof HelmRepo | typeof HelmApplication | typeof HelmApplicationVersion | typeof HelmRelease
  >;
  readonly blobs: Blobs;
  readonly clock: Clock;
}

type Continued = EventOf<typeof RepoSyncContinued>;

/** Applications that are read at once. */
const CONCURRENT_READS = 16;

/** Applications that a step removes because no index lists them, and none did when they were last looked at. */
const MAX_ORPHANS = 100;

/** Reads the indexes that the event names, the charts whose turn it is, and the objects that there are of them. */
export async function gather({ data }: Continued, ports: StepPorts): Promise<World> {
  const repo = await ports.kube.get(HelmRepo, data.repo);
  if (!repo || repo.metadata.deletionTimestamp !== undefined) return { plan: "none" };
  const [from, to] = await Promise.all([
    loadIndex(repo, data.from, ports.blobs),
    loadIndex(repo, data.to, ports.blobs),
  ]);
  const running = repo.status?.sync?.id === data.sync ? repo.status.sync : undefined;
  if (!to) return running ? { plan: "lost", repo, now: ports.clock.now() } : { plan: "none" };
  const list = workList({ ...data, from, to });
  const items = nextStep(list, data.after);
  const step = { items, last: items.at(-1)?.chart === list.at(-1)?.chart };
  const saved = readSavedIndex(repo);
  const charts = items.map((item) => chartOf(item, { repo, from, to, saved }));
  if (running?.after !== data.after)
    return { plan: "repeat", repo, step, works: await withObjects(repo, charts, ports) };
  const orphans = step.last && data.all ? await orphansOf(repo, [from, to], ports) : [];
  const works = await withObjects(repo, [...charts, ...orphans], ports);
  const standouts = step.last ? await standoutsOf(repo, ports) : [];
  const used = await usedVersions(works, ports);
  return { plan: "write", repo, to, step, works, standouts, used, now: ports.clock.now() };
}

/** Versions that are not simply in the index, as far as earlier steps and syncs know. */
function standoutsOf({ metadata }: HelmRepo, { kube }: StepPorts) {
  const labels = { [LABEL.repoId]: metadata.name };
  return kube.list(HelmApplicationVersion, { labels, labelSelector: LABEL.indexState });
}

type Chart = Omit<ChartWork, "app" | "versions">;

interface Indexes {
  readonly repo: HelmRepo;
  readonly from: StoredIndex | undefined;
  readonly to: StoredIndex;
  readonly saved: SavedIndex | undefined;
}

function chartOf({ chart }: WorkItem, { repo, from, to, saved }: Indexes): Chart {
  const [before, after] = [from?.entry(chart), to.entry(chart)];
  const identity = { repo: repo.metadata.name, chart, saved };
  return { chart, before, after, appId: appIdOf(identity), wanted: identified(identity, after?.versions ?? []) };
}

/** Applications of the repository that neither index knows: left over from a state that is lost. */
async function orphansOf(
  repo: HelmRepo,
  indexes: readonly (StoredIndex | undefined)[],
  { kube }: StepPorts,
): Promise<readonly Chart[]> {
  const listed = new Set(indexes.flatMap((index) => index?.charts.map(({ name }) => name) ?? []));
  const apps = await kube.list(HelmApplication, { labels: { [LABEL.repoId]: repo.metadata.name } });
  const orphans = apps.filter(({ spec }) => !listed.has(spec.name)).slice(0, MAX_ORPHANS);
  return orphans.map(({ metadata, spec }) => ({
    chart: spec.name,
    appId: metadata.name,
    before: undefined,
    after: undefined,
    wanted: [],
  }));
}

async function withObjects(
  repo: HelmRepo,
  charts: readonly Chart[],
  { kube }: StepPorts,
): Promise<readonly ChartWork[]> {
  if (charts.length === 0) return [];
  const apps = await mapLimited(charts, CONCURRENT_READS, ({ appId }) => kube.get(HelmApplication, appId));
  const versions = await kube.list(HelmApplicationVersion, {
    labels: { [LABEL.repoId]: repo.metadata.name },
    labelSelector: ofApps(charts),
  });
  const byApp = Map.groupBy(versions, ({ metadata }) => metadata.labels?.[LABEL.appId] ?? "");
  return charts.map((chart, at) => ({ ...chart, app: apps[at], versions: byApp.get(chart.appId) ?? [] }));
}

/** Only where something may have to go is it asked who uses it. */
async function usedVersions(works: readonly ChartWork[], { kube }: StepPorts): Promise<ReadonlySet<string>> {
  const some = works.filter(({ versions }) => versions.length > 0);
  if (some.length === 0) return new Set();
  const releases = await kube.list(HelmRelease, { labelSelector: ofApps(some) });
  return new Set(releases.map(({ spec }) => spec.appVerId ?? ""));
}

function ofApps(charts: readonly Pick<ChartWork, "appId">[]): string {
  return `${LABEL.appId} in (${charts.map(({ appId }) => appId).join(",")})`;
}
