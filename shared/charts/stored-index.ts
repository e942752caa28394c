import { crc32, deflateSync, inflateSync } from "node:zlib";
import type { ChartEntry, IndexProblem } from "./index-file.ts";
import { unpackChart } from "./stored-chart.ts";

/** A chart as the table of contents of a stored index lists it. */
export interface StoredChart {
  readonly name: string;
  readonly versions: number;
  /** Hex SHA-256 of all that counts: equal for equal versions, however the index writes them. */
  readonly content: string;
  /** Entries that were left out, the first of them named. */
  readonly problems?: { readonly count: number; readonly first: readonly IndexProblem[] };
}

/** An index as the `indexes` bucket keeps it: each chart is a piece of its own and read only when it is asked for. */
export interface StoredIndex {
  readonly apiVersion: string;
  /** Equal for indexes with equal content. */
  readonly contentDigest: string;
  /** In the order of the index they were read from. */
  readonly charts: readonly StoredChart[];
  /** A chart with all its versions, newest first; unpacked anew by each call. */
  entry(chart: string): ChartEntry | undefined;
}

/** What a stored index is made of: its table of contents and, in the same order, the charts as `packChart` made them. */
export interface StoredParts {
  readonly apiVersion: string;
  readonly contentDigest: string;
  readonly charts: readonly StoredChart[];
  readonly packed: readonly Uint8Array[];
}

interface Contents {
  readonly apiVersion: string;
  readonly contentDigest: string;
  readonly charts: readonly StoredChart[];
  /** Bytes of each packed chart. */
  readonly lengths: readonly number[];
}

/** Names the format and the rules by which entries were read: what another release wrote is read again. */
const MAGIC = Buffer.from("opx-idx1");
const MAX_CONTENTS_BYTES = 64 * 1024 * 1024;

/** Writes a stored index: magic, CRC-32 of the rest, length of the contents, contents, packed charts. */
export function writeStoredIndex({ packed, ...contents }: StoredParts): Uint8Array {
  const lengths = packed.map(({ length }) => length);
  const table = deflateSync(JSON.stringify({ ...contents, lengths }), { level: 1 });
  const size = Buffer.alloc(4);
  size.writeUInt32LE(table.length);
  const rest = Buffer.concat([size, table, ...packed]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(rest));
  return Buffer.concat([MAGIC, sum, rest]);
}

/** Opens what `writeStoredIndex` wrote; `undefined` where the bytes are damaged or of another format. */
export function openStoredIndex(bytes: Uint8Array): StoredIndex | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = MAGIC.length + 8;
  if (buffer.length < start || !buffer.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  if (crc32(buffer.subarray(MAGIC.length + 4)) !== buffer.readUInt32LE(MAGIC.length)) return undefined;
  const tableEnd = start + buffer.readUInt32LE(MAGIC.length + 4);
  const { lengths, ...contents }: Contents = JSON.parse(inflate(buffer.subarray(start, tableEnd)));
  const pieces = new Map<string, Buffer>();
  let at = tableEnd;
  for (const [number, { name }] of contents.charts.entries()) {
    const end = at + (lengths[number] ?? 0);
    pieces.set(name, buffer.subarray(at, end));
    at = end;
  }
  return {
    ...contents,
    entry(name) {
      const piece = pieces.get(name);
      return piece && { name, versions: unpackChart(piece) };
    },
  };
}

function inflate(bytes: Uint8Array): string {
  return inflateSync(bytes, { maxOutputLength: MAX_CONTENTS_BYTES }).toString("utf8");
}

/** Above this, what is stored is no index of ours. */
const MAX_JSON_BYTES = 512 * 1024 * 1024;

/** The entries of an index as the `indexes` bucket keeps them, so that every version of every chart still resolves. */
export function encodeEntries(entries: readonly ChartEntry[]): Uint8Array {
  return deflateSync(JSON.stringify(entries), { level: 1 });
}

/** Reads what `encodeEntries` wrote. */
export function decodeEntries(bytes: Uint8Array): readonly ChartEntry[] {
  return JSON.parse(inflateSync(bytes, { maxOutputLength: MAX_JSON_BYTES }).toString("utf8"));
}
