import { crc32, deflateSync, inflateSync } from "node:zlib";
import type { ChartEntry } from "./index-file.ts";
import { datedVersion, type PackedChart, type StoredChart, unpackVersions } from "./stored-chart.ts";

/** An index as the `indexes` bucket keeps it: each chart is a piece of its own and read only when it is asked for. */
export interface StoredIndex {
  readonly apiVersion: string;
  readonly generated?: string;
  /** `sha256:<hex>`, equal for indexes with equal content. */
  readonly contentDigest: string;
  /** The charts with versions that can be used, in the order of the index. */
  readonly charts: readonly StoredChart[];
  /** A chart with all its versions, newest first; unpacked anew by each call. */
  entry(chart: string): ChartEntry | undefined;
  /** A chart as it is stored, those without usable versions included. */
  packed(chart: string): PackedChart | undefined;
}

/** What a stored index is made of. */
export interface StoredParts {
  readonly apiVersion: string;
  readonly generated?: string;
  readonly contentDigest: string;
  readonly packed: readonly PackedChart[];
}

interface Contents extends Omit<StoredParts, "packed"> {
  readonly charts: readonly StoredChart[];
  /** Bytes of each packed chart. */
  readonly lengths: readonly number[];
}

/** Names the format and the rules by which entries were read: what another release wrote is read again. */
const MAGIC = Buffer.from("opx-idx1");
const SUM_AT = MAGIC.length;
const SIZE_AT = SUM_AT + 4;
const TABLE_AT = SIZE_AT + 4;
const MAX_TABLE_BYTES = 64 * 1024 * 1024;

/** Writes a stored index: magic, CRC-32 of the rest, length of the table of contents, table, packed charts. */
export function writeStoredIndex({ packed, ...head }: StoredParts): Uint8Array {
  const charts = packed.map(({ chart }) => chart);
  const lengths = packed.map(({ bytes }) => bytes.length);
  const contents: Contents = { ...head, charts, lengths };
  const table = deflateSync(JSON.stringify(contents), { level: 1 });
  const start = Buffer.alloc(TABLE_AT);
  MAGIC.copy(start);
  start.writeUInt32LE(table.length, SIZE_AT);
  const stored = Buffer.concat([start, table, ...packed.map(({ bytes }) => bytes)]);
  stored.writeUInt32LE(crc32(stored.subarray(SIZE_AT)), SUM_AT);
  return stored;
}

/** Opens what `writeStoredIndex` wrote; `undefined` where the bytes are damaged or of another format. */
export function openStoredIndex(bytes: Uint8Array): StoredIndex | undefined {
  const stored = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (stored.length < TABLE_AT || !stored.subarray(0, SUM_AT).equals(MAGIC)) return undefined;
  if (crc32(stored.subarray(SIZE_AT)) !== stored.readUInt32LE(SUM_AT)) return undefined;
  const tableEnd = TABLE_AT + stored.readUInt32LE(SIZE_AT);
  const { charts, lengths, ...head } = readTable(stored.subarray(TABLE_AT, tableEnd));
  let at = tableEnd;
  const packed = charts.map((chart, number) => {
    const bytes = stored.subarray(at, at + (lengths[number] ?? 0));
    at += bytes.length;
    return { chart, bytes };
  });
  return storedIndexOf({ ...head, packed });
}

/** A stored index that is at hand already. */
export function storedIndexOf({ packed, ...head }: StoredParts): StoredIndex {
  const byName = new Map(packed.map((each) => [each.chart.name, each]));
  return {
    ...head,
    charts: packed.map(({ chart }) => chart).filter(({ versions }) => versions > 0),
    packed: (name) => byName.get(name),
    entry(name) {
      const found = byName.get(name);
      return found && found.chart.versions > 0
        ? { name, versions: unpackVersions(found).map(datedVersion) }
        : undefined;
    },
  };
}

function readTable(bytes: Uint8Array): Contents {
  return JSON.parse(inflateSync(bytes, { maxOutputLength: MAX_TABLE_BYTES }).toString("utf8"));
}
