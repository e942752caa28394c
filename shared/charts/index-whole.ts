import type { ChartVersion, ParsedIndex } from "./index-file.ts";
import { frameOf, type IndexFrame, readFrameText } from "./index-frame.ts";
import type { IndexLimits } from "./index-limits.ts";
import { type IndexParts, type PartsContext, readParts } from "./index-parts.ts";
import { UnusualShape } from "./index-scan.ts";
import { type DatedVersion, type PackedChart, packChart } from "./stored-chart.ts";
import type { TextWindow } from "./text-window.ts";

/** How an index was read: chart by chart, or from some point on as one text, and why. */
export type IndexReadMode = { readonly kind: "incremental" } | { readonly kind: "full"; readonly reason: string };

/** All of an index, however it was read. */
export interface WholeIndex {
  readonly frame: IndexFrame;
  /** In the order of the index. */
  readonly packed: readonly PackedChart[];
  /** The end of the text, at least its last line. */
  readonly end: string;
  readonly mode: IndexReadMode;
}

/** Reads a whole index: chart by chart as far as its shape allows, the rest as one text. */
export async function readWhole(
  window: TextWindow,
  context: PartsContext & { readonly limits: IndexLimits },
): Promise<WholeIndex> {
  const parts: IndexParts = { charts: new Map(), texts: [] };
  try {
    await readParts(window, parts, context);
    const frame = await readFrame(parts);
    return { frame, packed: [...parts.charts.values()], end: parts.tail ?? "", mode: { kind: "incremental" } };
  } catch (error) {
    if (!(error instanceof UnusualShape)) throw error;
    return await readRest(window, parts, { reason: error.message, ...context });
  }
}

/** An index may name its entries twice: then the last of them count, and those that were read do not. */
async function readFrame({ head = "", tail = "", charts, texts }: IndexParts): Promise<IndexFrame> {
  const fields = await readFrameText(head + tail);
  if (!Object.hasOwn(fields, "entries")) return frameOf(fields);
  charts.clear();
  texts.length = 0;
  throw new UnusualShape("it has entries twice");
}

interface RestContext extends PartsContext {
  readonly limits: IndexLimits;
  readonly reason: string;
}

/** What was read chart by chart stays so; only what comes later, or says it anew, is parsed. */
async function readRest(window: TextWindow, parts: IndexParts, context: RestContext): Promise<WholeIndex> {
  while (await window.more());
  const rest = window.bytes().toString("utf8");
  const before = parts.head === undefined ? [] : [parts.head, "entries:\n", ...parts.texts];
  const { parseIndex } = await import("./index-file.ts");
  const index = parseIndex(before.join("") + rest, context.limits);
  const { apiVersion, generated } = index;
  for (const packed of packedCharts(index)) parts.charts.set(packed.chart.name, packed);
  const packed = [...parts.charts.values()];
  context.check(
    packed.length,
    packed.reduce((sum, { chart }) => sum + chart.versions, 0),
  );
  return {
    frame: { apiVersion, ...(generated === undefined ? {} : { generated }) },
    packed,
    end: rest.slice(-1024),
    mode: { kind: "full", reason: context.reason },
  };
}

function dated({ created = "", ...version }: ChartVersion): DatedVersion {
  return { version, created };
}

/** Charts without usable versions too: their problems are to be told. */
function packedCharts({ entries, problems }: ParsedIndex): readonly PackedChart[] {
  const problemsOf = Map.groupBy(problems, ({ chart }) => chart);
  const versionsOf = new Map(entries.map(({ name, versions }) => [name, versions]));
  const names = new Set([...versionsOf.keys(), ...problemsOf.keys()]);
  return [...names].map((name) =>
    packChart({ name, versions: (versionsOf.get(name) ?? []).map(dated), problems: problemsOf.get(name) ?? [] }),
  );
}
