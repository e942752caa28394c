import { createGunzip } from "node:zlib";
import { Parser, type ReadEntry } from "tar";
import {
  ARCHIVE_LIMITS,
  type ArchiveEntry,
  type ArchiveLimits,
  type ArchiveListing,
  type ArchiveRefusal,
  listArchive,
  pathInFolder,
  refuseArchive,
} from "../charts/archive-listing.ts";
import type { ArchiveResult } from "../ports.ts";

const KINDS: Readonly<Record<string, ArchiveEntry["kind"]>> = {
  File: "file",
  OldFile: "file",
  ContiguousFile: "file",
  Directory: "folder",
  GNUDumpDir: "folder",
  SymbolicLink: "symbolic link",
  Link: "hard link",
};
const BLOCK_BYTES = 512;
const CHUNK_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 64 * 1024;
const RATIO_FREE_BYTES = 1024 * 1024;

/** Takes inflated bytes and remembers the first thing that is wrong with them. */
interface Sink {
  write(chunk: Buffer): void;
  end(): void;
  refusal(): ArchiveRefusal | undefined;
}

/**
 * Reads a packaged chart (gzip of tar) as data: which files it holds, and the text of the few that say what it is.
 * Nothing is written to disk. Inflates piece by piece and stops at the first limit or rule that is broken, so memory
 * stays bounded whatever the bytes claim. Refusals are values: see `ArchiveReason`.
 */
export async function readArchive(bytes: Uint8Array, limits: Partial<ArchiveLimits> = {}): Promise<ArchiveResult> {
  const bounds = { ...ARCHIVE_LIMITS, ...limits };
  return readInto(listArchive(bounds), bytes, bounds);
}

/** Contents of files by their paths below the chart's folder, or why the archive is refused. */
export type FilesResult = { readonly ok: true; readonly files: ReadonlyMap<string, Uint8Array> } | ArchiveRefusal;

/** Which files are read, and how much of them. */
export interface FilesWanted {
  /** Paths below the chart's folder; default: all. */
  readonly names?: ReadonlySet<string>;
  /** All contents together, inflated. */
  readonly maxBytes: number;
}

/** Reads contents by the rules of `readArchive`: what that refuses, this refuses. Links are empty files, as in Helm. */
export async function readFiles(bytes: Uint8Array, { names, maxBytes }: FilesWanted): Promise<FilesResult> {
  const listing = listArchive(ARCHIVE_LIMITS);
  const files = new Map<string, Uint8Array>();
  let total = 0;
  const collecting: ArchiveListing = {
    admit(entry) {
      const verdict = listing.admit(entry);
      const path = pathInFolder(entry.path);
      if (!verdict.ok || entry.kind === "folder" || names?.has(path) === false) return verdict;
      total += entry.bytes;
      if (total > maxBytes) return refuseArchive("TooLarge", `the files have more than ${maxBytes} bytes: name a few`);
      return { ok: true, keep: (content) => void files.set(path, content) };
    },
    result: listing.result,
  };
  const result = await readInto(collecting, bytes, ARCHIVE_LIMITS);
  return result.ok ? { ok: true, files } : (result as ArchiveRefusal);
}

async function readInto(
  listing: ArchiveListing,
  bytes: Uint8Array,
  bounds: ArchiveLimits,
): Promise<ReturnType<ArchiveListing["result"]>> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    return refuseArchive("NotAGzip", "the bytes are no gzip file: expected a chart packed by `helm package`");
  }
  const sink = openSink(listing);
  const refusal = (await inflateInto(sink, bytes, bounds)) ?? sink.refusal();
  return refusal ?? listing.result();
}

async function inflateInto(sink: Sink, bytes: Uint8Array, limits: ArchiveLimits): Promise<ArchiveRefusal | undefined> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const allowed = Math.min(limits.maxInflatedBytes, Math.max(RATIO_FREE_BYTES, bytes.length * limits.maxRatio));
  let inflated = 0;
  try {
    gunzip.end(bytes);
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      inflated += chunk.length;
      if (inflated > allowed) return bomb(bytes.length, allowed);
      sink.write(chunk);
      if (sink.refusal()) return undefined;
    }
    sink.end();
    return undefined;
  } catch (error) {
    return refuseArchive("CorruptArchive", `the gzip data is damaged or cut off: ${errorText(error)}`);
  } finally {
    gunzip.destroy();
  }
}

function openSink(listing: ArchiveListing): Sink {
  let refusal: ArchiveRefusal | undefined;
  let ended = false;
  let head: Buffer | undefined = Buffer.alloc(0);
  const parser = new Parser({ strict: true, maxMetaEntrySize: MAX_HEADER_BYTES, zstd: false });
  const refuse = (why: ArchiveRefusal) => {
    refusal ??= why;
  };
  parser.on("error", (error: unknown) => refuse(corrupt(errorText(error))));
  parser.on("eof", () => {
    ended = true;
  });
  parser.on("ignoredEntry", (entry: ReadEntry) => refuse(unreadable(entry)));
  parser.on("entry", (entry: ReadEntry) => {
    const verdict = refusal ?? listing.admit(describe(entry));
    if (!verdict.ok) refuse(verdict);
    if (verdict.ok && verdict.keep) collect(entry, verdict.keep);
    else entry.resume();
  });
  return {
    write(chunk) {
      // Behind the end mark the parser would only hoard; the bytes still count against the limits.
      if (ended || refusal) return;
      head &&= Buffer.concat([head, chunk]);
      if (head && head.length < BLOCK_BYTES) return;
      if (head && isPackedAgain(head)) return refuse(corrupt("it is packed twice"));
      parser.write(head ?? chunk);
      head = undefined;
    },
    end() {
      if (head) refuse(corrupt("it has less than one block"));
      else if (!refusal) parser.end();
    },
    refusal: () => refusal,
  };
}

function describe({ path, type, size, linkpath }: ReadEntry): ArchiveEntry {
  return { path, kind: KINDS[type] ?? "other", bytes: size, ...(linkpath ? { target: linkpath } : {}) };
}

function collect(entry: ReadEntry, keep: (bytes: Uint8Array) => void): void {
  const chunks: Buffer[] = [];
  entry.on("data", (chunk: Buffer) => chunks.push(chunk));
  entry.on("end", () => keep(Buffer.concat(chunks)));
}

/** The parser unpacks once more where it sees such bytes, and would do so without our limits. */
function isPackedAgain(head: Buffer): boolean {
  return [0x1f8b, 0x28b5].includes(head.readUInt16BE(0));
}

function unreadable(entry: ReadEntry): ArchiveRefusal {
  return entry.meta
    ? refuseArchive("PathTooLong", `an entry's extended header has ${entry.size} bytes, at most ${MAX_HEADER_BYTES}`)
    : refuseArchive("UnsafeEntry", `the archive holds an entry of the unsupported type ${entry.type}`);
}

function corrupt(cause: string): ArchiveRefusal {
  return refuseArchive("CorruptArchive", `the gzip file holds no readable tar archive: ${cause}`);
}

function bomb(packed: number, allowed: number): ArchiveRefusal {
  return refuseArchive(
    "TooLarge",
    `the archive's ${packed} bytes inflate to more than the ${allowed} that are allowed`,
  );
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
