import { allProblems, changedCharts, contentDigestOf } from "./index-content.ts";
import { type IndexLimits, refuseLength, refuseSize } from "./index-limits.ts";
import { type IndexReadMode, readWhole } from "./index-whole.ts";
import type { ProblemCount } from "./stored-chart.ts";
import { type StoredIndex, storedIndexOf, writeStoredIndex } from "./stored-index.ts";
import { openTextWindow } from "./text-window.ts";

/** What reading an index came to. */
export interface IndexRead {
  readonly apiVersion: string;
  readonly generated?: string;
  /** `sha256:<hex>` of all that counts: equal for equal content; `generated` and `created` do not count. */
  readonly contentDigest: string;
  /** Bytes of text. */
  readonly bytes: number;
  /** False where the text looks cut off: YAML and Helm accept such an index and miss the rest of it. */
  readonly complete: boolean;
  readonly totals: { readonly charts: number; readonly versions: number };
  /** Entries that were left out; the first 100 are named. */
  readonly problems: ProblemCount;
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

/** What is known before an index is read. */
export interface IndexReadOptions {
  /** The index as it was read last: what is the same in it is not parsed again. */
  readonly known?: StoredIndex;
  readonly limits?: IndexLimits;
}

/** How the text of an index may end that lacks its last line end. */
const LAST_LINE = /(?:^|\n)generated:[^\n]*\n?$|\}\s*$/;

/**
 * Reads a Helm repository index as it arrives, chart by chart: what the known index has from the same text is copied,
 * the rest is parsed and let go again. A bad entry is left out alone and named. From where a text is not of the shape
 * that Helm writes on, it is parsed as one text. Throws `IndexError` where the index as a whole is unusable, and what
 * `chunks` throws.
 */
export async function readIndex(
  chunks: AsyncIterable<Uint8Array>,
  { known, limits = {} }: IndexReadOptions = {},
): Promise<IndexRead> {
  const window = openTextWindow(chunks, (bytes) => refuseLength(bytes, limits));
  const check = (charts: number, versions: number) => refuseSize(charts, versions, limits);
  const { frame, packed, end, mode } = await readWhole(window, { ...(known ? { known } : {}), limits, check });
  const charts = packed.map(({ chart }) => chart);
  const usable = charts.filter(({ versions }) => versions > 0);
  const { endsWithNewline, ...text } = window.summary();
  const parts = { ...frame, contentDigest: contentDigestOf(usable), packed };
  return {
    ...frame,
    ...text,
    contentDigest: parts.contentDigest,
    complete: frame.generated !== undefined && (endsWithNewline || LAST_LINE.test(end)),
    totals: { charts: usable.length, versions: usable.reduce((sum, { versions }) => sum + versions, 0) },
    problems: allProblems(charts),
    changed: changedCharts(known?.charts ?? [], usable),
    index: storedIndexOf(parts),
    stored: writeStoredIndex(parts),
    mode,
  };
}
