import { indexText, type WrittenChart } from "../charts/oci-index.ts";
import { byChart, keptVersions, listingEtag, wantedTags } from "../charts/oci-listing.ts";
import { type OciReference, parseOciReference } from "../charts/oci-reference.ts";
import { Failure } from "../errors.ts";
import type { FetchedIndex, KnownIndex, RepositoryAccess, SkippedTag } from "../ports.ts";
import { type ChartSource, deadline, type FetchLimits } from "./charts-http.ts";
import type { FetchHead } from "./charts-http-fetch.ts";
import { type Listing, listCharts, listPushed } from "./charts-oci-listing.ts";
import { fetchBlob, fetchManifest } from "./charts-oci-manifests.ts";
import { type ReadingLimits, readVersions } from "./charts-oci-reading.ts";
import { openRegistry, type Registry } from "./charts-oci-registry.ts";
import { createSignInMemory, type SignInMemory } from "./charts-oci-sign-in.ts";

/** Limits of the index of one registry, which takes many requests. */
export interface OciLimits extends Pick<FetchLimits, "idleMs" | "totalMs" | "maxPackageBytes"> {
  /** Time for listing and reading together. */
  readonly indexMs?: number;
  /** Versions that one fetch reads at most; the rest is pending. */
  readonly maxVersions?: number;
}

interface Source {
  readonly fetchHead: FetchHead;
  readonly limits: OciLimits;
  readonly memory: SignInMemory;
}

/** An index in which nothing is new takes seconds; a first one goes on with the next fetch. */
const INDEX_MS = 120_000;
/** What is left for the requests under way when reading stops. */
const READING_SHARE = 0.6;
const MAX_VERSIONS = 4000;
const MAX_NAMED = 20;

/**
 * Repositories in OCI registries. There is no index: tags are listed, manifest and config of unknown versions are read,
 * and an index is written of them as Helm would write it.
 */
export function ociSource(fetchHead: FetchHead, limits: OciLimits): ChartSource {
  const source = { fetchHead, limits, memory: createSignInMemory() };
  return {
    fetchIndex: (access, known = {}) => fetchOciIndex(source, access, known),
    fetchPackage: (access, url) => fetchOciPackage(source, access, url),
  };
}

async function fetchOciIndex(source: Source, access: RepositoryAccess, known: KnownIndex): Promise<FetchedIndex> {
  const { indexMs = INDEX_MS, maxVersions = MAX_VERSIONS, idleMs } = source.limits;
  const at = placeOf(access.url);
  const signal = deadline(indexMs);
  const registry = openRegistry(access, at.host, { ...source, idleMs, signal });
  const input = { at, charts: access.charts ?? [], known };
  try {
    if (known.only && known.entry) {
      return await pushedIndex(registry, await listPushed(registry, input, known.only), known);
    }
    const listings = await listCharts(registry, input);
    const etag = listingEtag(listings);
    if (etag === known.etag) return { changed: false };
    const limits = { maxVersions, totalMs: indexMs * READING_SHARE };
    const { fresh: _, ...index } = await readIndex(registry, { listings, known }, limits);
    return { changed: true, ...index, ...(index.pending === undefined ? { etag } : {}) };
  } finally {
    registry.close();
  }
}

/**
 * Reads one chart; a chart that has no versions any more stands in the index without any. What is no chart, an image that
 * was pushed beside it, changes nothing.
 */
async function pushedIndex(registry: Registry, listing: Listing | undefined, known: KnownIndex): Promise<FetchedIndex> {
  if (!listing) return { changed: false };
  const entry = known.entry?.(listing.chart);
  const limits = { maxVersions: MAX_VERSIONS, totalMs: INDEX_MS * READING_SHARE };
  const { fresh, ...index } = await readIndex(registry, { listings: [listing], known }, limits);
  if (fresh === 0 && keptVersions(listing, entry).length === (entry?.versions.length ?? 0)) return { changed: false };
  return { changed: true, partial: true, ...index };
}

interface Listed {
  readonly listings: readonly Listing[];
  readonly known: KnownIndex;
}

async function readIndex(registry: Registry, { listings, known }: Listed, limits: ReadingLimits) {
  const entry = (chart: string) => known.entry?.(chart);
  const wanted = wantedTags(listings, entry);
  const { versions, skipped, pending, stopped, refused } = await readVersions(registry, { wanted, listings }, limits);
  // Where nothing can be read at all, that is no empty repository.
  if (refused && versions.size === 0 && !listings.some((each) => keptVersions(each, entry(each.chart)).length > 0)) {
    throw refused;
  }
  const charts = byChart(listings).map((listing): WrittenChart => {
    const { chart } = listing;
    return { chart, versions: () => [...keptVersions(listing, entry(chart)), ...(versions.get(chart) ?? [])] };
  });
  const left = [...listings.flatMap((listing) => listing.skipped), ...skipped];
  return {
    fresh: versions.size,
    chunks: encoded(indexText(charts)),
    ...(pending > 0 ? { pending } : {}),
    ...(stopped?.retryAfterMs === undefined ? {} : { retryAfterMs: stopped.retryAfterMs }),
    ...(left.length > 0 ? { skipped: countOf(left) } : {}),
  };
}

function countOf(skipped: readonly SkippedTag[]) {
  return { count: skipped.length, first: skipped.slice(0, MAX_NAMED) };
}

async function* encoded(texts: Iterable<string>): AsyncGenerator<Uint8Array, void> {
  for (const text of texts) yield Buffer.from(text);
}

async function fetchOciPackage(source: Source, access: RepositoryAccess, url: string): Promise<Uint8Array> {
  const { host, repository, tag, digest } = placeOf(url);
  const reference = digest ?? tag;
  if (repository === "" || reference === undefined) {
    throw new Failure("Invalid", `fetch ${shown(url)}: the address names no tag and no digest; correct the index`);
  }
  const { totalMs, idleMs, maxPackageBytes: maxBytes } = source.limits;
  const registry = openRegistry(access, host, { ...source, idleMs, signal: deadline(totalMs) });
  try {
    const found = await fetchManifest(registry, repository, reference);
    if (!found)
      throw new Failure("Invalid", `fetch ${shown(url)}: the registry has no such version; choose another one`);
    if (found.manifest.kind !== "chart") throw new Failure("Invalid", `fetch ${shown(url)}: it is no Helm chart`);
    return await fetchBlob(registry, { repository, blob: found.manifest.content, maxBytes, totalMs });
  } finally {
    registry.close();
  }
}

function placeOf(url: string): OciReference {
  const read = parseOciReference(url);
  if (read.ok) return read.reference;
  throw new Failure("Invalid", `cannot fetch from ${shown(url)}: ${read.message}`);
}

function shown(url: string): string {
  return url.replace(/\/\/[^/]*@/, "//***@").slice(0, 200);
}
