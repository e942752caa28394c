import { hash } from "node:crypto";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { ChartVersion, IndexProblem } from "./index-file.ts";

/** A chart as the table of contents of a stored index lists it. */
export interface StoredChart {
  readonly name: string;
  readonly versions: number;
  /** Hex SHA-256 of all that counts: equal for equal versions, however the index writes them. */
  readonly content: string;
  /** Entries that were left out, the first of them named. */
  readonly problems?: ProblemCount;
  /** The text it was read from, where that means the same wherever it stands. */
  readonly text?: ChartText;
  /** Whether the hash of each version's item is stored as well. */
  readonly hashed?: true;
}

/** How many entries were left out, and the first of them. */
export interface ProblemCount {
  readonly count: number;
  readonly first: readonly IndexProblem[];
}

/** A chart's part of the text of an index. */
export interface ChartText {
  readonly bytes: number;
  readonly lines: number;
  readonly hash: string;
}

/** A chart ready to be stored: what the table of contents says, and its bytes. */
export interface PackedChart {
  readonly chart: StoredChart;
  readonly bytes: Uint8Array;
}

/** A version apart from when it was made, which is stored but does not count: tools write it anew at will. */
export interface DatedVersion {
  readonly version: Omit<ChartVersion, "created">;
  /** "" where the index does not say. */
  readonly created: string;
}

/** Bytes of the hash of an item or a chart's text. */
export const HASH_BYTES = 20;

/** Above this, what is stored is no chart of ours. */
const MAX_JSON_BYTES = 256 * 1024 * 1024;
const MAX_NAMED_PROBLEMS = 20;
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** The hash by which a text is known again: the first 20 bytes of its SHA-256, one character each. */
export function textHash(bytes: Uint8Array): string {
  return hash("sha256", bytes, "binary").slice(0, HASH_BYTES);
}

/** What a chart is made of before it is packed. */
export interface ChartParts {
  readonly name: string;
  /** Newest first. */
  readonly versions: readonly DatedVersion[];
  readonly problems: readonly IndexProblem[];
  readonly text?: ChartText;
  /** The hash of each version's item. */
  readonly hashes?: readonly string[];
}

/** Packs a chart; unpacking it gives equal versions in the same order. */
export function packChart({ name, versions, problems, text, hashes }: ChartParts): PackedChart {
  const created = JSON.stringify(versions.map((each) => each.created));
  const rest = Buffer.from(JSON.stringify(versions.map(({ version }) => version)));
  const packed = zstdCompressSync(Buffer.concat([Buffer.from(`${created}\n`), rest]), FAST);
  return {
    chart: {
      name,
      versions: versions.length,
      content: hash("sha256", rest),
      ...(problems.length > 0 ? { problems: countProblems(problems) } : {}),
      ...(text ? { text } : {}),
      ...(hashes ? { hashed: true } : {}),
    },
    bytes: hashes ? Buffer.concat([Buffer.from(hashes.join(""), "latin1"), packed]) : packed,
  };
}

/** The versions that `packChart` put into these bytes. */
export function unpackVersions({ chart, bytes }: PackedChart): readonly DatedVersion[] {
  const packed = bytes.subarray(chart.hashed ? chart.versions * HASH_BYTES : 0);
  const lines = zstdDecompressSync(packed, { maxOutputLength: MAX_JSON_BYTES }).toString("utf8");
  const end = lines.indexOf("\n");
  const created: string[] = JSON.parse(lines.slice(0, end));
  const versions: DatedVersion["version"][] = JSON.parse(lines.slice(end + 1));
  return versions.map((version, at) => ({ version, created: created[at] ?? "" }));
}

/** A version with all its fields. */
export function datedVersion({ version, created }: DatedVersion): ChartVersion {
  return created === "" ? version : { ...version, created };
}

/** The hashes that `packChart` put into these bytes, one for each version where there are any. */
export function unpackHashes({ chart, bytes }: PackedChart): readonly string[] {
  if (!chart.hashed) return [];
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: chart.versions }, (_, at) =>
    all.toString("latin1", at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
}

function countProblems(problems: readonly IndexProblem[]): ProblemCount {
  return { count: problems.length, first: problems.slice(0, MAX_NAMED_PROBLEMS) };
}
