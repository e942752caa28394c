import { readRealIndex, readRealTable } from "../real/real-data.ts";
import { chartBlocks, withOneMore } from "../support/index-blocks.ts";

/** One big index made of all real ones, and the same with one chart changed. */
export interface JoinedIndex {
  readonly text: string;
  /** With one more version in one chart, and written at another time. */
  readonly changed: string;
  /** The chart that is changed. */
  readonly chart: string;
}

const GENERATED = 'generated: "2026-05-04T12:00:00Z"\n';

/** Joins the real indexes, about 20 MB. */
export function joinRealIndexes(): JoinedIndex {
  const names = readRealTable("name").flatMap((row) => (row["charts"] ? [row["name"] ?? ""] : []));
  // Charts of the same name in several indexes: the last one stays.
  const charts = new Map(names.flatMap((name) => chartBlocks(readRealIndex(name))));
  const sorted = [...charts].sort(([a], [b]) => (a < b ? -1 : 1));
  const [chart, block] = sorted[Math.floor(sorted.length / 2)] ?? ["", ""];
  const text = (blocks: readonly string[], generated: string) =>
    `apiVersion: v1\nentries:\n${blocks.join("")}${generated}`;
  const blocks = sorted.map(([, each]) => each);
  const newer = blocks.map((each) => (each === block ? withOneMore(each) : each));
  return { text: text(blocks, GENERATED), changed: text(newer, GENERATED.replace("04T", "05T")), chart };
}
