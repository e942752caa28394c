import { isAscii } from "node:buffer";
import { messageOf } from "../errors.ts";
import { type ChartCollector, collectChart } from "./index-entry.ts";
import { type ItemReader, openItemReader } from "./index-item.ts";
import { type ChartBlock, UnusualShape } from "./index-scan.ts";
import {
  type DatedVersion,
  HASH_BYTES,
  type PackedChart,
  packChart,
  textHash,
  unpackHashes,
  unpackVersions,
} from "./stored-chart.ts";

/** What tells whether an item was read before: the hash of all of it but the value of `created`, and that value. */
interface Fingerprint {
  readonly hash: string;
  readonly created?: string;
}

/** A chart that was read, and whether other charts may lean on its text because it names parts of itself. */
export interface ReadBlock {
  readonly packed: PackedChart;
  readonly hasAnchors: boolean;
}

const NEWLINE = 0x0a;
const SPACE = 0x20;
/** Stands for an item that has to be read again whenever its chart changes. */
const NO_HASH = "\0".repeat(HASH_BYTES);
/** An anchor has a name. Texts with such signs in them count as well, which costs only time. */
const ANCHOR = /&[^ \t\r\n]/;
/** Values that one item may stand for; in a whole index there may be more. */
const MAX_ITEM_VALUES = 20_000;

/**
 * Reads a chart. Versions whose item is in the known chart already are taken from there. Items are hashed from a chart's
 * first change on: most charts never change, and hashing all takes a tenth of a first sync.
 */
export async function readBlock(block: ChartBlock, known?: PackedChart): Promise<ReadBlock> {
  const collector = collectChart<string>(block.name);
  const reading = { block, collector, known: known && versionsByHash(known), readItem: openItemReader() };
  let hasAnchors = false;
  for (const bytes of itemsOf(block)) {
    if (readPlain(reading, bytes)) continue;
    const text = textOf(bytes);
    hasAnchors ||= ANCHOR.test(text);
    collector.add(await readUnusual(block.name, text), NO_HASH);
  }
  const versions = collector.versions();
  const text = { bytes: block.bytes.length, lines: block.lines, hash: textHash(block.bytes) };
  const packed = packChart({
    name: block.name,
    versions,
    problems: collector.problems,
    ...(hasAnchors ? {} : { text, ...(known ? { hashes: versions.map(({ mark }) => mark) } : {}) }),
  });
  return { packed, hasAnchors };
}

interface Reading {
  readonly block: ChartBlock;
  readonly collector: ChartCollector<string>;
  /** By the hash of their items; nothing is hashed without it. */
  readonly known: ReadonlyMap<string, DatedVersion> | undefined;
  readonly readItem: ItemReader;
}

/** Takes an item that is known or of the plain shape. */
function readPlain({ block, collector, known, readItem }: Reading, bytes: Buffer): boolean {
  const { hash, created } = known ? fingerprint(bytes, block.itemIndent) : { hash: NO_HASH };
  const version = known?.get(hash);
  const item = version ? undefined : readItem(textOf(bytes), block.itemIndent);
  if (version) collector.keep(created === undefined ? version : { ...version, created }, hash);
  else if (item) collector.add(item, hash);
  return version !== undefined || item !== undefined;
}

function itemsOf({ bytes, items }: ChartBlock): readonly Buffer[] {
  return items.map((start, at) => bytes.subarray(start, items[at + 1]));
}

function versionsByHash(known: PackedChart): ReadonlyMap<string, DatedVersion> {
  if (!known.chart.hashed) return new Map();
  const versions = unpackVersions(known);
  const pairs = unpackHashes(known).flatMap((hash, at): [string, DatedVersion][] => {
    const version = versions[at];
    return version && hash !== NO_HASH ? [[hash, version]] : [];
  });
  return new Map(pairs);
}

/** Most texts are ASCII, which is much faster to decode. */
function textOf(bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString("latin1") : bytes.toString("utf8");
}

/** An item of another shape than Helm writes, read by the library: it must be one item, and be complete in itself. */
async function readUnusual(chart: string, text: string): Promise<unknown> {
  const { parseYaml } = await import("../adapters/yaml.ts");
  try {
    const list = parseYaml(text, { maxValues: MAX_ITEM_VALUES });
    if (Array.isArray(list) && list.length === 1) return list[0];
  } catch (error) {
    throw new UnusualShape(`a version of chart ${chart} cannot be read alone: ${messageOf(error)}`, { cause: error });
  }
  throw new UnusualShape(`a version of chart ${chart} is not complete in itself`);
}

const TIME = /^"(\d[\dT:.Z+ -]+)"$|^'(\d[\dT:.Z+ -]+)'$|^(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d))$/;
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** Some tools stamp all versions anew whenever they write an index: when a version was made counts for nothing. */
function fingerprint(bytes: Buffer, indent: number): Fingerprint {
  const key = `\n${" ".repeat(indent + 2)}created: `;
  const start = bytes.indexOf(key);
  if (start < 0) return { hash: textHash(bytes) };
  const from = start + key.length;
  const end = bytes.indexOf(NEWLINE, from);
  const [, double, single, plain] = TIME.exec(bytes.toString("latin1", from, end)) ?? [];
  const created = double ?? single ?? plain;
  const goesOn = bytes[end + indent + 3] === SPACE;
  if (created === undefined || goesOn || bytes.length > scratch.length) return { hash: NO_HASH };
  bytes.copy(scratch, 0, 0, from);
  bytes.copy(scratch, from, end);
  return { hash: textHash(scratch.subarray(0, from + bytes.length - end)), created };
}
