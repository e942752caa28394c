import { appId } from "../../shared/charts/ids.ts";
import { diffIndex, digestsOf } from "../../shared/charts/index-diff.ts";
import type { ChartEntry } from "../../shared/charts/index-file.ts";
import { findCondition } from "../../shared/conditions.ts";
import type { Announcement } from "../../shared/event.ts";
import { RepoChartChanged, RepoSynced, RepoSyncFailed } from "../../shared/events/repo.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { readSavedIndex } from "./saved-index.ts";
import type { Problem } from "./world.ts";

/** Versions that one event names; the index itself has all. */
const MAX_NAMED = 200;

/** Characters that the names of one list may take, so that the event stays well below 48 KiB. */
const MAX_CHARACTERS = 8 * 1024;

/** One fact for every chart that is different from the index before. */
export function chartChanges(
  repo: HelmRepo,
  previous: readonly ChartEntry[],
  current: readonly ChartEntry[],
): readonly Announcement<typeof RepoChartChanged.type>[] {
  const { name } = repo.metadata;
  const known = readSavedIndex(repo)?.apps ?? {};
  return diffIndex(digestsOf(previous), digestsOf(current)).map(({ chart, added, redigested, withdrawn }) => {
    const app = Object.hasOwn(known, chart) ? known[chart]?.appId : undefined;
    const data = {
      repo: name,
      chart,
      app: app ?? appId({ repo: name }, chart),
      added: named(added),
      redigested: named(redigested.map(({ version }) => version)),
      withdrawn: named(withdrawn),
    };
    return RepoChartChanged.of(subjectOf(HelmApplication, { name: data.app }), data, { partitionkey: name });
  });
}

/** What the last sync came to, told again from the status that it wrote. */
export function toldAgain(repo: HelmRepo, previous: readonly ChartEntry[], current: readonly ChartEntry[]) {
  if (repo.status?.state !== "failed") return [...chartChanges(repo, previous, current), syncedFact(repo)];
  const ready = findCondition(repo.status.conditions, "Ready");
  return [failedFact(repo, { reason: ready?.reason ?? "FetchFailed", message: ready?.message ?? "" })];
}

/** The fact that a sync ended well, from the status that says so. */
export function syncedFact({ metadata, status }: Pick<HelmRepo, "metadata" | "status">) {
  return RepoSynced.of(subjectOf(HelmRepo, metadata), {
    repo: metadata.name,
    changed: (status?.notModifiedCount ?? 0) === 0,
    charts: status?.totalCharts ?? 0,
    versions: status?.totalChartVersions ?? 0,
    dropped: status?.droppedEntries ?? 0,
  });
}

/** The fact that a sync failed. */
export function failedFact({ metadata }: HelmRepo, { reason, message }: Problem) {
  const data = { repo: metadata.name, reason, message: message.slice(0, 1024) };
  return RepoSyncFailed.of(subjectOf(HelmRepo, metadata), data);
}

function named(versions: readonly string[]): string[] {
  let characters = 0;
  return versions.slice(0, MAX_NAMED).filter(({ length }) => {
    characters += length;
    return characters <= MAX_CHARACTERS;
  });
}
