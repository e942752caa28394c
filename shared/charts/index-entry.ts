import { readMetadata } from "./chart-metadata.ts";
import { excerpt } from "./excerpt.ts";
import type { ChartEntry, IndexProblem } from "./index-file.ts";
import { isMapping, scalarText } from "./records.ts";
import { type DatedVersion, datedVersion } from "./stored-chart.ts";
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
  keep(version: DatedVersion, mark: T): void;
  /** Newest first. */
  versions(): readonly (DatedVersion & { readonly mark: T })[];
  readonly problems: readonly IndexProblem[];
}

/** Reads the list of versions under a chart's name; what cannot be used is left out and named, one by one. */
export function readChart(chart: string, list: unknown): ChartReading {
  const collector = collectChart<undefined>(chart);
  for (const item of Array.isArray(list) ? list : []) collector.add(item, undefined);
  const versions = collector.versions().map(datedVersion);
  return { entry: { name: chart, versions }, problems: collector.problems };
}

/** Opens a collector for one chart. */
export function collectChart<T>(chart: string): ChartCollector<T> {
  const problems: IndexProblem[] = [];
  const versions = new Map<string, DatedVersion & { readonly mark: T }>();
  const keep = ({ version, created }: DatedVersion, mark: T) => {
    if (versions.has(version.version)) problems.push(duplicate(chart, version.version));
    else versions.set(version.version, { version, created, mark });
  };
  return {
    problems,
    keep,
    add(item, mark) {
      const read = readVersion(chart, item);
      if ("problem" in read) problems.push(read.problem);
      else keep(read, mark);
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

function readVersion(chart: string, item: unknown): DatedVersion | { problem: IndexProblem } {
  const read = readMetadata(item);
  const fields = isMapping(item) ? item : {};
  if (!read.ok) {
    const reason = read.reason === "InvalidVersion" ? "InvalidVersion" : "InvalidEntry";
    return { problem: problemOf(chart, fields, { reason, message: excerpt(read.message) }) };
  }
  const urls = urlsOf(fields["urls"]);
  if (!urls) return { problem: problemOf(chart, fields, { reason: "MissingUrl", message: "urls names no package" }) };
  const digest = scalarText(fields["digest"]);
  const removed = fields["removed"] === true;
  return {
    version: { ...read.metadata, urls, ...(digest ? { digest } : {}), ...(removed ? { removed } : {}) },
    created: scalarText(fields["created"]),
  };
}

type Cause = Pick<IndexProblem, "reason" | "message">;

function problemOf(chart: string, fields: Record<string, unknown>, { reason, message }: Cause): IndexProblem {
  const version = excerpt(scalarText(fields["version"]));
  const where = `chart ${excerpt(chart)}, version ${version || "without a number"}`;
  return { chart, ...(version ? { version } : {}), reason, message: `${where}: ${message}` };
}

function urlsOf(value: unknown): readonly string[] | undefined {
  const urls = Array.isArray(value) ? value.filter((url): url is string => typeof url === "string" && url !== "") : [];
  return urls.length > 0 ? urls : undefined;
}
