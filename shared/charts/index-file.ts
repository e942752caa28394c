import { parseYaml, YamlError } from "../adapters/yaml.ts";
import type { ChartMetadata } from "./chart-metadata.ts";
import { readChart } from "./index-entry.ts";
import { frameOf } from "./index-frame.ts";
import { IndexError, type IndexLimits, refuseLength, refuseSize } from "./index-limits.ts";
import { isMapping } from "./records.ts";

/** One version of a chart as an index lists it. */
export interface ChartVersion extends ChartMetadata {
  /** Where the package lies, absolute or relative to the repository. */
  readonly urls: readonly string[];
  /** RFC 3339, as written. */
  readonly created?: string;
  /** Hex SHA-256 of the package, as written; many peers never compare it. */
  readonly digest?: string;
  readonly removed?: boolean;
}

/** A chart with its usable versions, newest first. */
export interface ChartEntry {
  readonly name: string;
  readonly versions: readonly ChartVersion[];
}

/** Why an entry of an index was left out. */
type IndexProblemReason = "InvalidEntry" | "InvalidVersion" | "MissingUrl" | "DuplicateVersion" | "NoVersions";

/** One entry that was left out of an index, named as well as it can be. */
export interface IndexProblem {
  readonly chart: string;
  readonly version?: string;
  readonly reason: IndexProblemReason;
  readonly message: string;
}

/** A whole index: what can be used, and what cannot. */
export interface ParsedIndex {
  readonly apiVersion: string;
  readonly generated?: string;
  readonly entries: readonly ChartEntry[];
  readonly problems: readonly IndexProblem[];
}

const MAX_VALUES = 20_000_000;

/**
 * Reads a Helm repository index. A bad entry is left out alone and named in `problems`; throws `IndexError` where the
 * index as a whole is unusable. The rules are those of Helm's own loading, except that one bad field or an unknown
 * one does not cost the whole index.
 */
export function parseIndex(text: string, limits: IndexLimits = {}): ParsedIndex {
  if (text === "") throw new IndexError("EmptyIndex", "empty index.yaml file");
  const index = parseText(text, limits);
  const charts = chartsOf(index, limits);
  const read = charts.map(([name, versions]) => readChart(name, versions));
  return {
    // Helm checks the API version last, so that the entries' faults are known first.
    ...frameOf(index),
    entries: read.map(({ entry }) => entry).filter((entry) => entry.versions.length > 0),
    problems: read.flatMap(({ problems }) => problems),
  };
}

function parseText(text: string, limits: IndexLimits): Record<string, unknown> {
  refuseLength(text.length, limits);
  const index = parseJson(text) ?? parseYamlText(text) ?? {};
  if (!isMapping(index)) throw new IndexError("InvalidIndex", "the index is no mapping with apiVersion and entries");
  return index;
}

function parseJson(text: string): unknown {
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Flow-style YAML starts like JSON; the YAML reader has the better message for both.
    return undefined;
  }
}

function parseYamlText(text: string): unknown {
  try {
    return parseYaml(text, { maxLength: text.length, maxValues: MAX_VALUES });
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new IndexError("InvalidYaml", `the index is not valid YAML: ${error.message}`, { cause: error });
  }
}

function chartsOf(index: Record<string, unknown>, limits: IndexLimits): [string, unknown][] {
  const listed = index["entries"] ?? {};
  if (!isMapping(listed)) throw new IndexError("InvalidIndex", "entries is no mapping from chart names to versions");
  const charts = Object.entries(listed);
  const versions = charts.reduce((sum, [, list]) => sum + (Array.isArray(list) ? list.length : 0), 0);
  refuseSize(charts.length, versions, limits);
  return charts;
}
