import { diffIndex, digestsOf } from "../../shared/charts/index-diff.ts";
import type { ChartEntry } from "../../shared/charts/index-file.ts";
import { RepoChartChanged, RepoVersionQuarantined } from "../../shared/events/repo.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import type { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { quarantineOf } from "./version-objects.ts";
import type { ChartWork } from "./world.ts";

/** Versions that one event names; the index itself has all. */
const MAX_NAMED = 200;

/** Characters that the names of one list may take, so that the event stays well below 48 KiB. */
const MAX_CHARACTERS = 8 * 1024;

/** What the charts of a step have become different in, the same each time it is asked. */
export function chartFacts(repo: HelmRepo, works: readonly ChartWork[]) {
  return works.flatMap((work) => {
    const [change] = diffIndex(digestsOf(present(work.before)), digestsOf(present(work.after)));
    if (!change) return [];
    const { chart, added, withdrawn } = change;
    const redigested = change.redigested.map(({ version }) => version);
    const data = {
      repo: repo.metadata.name,
      chart,
      app: work.appId,
      added: named(added),
      redigested: named(redigested),
      withdrawn: named(withdrawn),
    };
    const subject = subjectOf(HelmApplication, { name: work.appId });
    const fact = RepoChartChanged.of(subject, data, { partitionkey: repo.metadata.name });
    return [fact, ...quarantines(repo, work, new Set(redigested))];
  });
}

/** Only what this sync found: a version that is in quarantine already has been told about. */
function quarantines(repo: HelmRepo, work: ChartWork, redigested: ReadonlySet<string>) {
  const news = redigested.size === 0 ? [] : quarantineOf(repo, work).filter(({ version }) => redigested.has(version));
  return news.map((data) =>
    RepoVersionQuarantined.of(subjectOf(HelmApplicationVersion, data), data, { partitionkey: data.repo }),
  );
}

function present(entry: ChartEntry | undefined): readonly ChartEntry[] {
  return entry ? [entry] : [];
}

function named(versions: readonly string[]): string[] {
  let characters = 0;
  return versions.slice(0, MAX_NAMED).filter(({ length }) => {
    characters += length;
    return characters <= MAX_CHARACTERS;
  });
}
