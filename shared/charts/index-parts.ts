import { readFrameText } from "./index-frame.ts";
import { chartAt, endsAfter, readTail, scanChart, takeHead, UnusualShape } from "./index-scan.ts";
import { type PackedChart, textHash } from "./stored-chart.ts";
import type { StoredIndex } from "./stored-index.ts";
import type { TextWindow } from "./text-window.ts";

/** What was read of an index chart by chart; it grows while the text arrives. */
export interface IndexParts {
  /** The text before `entries:`, once that was found. */
  head?: string;
  /** The text behind the charts, once all were read. */
  tail?: string;
  /** In the order of the index. */
  readonly charts: Map<string, PackedChart>;
  /** What the rest of the text may need of the charts that were read: for nearly all only how many lines they had. */
  readonly texts: string[];
}

/** What reading needs beside the text. */
export interface PartsContext {
  readonly known?: StoredIndex;
  /** Called after each chart; throws where an index is too big. */
  readonly check: (charts: number, versions: number) => void;
}

/** Reads all of an index into `parts`. What was read is taken from the window; throws `UnusualShape` where that ends. */
export async function readParts(window: TextWindow, parts: IndexParts, context: PartsContext): Promise<void> {
  parts.head = await takeHead(window);
  await readFrameText(parts.head);
  let [versions, indent] = [0, 0];
  for (let next = await chartAt(window); next; next = await chartAt(window)) {
    if (parts.charts.has(next.name)) throw new UnusualShape(`chart ${next.name} stands in it twice`);
    if (indent > 0 && indent !== next.indent) throw new UnusualShape("charts are not indented alike");
    indent = next.indent;
    const { packed, text } = await readNext(window, next, context.known?.packed(next.name));
    parts.charts.set(next.name, packed);
    parts.texts.push(text);
    versions += packed.chart.versions;
    context.check(parts.charts.size, versions);
  }
  parts.tail = await readTail(window);
}

interface NextChart {
  readonly name: string;
  readonly indent: number;
}

/** Takes the chart at the start of the window: as it is known, where the text is the same. */
async function readNext(window: TextWindow, { name, indent }: NextChart, known: PackedChart | undefined) {
  const before = known?.chart.text;
  if (known && before && (await endsAfter(window, before.bytes, indent))) {
    if (textHash(window.bytes().subarray(0, before.bytes)) === before.hash) {
      window.take(before.bytes);
      return { packed: known, text: "\n".repeat(before.lines) };
    }
  }
  const block = await scanChart(window, name, indent);
  // What reads charts is not needed, and not loaded, where none is new.
  const { readBlock } = await import("./index-block.ts");
  const { packed, hasAnchors } = await readBlock(block, known);
  const text = hasAnchors ? block.bytes.toString("utf8") : "\n".repeat(block.lines);
  window.take(block.bytes.length);
  return { packed, text };
}
