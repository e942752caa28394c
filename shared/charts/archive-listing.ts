import { posix } from "node:path";
import type { ArchiveFile, ArchiveResult } from "../ports.ts";
import { excerpt, hasHiddenCharacters } from "./excerpt.ts";

/** How much a chart archive may hold; the sizes are Helm's own where Helm has one. */
export interface ArchiveLimits {
  /** All files together, inflated. */
  readonly maxInflatedBytes: number;
  /** One file, inflated. */
  readonly maxFileBytes: number;
  /** A file whose text is read; larger ones are listed only. */
  readonly maxTextBytes: number;
  readonly maxEntries: number;
  readonly maxPathBytes: number;
  /** Inflated bytes per packed byte, once more than 1 MiB came out. */
  readonly maxRatio: number;
}

/** The limits that hold where nobody sets others. */
export const ARCHIVE_LIMITS: ArchiveLimits = {
  maxInflatedBytes: 100 * 1024 * 1024,
  maxFileBytes: 5 * 1024 * 1024,
  maxTextBytes: 2 * 1024 * 1024,
  maxEntries: 10_000,
  maxPathBytes: 1024,
  maxRatio: 200,
};

/** Why an archive is refused. */
export type ArchiveReason =
  | "NotAGzip"
  | "CorruptArchive"
  | "TooLarge"
  | "TooManyFiles"
  | "PathTooLong"
  | "UnsafePath"
  | "AbsolutePath"
  | "UnsafeLink"
  | "UnsafeEntry"
  | "OutsideFolder"
  | "SeveralFolders"
  | "DuplicateChartYaml"
  | "EmptyArchive";

/** A refused archive. */
export interface ArchiveRefusal {
  readonly ok: false;
  readonly reason: ArchiveReason;
  readonly message: string;
}

/** The header of one archive entry. */
export interface ArchiveEntry {
  readonly path: string;
  readonly kind: "file" | "folder" | "symbolic link" | "hard link" | "other";
  readonly bytes: number;
  /** Target of a link. */
  readonly target?: string;
}

/** What to do with an admitted entry's body: `keep` gets its bytes where the text is wanted. */
interface Admission {
  readonly ok: true;
  readonly keep?: (bytes: Uint8Array) => void;
}

/** Collects the entries of one archive in their order. */
export interface ArchiveListing {
  admit(entry: ArchiveEntry): Admission | ArchiveRefusal;
  result(): ArchiveResult;
}

const TEXTS = /^(?:Chart\.yaml|requirements\.yaml|values\.yaml|values\.schema\.json)$/;
const DEFINITIONS = /^(?:charts\/[^/]+\/)*crds\/.*\.(?:ya?ml|json)$/i;
/** Charts of nothing but definitions have a few megabytes of them. */
const MAX_DEFINITIONS_BYTES = 8 * 1024 * 1024;
const README = /^readme(?:\.md|\.txt)?$/i;
const MAX_WARNINGS = 20;
const UTF8 = new TextDecoder();

/** A refusal with its reason, for the listing and for whoever reads the bytes. */
export function refuseArchive(reason: ArchiveReason, message: string): ArchiveRefusal {
  return { ok: false, reason, message };
}

/**
 * Starts the listing of a chart archive by Helm's rules, and stricter where an archive could mislead: one top-level
 * folder, no path or link that leaves it, no device. A link inside the folder is an empty file, as Helm reads it. Of
 * two files with one path the later counts, as Helm has it, but two Chart.yaml are refused.
 */
export function listArchive(limits: ArchiveLimits): ArchiveListing {
  const files = new Map<string, ArchiveFile>();
  const warnings: string[] = [];
  let folder: string | undefined;
  let readme: string | undefined;
  let definitions = 0;
  let entries = 0;
  let total = 0;
  return {
    admit(entry) {
      entries += 1;
      total += entry.bytes;
      const refusal = tooMuch(entry, limits, { entries, total }) ?? unsafe(entry) ?? misplaced(entry, folder);
      if (refusal) return refusal;
      folder ??= topOf(entry.path);
      return entry.kind === "folder" ? { ok: true } : admitFile(entry);
    },
    result() {
      if (folder === undefined || files.size === 0) return refuseArchive("EmptyArchive", "the archive holds no files");
      return { ok: true, folder, files: [...files.values()], warnings };
    },
  };

  function admitFile(entry: ArchiveEntry): Admission | ArchiveRefusal {
    const path = pathInFolder(entry.path);
    const file: ArchiveFile = { path, bytes: entry.bytes };
    const again = files.delete(path);
    if (again && path === "Chart.yaml") {
      return refuseArchive("DuplicateChartYaml", "the archive holds Chart.yaml twice: which one counts is not clear");
    }
    warnings.push(...remarks(entry, path, again).slice(0, MAX_WARNINGS - warnings.length));
    files.set(path, file);
    if (!wanted(path, entry.bytes) || entry.bytes > limits.maxTextBytes) return { ok: true };
    return { ok: true, keep: (content) => void files.set(path, { ...file, text: UTF8.decode(content) }) };
  }

  /** Of several files that could be the readme Helm shows the first. */
  function wanted(path: string, bytes: number): boolean {
    if (DEFINITIONS.test(path)) {
      definitions += bytes;
      return definitions <= MAX_DEFINITIONS_BYTES;
    }
    if (!README.test(path)) return TEXTS.test(path);
    readme ??= path;
    return readme === path;
  }
}

