import { encodeIndex, type SavedIndex, saveIndex } from "../../shared/charts/kubesphere-index.ts";
import type { StoredIndex } from "../../shared/charts/stored-index.ts";
import type { IndexState } from "../../shared/lifecycle/repository-version.ts";
import { type RepoStatus, type Sync, succeededStatus } from "../../shared/lifecycle/sync-status.ts";
import { readSavedIndex } from "../../shared/lifecycle/version-ids.ts";
import { present } from "../../shared/present.ts";
import type { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import type { WriteWorld } from "./world.ts";

/** More versions than this do not fit into an object in KubeSphere's encoding, whatever they say. */
const MAX_SAVED_VERSIONS = 10_000;

/** What the last step adds: how the versions stand that it looked at itself. */
export interface Finish {
  readonly sync: Sync;
  readonly standing: ReadonlyMap<string, IndexState | undefined>;
}

/** The status once all objects are there. */
export function finishedStatus(world: WriteWorld, { sync, standing }: Finish): RepoStatus {
  const { repo, to, now } = world;
  const { data: _, etag: __, lastModified: ___, ...before } = repo.status ?? {};
  const totals = totalsOf(to);
  const found: Partial<RepoStatus> = {
    ...totals,
    ...counts(world, standing),
    ...present({
      etag: sync.etag,
      lastModified: sync.lastModified,
      indexDigest: sync.to,
      previousIndexDigest: sync.from,
      data: totals.totalChartVersions > MAX_SAVED_VERSIONS ? undefined : encodeIndex(savedIndexOf(repo, to)),
    }),
  };
  return succeededStatus({ ...repo, status: before }, { sync, now, changed: sync.from !== sync.to, found });
}

function totalsOf({ charts }: StoredIndex) {
  return {
    totalCharts: charts.length,
    totalChartVersions: charts.reduce((sum, { versions }) => sum + versions, 0),
  };
}

/** Earlier steps and syncs left labels on what stands out; what this step decided is newer than those. */
function counts({ standouts, works }: WriteWorld, standing: ReadonlyMap<string, IndexState | undefined>) {
  const looked = new Set(works.flatMap(({ versions }) => versions.map(({ metadata }) => metadata.name)));
  const others = standouts.filter(({ metadata }) => !looked.has(metadata.name));
  const states = [...others.map(({ metadata }) => metadata.labels?.[LABEL.indexState]), ...standing.values()];
  const count = (state: IndexState) => states.filter((each) => each === state).length;
  return {
    quarantinedVersions: count("quarantined"),
    withdrawnVersions: count("withdrawn"),
    olderVersions: count("older"),
  };
}

function savedIndexOf(repo: HelmRepo, to: StoredIndex): SavedIndex {
  const previous = readSavedIndex(repo);
  const entries = to.charts.flatMap(({ name }) => to.entry(name) ?? []);
  return saveIndex({ repo: repo.metadata.name, generated: "", entries, ...present({ previous }) });
}
