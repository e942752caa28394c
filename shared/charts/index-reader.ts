import { createHash } from "node:crypto";
import { sha256 } from "../digest.ts";
import { IndexError, type IndexLimits, type IndexProblem, parseIndex } from "./index-file.ts";
import { packChart } from "./stored-chart.ts";
import { openStoredIndex, type StoredChart, type StoredIndex, writeStoredIndex } from "./stored-index.ts";

/** What reading an index came to. */
export interface IndexRead {
  readonly apiVersion: string;
  readonly generated?: string;
  /** `sha256:<hex>` of the text as it came. */
  readonly digest: string;
  /** `sha256:<hex>` of all that counts: equal for equal content; `generated` and `created` do not count. */
  readonly contentDigest: string;
  /** Bytes of text. */
  readonly bytes: number;
  /** False where the text looks cut off: Helm and YAML accept such an index and miss the rest of it. */
  readonly complete: boolean;
  readonly totals: { readonly charts: number; readonly versions: number };
  /** Entries that were left out; the first 100 are named. */
  readonly problems: { readonly count: number; readonly first: readonly IndexProblem[] };
  /**
   * The charts whose content is not that of the known index, those that are gone included: what they were and are is
   * `known.entry(chart)` and `index.entry(chart)`.
   */
  readonly changed: readonly string[];
  /** The index that was read, opened from `stored`. */
  readonly index: StoredIndex;
  /** The same as bytes to keep; `openStoredIndex` opens them. */
  readonly stored: Uint8Array;
  readonly mode: IndexReadMode;
}

/** How an index was read: chart by chart, or as one text and why. */
export type IndexReadMode = { readonly kind: "incremental" } | { readonly kind: "full"; readonly reason: string };

/** What is known before an index is read. */
export interface IndexReadOptions {
  /** The index as it was read last: what is the same in it is not parsed again. */
  readonly known?: StoredIndex;
  readonly limits?: IndexLimits;
}

const MAX_NAMED = 100;

/**
 * Reads a Helm repository index as it arrives. A bad entry is left out alone and named; throws `IndexError` where the
 * index as a whole is unusable, and what `chunks` throws.
 */
export async function readIndex(
  chunks: AsyncIterable<Uint8Array>,
  { known, limits = {} }: IndexReadOptions = {},
): Promise<IndexRead> {
  const bytes = Buffer.concat(await Array.fromAsync(chunks));
  const parsed = parseIndex(bytes.toString("utf8"), limits);
  const charts: StoredChart[] = [];
  const packed: Uint8Array[] = [];
  for (const { name, versions } of parsed.entries) {
    const { bytes: piece, content } = packChart(versions);
    charts.push({ name, versions: versions.length, content });
    packed.push(piece);
  }
  const { apiVersion, generated, problems } = parsed;
  const contentDigest = contentDigestOf(charts);
  const stored = writeStoredIndex({ apiVersion, contentDigest, charts, packed });
  const index = openStoredIndex(stored);
  if (!index) throw new IndexError("InvalidIndex", "the index could not be stored");
  return {
    apiVersion,
    ...(generated === undefined ? {} : { generated }),
    digest: sha256(bytes),
    contentDigest,
    bytes: bytes.length,
    complete: generated !== undefined,
    totals: { charts: charts.length, versions: charts.reduce((sum, { versions }) => sum + versions, 0) },
    problems: { count: problems.length, first: problems.slice(0, MAX_NAMED) },
    changed: changedCharts(known?.charts ?? [], charts),
    index,
    stored,
    mode: { kind: "full", reason: "the index is read as one text" },
  };
}

function contentDigestOf(charts: readonly StoredChart[]): string {
  const hash = createHash("sha256");
  const lines = charts.map(({ name, content }) => `${content} ${name}\n`);
  for (const line of lines.sort()) hash.update(line);
  return `sha256:${hash.digest("hex")}`;
}

function changedCharts(before: readonly StoredChart[], after: readonly StoredChart[]): readonly string[] {
  const known = new Map(before.map(({ name, content }) => [name, content]));
  const changed = after.filter(({ name, content }) => known.get(name) !== content).map(({ name }) => name);
  const present = new Set(after.map(({ name }) => name));
  return [...changed, ...before.map(({ name }) => name).filter((name) => !present.has(name))];
}