function remarks({ kind }: ArchiveEntry, path: string, again: boolean): string[] {
  const link = kind === "file" ? [] : [`${excerpt(path)} is a ${kind}, which Helm reads as an empty file`];
  return again ? [`${excerpt(path)} stands in the archive more than once: the last one counts`, ...link] : link;
}

function tooMuch(
  { path, bytes }: ArchiveEntry,
  limits: ArchiveLimits,
  { entries, total }: { readonly entries: number; readonly total: number },
): ArchiveRefusal | undefined {
  if (entries > limits.maxEntries) {
    return refuseArchive("TooManyFiles", `the archive holds more than ${limits.maxEntries} entries`);
  }
  if (Buffer.byteLength(path) > limits.maxPathBytes) {
    return refuseArchive(
      "PathTooLong",
      `a path in the archive has more than ${limits.maxPathBytes} bytes: ${excerpt(path)}`,
    );
  }
  if (bytes > limits.maxFileBytes) {
    return refuseArchive("TooLarge", `${excerpt(path)} has ${bytes} bytes, at most ${limits.maxFileBytes} are allowed`);
  }
  if (total > limits.maxInflatedBytes) {
    return refuseArchive("TooLarge", `the archive inflates to more than ${limits.maxInflatedBytes} bytes`);
  }
  return undefined;
}

function unsafe(entry: ArchiveEntry): ArchiveRefusal | undefined {
  const { path, kind, bytes } = entry;
  if (path.startsWith("/") || /^[a-zA-Z]:/.test(path) || /^[a-zA-Z]:\//.test(pathInFolder(path))) {
    return refuseArchive("AbsolutePath", `the archive holds the absolute path ${excerpt(path)}`);
  }
  if (path.split("/").includes("..")) {
    return refuseArchive("UnsafePath", `the archive holds ${excerpt(path)}, which leads out of the chart's folder`);
  }
  if (hasHiddenCharacters(path)) {
    return refuseArchive(
      "UnsafePath",
      `the archive holds ${excerpt(path)}: no backslash or control character may be in a path`,
    );
  }
  if (kind === "other") {
    return refuseArchive("UnsafeEntry", `${excerpt(path)} is a device, pipe or other special file`);
  }
  if (kind.endsWith("link") && bytes > 0) {
    return refuseArchive(
      "UnsafeLink",
      `${excerpt(path)} is a link with content: readers do not agree on what follows it`,
    );
  }
  return leavesFolder(entry)
    ? refuseArchive(
        "UnsafeLink",
        `${excerpt(path)} links to ${excerpt(entry.target ?? "")}, outside the chart's folder`,
      )
    : undefined;
}

function misplaced({ path, kind }: ArchiveEntry, folder: string | undefined): ArchiveRefusal | undefined {
  if (kind !== "folder" && pathInFolder(path) === ".") {
    return refuseArchive("OutsideFolder", `${excerpt(path)} lies beside the chart's folder, not in it`);
  }
  if (folder !== undefined && topOf(path) !== folder) {
    const message = `the archive holds ${excerpt(path)} beside the folder ${excerpt(folder)}: one folder per package`;
    return refuseArchive("SeveralFolders", message);
  }
  return undefined;
}

/** A symbolic link counts from the folder it lies in, a hard link from the archive's root. */
function leavesFolder({ path, kind, target = "" }: ArchiveEntry): boolean {
  if (kind !== "symbolic link" && kind !== "hard link") return false;
  if (target === "" || posix.isAbsolute(target) || hasHiddenCharacters(target) || /^[a-zA-Z]:/.test(target))
    return true;
  const end = posix.normalize(kind === "hard link" ? target : posix.join(posix.dirname(path), target));
  return end !== topOf(path) && !end.startsWith(`${topOf(path)}/`);
}

function topOf(path: string): string {
  return path.split("/", 1)[0] ?? "";
}

/** A path of the archive as it is below the chart's folder. */
export function pathInFolder(path: string): string {
  return posix.normalize(path.split("/").slice(1).join("/"));
}
