import { readMetadata } from "./chart-metadata.ts";
import { excerpt } from "./excerpt.ts";
import type { ChartEntry, ChartVersion, IndexProblem } from "./index-file.ts";
import { isMapping, scalarText } from "./records.ts";
import { newestFirst } from "./version.ts";

/** What the list under a chart's name came to. */
export interface ChartReading {
  readonly entry: ChartEntry;
  readonly problems: readonly IndexProblem[];
}

/** Takes the versions of a chart in the order of the index, each with a mark to find it by afterwards. */
export interface ChartCollector<T> {
  /** An item as the index has it; one that cannot be used becomes a problem. */
  add(item: unknown, mark: T): void;
  /** A version that was read before. */
  keep(version: ChartVersion, mark: T): void;
  /** Newest first. */
  versions(): readonly { readonly version: ChartVersion; readonly mark: T }[];
  readonly problems: readonly IndexProblem[];
}

/** Reads the list of versions under a chart's name; what cannot be used is left out and named, one by one. */
export function readChart(chart: string, list: unknown): ChartReading {
  const collector = collectChart<undefined>(chart);
  for (const item of Array.isArray(list) ? list : []) collector.add(item, undefined);
  const versions = collector.versions().map(({ version }) => version);
  return { entry: { name: chart, versions }, problems: collector.problems };
}

/** Opens a collector for one chart. */
export function collectChart<T>(chart: string): ChartCollector<T> {
  const problems: IndexProblem[] = [];
  const versions = new Map<string, { version: ChartVersion; mark: T }>();
  const keep = (version: ChartVersion, mark: T) => {
    if (versions.has(version.version)) problems.push(duplicate(chart, version.version));
    else versions.set(version.version, { version, mark });
  };
  return {
    problems,
    keep,
    add(item, mark) {
      const read = readVersion(chart, item);
      if ("problem" in read) problems.push(read.problem);
      else keep(read.version, mark);
    },
    versions() {
      if (versions.size === 0 && problems.length === 0) {
        problems.push({ chart, reason: "NoVersions", message: `chart ${excerpt(chart)} lists no versions` });
      }
      return newestFirst([...versions.values()], ({ version }) => version.version);
    },
  };
}

/**
 * Helm searches its sorted list from the top, where of equal versions the one listed first stays on top; only long lists
 * that are written oldest first come out turned round.
 */
function duplicate(chart: string, version: string): IndexProblem {
  const message = `chart ${excerpt(chart)} lists version ${excerpt(version)} more than once: the first is used, as Helm does`;
  return { chart, version, reason: "DuplicateVersion", message };
}

function readVersion(chart: string, item: unknown): { version: ChartVersion } | { problem: IndexProblem } {
  const fields = isMapping(item) ? item : {};
  const version = excerpt(scalarText(fields["version"]));
  const named = { chart, ...(version ? { version } : {}) };
  const where = `chart ${excerpt(chart)}, version ${version || "without a number"}`;
  const read = readMetadata(item);
  if (!read.ok) {
    const reason = read.reason === "InvalidVersion" ? "InvalidVersion" : "InvalidEntry";
    return { problem: { ...named, reason, message: `${where}: ${excerpt(read.message)}` } };
  }
  const urls = urlsOf(fields["urls"]);
  if (!urls) return { problem: { ...named, reason: "MissingUrl", message: `${where}: urls names no package` } };
  return { version: { ...read.metadata, urls, ...packageFieldsOf(fields) } };
}

function urlsOf(value: unknown): readonly string[] | undefined {
  const urls = Array.isArray(value) ? value.filter((url): url is string => typeof url === "string" && url !== "") : [];
  return urls.length > 0 ? urls : undefined;
}

function packageFieldsOf(fields: Record<string, unknown>): Pick<ChartVersion, "created" | "digest" | "removed"> {
  const created = scalarText(fields["created"]);
  const digest = scalarText(fields["digest"]);
  return {
    ...(created ? { created } : {}),
    ...(digest ? { digest } : {}),
    ...(fields["removed"] === true ? { removed: true } : {}),
  };
}
