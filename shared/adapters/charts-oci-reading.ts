import { excerpt } from "../charts/excerpt.ts";
import type { ChartVersion } from "../charts/index-file.ts";
import { readRegistryVersion } from "../charts/oci-index.ts";
import type { WantedTag } from "../charts/oci-listing.ts";
import { mapLimited } from "../concurrency.ts";
import { Failure } from "../errors.ts";
import type { SkippedTag } from "../ports.ts";
import { CONCURRENT_REQUESTS, type Listing } from "./charts-oci-listing.ts";
import { type FoundManifest, fetchBlob, fetchManifest } from "./charts-oci-manifests.ts";
import type { Registry } from "./charts-oci-registry.ts";

/** How much one fetch reads at most; the rest is pending. */
export interface ReadingLimits {
  readonly maxVersions: number;
  readonly totalMs: number;
}

/** What reading versions came to. */
export interface VersionsRead {
  readonly versions: ReadonlyMap<string, readonly ChartVersion[]>;
  readonly skipped: readonly SkippedTag[];
  readonly pending: number;
  /** Why reading stopped early, where the registry made it. */
  readonly stopped: Failure | undefined;
  /** The first refusal of a single version. */
  readonly refused: Failure | undefined;
}

type Reading = { readonly version: ChartVersion } | { readonly skipped: string } | { readonly pending: true };

const MAX_CONFIG_BYTES = 1024 * 1024;
/** All that is held until the index is written. */
const MAX_READ_BYTES = 64 * 1024 * 1024;
const MAX_MESSAGE = 600;
const PENDING: Reading = { pending: true };

/**
 * Reads manifest and config of the tags, never the package. What is wrong with one is named and costs only that one; a
 * registry that refuses to go on leaves the rest pending, unless it did so before anything was read.
 */
export async function readVersions(
  registry: Registry,
  { wanted, listings }: { readonly wanted: readonly WantedTag[]; readonly listings: readonly Listing[] },
  limits: ReadingLimits,
): Promise<VersionsRead> {
  const manifests = new Map(listings.map((listing) => [listing.repository, listing.manifests]));
  const progress: Progress = {
    until: performance.now() + limits.totalMs,
    bytes: 0,
    stopped: undefined,
    refused: undefined,
  };
  const now = wanted.slice(0, limits.maxVersions);
  const readings = await mapLimited(now, CONCURRENT_REQUESTS, async (tag) =>
    isOver(progress)
      ? PENDING
      : readOne(registry, { tag, found: manifests.get(tag.repository)?.get(tag.tag) }, progress),
  );
  const { stopped, refused } = progress;
  const read = collect(now, readings);
  if (stopped && read.versions.size === 0) throw stopped;
  return { ...read, pending: read.pending + wanted.length - now.length, stopped, refused };
}

interface Progress {
  readonly until: number;
  bytes: number;
  stopped: Failure | undefined;
  refused: Failure | undefined;
}

interface Wanted {
  readonly tag: WantedTag;
  /** The manifest where it was read on the way. */
  readonly found: FoundManifest | undefined;
}

function isOver({ stopped, bytes, until }: Progress): boolean {
  return stopped !== undefined || bytes > MAX_READ_BYTES || performance.now() > until;
}

async function readOne(registry: Registry, wanted: Wanted, progress: Progress): Promise<Reading> {
  try {
    const { reading, size } = await readVersion(registry, wanted);
    progress.bytes += size;
    return reading;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind === "Unavailable") {
      progress.stopped ??= error;
      return PENDING;
    }
    progress.refused ??= error;
    return { skipped: error.message };
  }
}

async function readVersion(registry: Registry, { tag, found: known }: Wanted) {
  const found = known ?? (await fetchManifest(registry, tag.repository, tag.tag));
  if (!found) return { reading: { skipped: "the tag is gone" }, size: 0 };
  const { manifest, digest } = found;
  if (manifest.kind === "invalid") return { reading: { skipped: manifest.message }, size: 0 };
  if (manifest.kind !== "chart") {
    return { reading: { skipped: `it is no chart but ${excerpt(kindOf(manifest))}` }, size: 0 };
  }
  const blob = manifest.config;
  const bytes = await fetchBlob(registry, { repository: tag.repository, blob, maxBytes: MAX_CONFIG_BYTES });
  const read = readRegistryVersion({ tag, digest, manifest, config: bytes });
  return { reading: read.ok ? { version: read.version } : { skipped: read.message }, size: bytes.length };
}

function kindOf(manifest: FoundManifest["manifest"]): string {
  return manifest.kind === "other" ? manifest.mediaType : manifest.kind;
}

function collect(wanted: readonly WantedTag[], readings: readonly Reading[]) {
  const versions = new Map<string, ChartVersion[]>();
  const skipped: SkippedTag[] = [];
  let pending = 0;
  for (const [at, { chart, tag }] of wanted.entries()) {
    const reading = readings[at] ?? PENDING;
    if ("pending" in reading) pending++;
    else if ("skipped" in reading) skipped.push({ chart, tag, message: reading.skipped.slice(0, MAX_MESSAGE) });
    else versions.set(chart, [...(versions.get(chart) ?? []), reading.version]);
  }
  return { versions, skipped, pending };
}
