import { excerpt } from "../charts/excerpt.ts";
import type { ChartEntry } from "../charts/index-file.ts";
import { type ChartRepository, chartTags, knownManifest, type ListedChart } from "../charts/oci-listing.ts";
import { catalogPlaces, namedPlaces, parentOf, placeItself, pushedPlaces } from "../charts/oci-places.ts";
import { type OciReference, tagOfVersion } from "../charts/oci-reference.ts";
import { mapLimited } from "../concurrency.ts";
import { Failure } from "../errors.ts";
import type { KnownIndex, SkippedTag } from "../ports.ts";
import { type FoundManifest, fetchDigest, fetchManifest, pullScope } from "./charts-oci-manifests.ts";
import { readPages } from "./charts-oci-pages.ts";
import type { Registry } from "./charts-oci-registry.ts";

/** What a registry lists for one chart, and the manifests that were read on the way. */
export interface Listing extends ListedChart {
  readonly manifests: ReadonlyMap<string, FoundManifest>;
  readonly skipped: readonly SkippedTag[];
}

/** Where to list, and what is known. */
export interface ListingInput {
  readonly at: OciReference;
  /** Charts that the repository names. */
  readonly charts: readonly string[];
  readonly known: KnownIndex;
}

/** Requests to one registry at a time; the host's budget is shared with all other fetches. */
export const CONCURRENT_REQUESTS = 6;

const MAX_TAGS = 20_000;
const MAX_CATALOG = 100_000;
/** Newest versions of each chart that are looked at for having been pushed again, and in how many charts so. */
const LOOKED_AT = { each: 3, upTo: 100 };

type Known = KnownIndex["entry"];

interface TaggedRepository extends ChartRepository {
  /** `undefined` where the registry has no such repository. */
  readonly tags: readonly string[] | undefined;
}

/** Lists what a registry has: the charts that are named, the one that the address itself is, or what the catalog shows. */
export async function listCharts(registry: Registry, input: ListingInput): Promise<readonly Listing[]> {
  const { at, charts, known } = input;
  if (charts.length > 0) return listAll(registry, namedPlaces(at, charts), known.entry);
  const itself = placeItself(at);
  const tags = itself && (await tagsOf(registry, itself.repository).catch(undefinedIfRefused));
  if (itself && tags?.length) return [await listTags(registry, { ...itself, tags }, looking(1, known.entry))];
  const { direct, deeper } = catalogPlaces(at, await catalog(registry));
  const left = deeper.map((place) =>
    nothing(place, [skip(place, `lies deeper; add a HelmRepo for ${parentOf(place)}`)]),
  );
  return [...(await listAll(registry, direct, known.entry)), ...left];
}

/** Lists the one chart that was pushed, or what is known of it and the tag that was; `undefined` where it is none of ours. */
export async function listPushed(
  registry: Registry,
  { at, charts, known }: ListingInput,
  { chart, version }: NonNullable<KnownIndex["only"]>,
): Promise<Listing | undefined> {
  const places = pushedPlaces(at, charts, chart);
  const entry = known.entry?.(chart);
  if (version !== undefined) return listTag(registry, { places, entry }, tagOfVersion(version));
  for (const place of places) {
    const tags = await tagsOf(registry, place.repository);
    if (tags?.length) return listTags(registry, { ...place, tags }, looking(1, known.entry));
  }
  const place = knownPlace(places, entry);
  return place && nothing(place, []);
}

interface Pushed {
  readonly places: readonly ChartRepository[];
  readonly entry: ChartEntry | undefined;
}

async function listTag(registry: Registry, { places, entry }: Pushed, tag: string): Promise<Listing | undefined> {
  const others = (entry?.versions ?? []).map(({ version }) => tagOfVersion(version)).filter((each) => each !== tag);
  for (const place of places) {
    const found = await fetchManifest(registry, place.repository, tag);
    if (!found) continue;
    const { versions } = chartTags([...others, tag]);
    return {
      ...nothing(place, []),
      versions,
      looked: new Map([[tag, found.digest]]),
      manifests: new Map([[tag, found]]),
    };
  }
  const place = knownPlace(places, entry);
  return place && { ...nothing(place, []), versions: chartTags(others).versions };
}

/** What is gone is gone from where it was known to be. */
function knownPlace(places: readonly ChartRepository[], entry: ChartEntry | undefined): ChartRepository | undefined {
  return places.find((place) => entry?.versions.some((version) => knownManifest(place, version) !== undefined));
}

function nothing(place: ChartRepository, skipped: readonly SkippedTag[]): Listing {
  return { ...place, versions: [], looked: new Map(), manifests: new Map(), skipped };
}

/** How many of a chart's tags are looked at again. */
interface Looking {
  readonly entry: Known;
  readonly newest: number;
}

function looking(charts: number, entry: Known): Looking {
  return { entry, newest: charts <= LOOKED_AT.upTo ? LOOKED_AT.each : 1 };
}

/** One repository that cannot be listed costs itself alone, unless it is known or there is no other. */
async function listAll(
  registry: Registry,
  repositories: readonly ChartRepository[],
  entry: Known,
): Promise<readonly Listing[]> {
  const how = looking(repositories.length, entry);
  const refusals: Failure[] = [];
  const listings = await mapLimited(repositories, CONCURRENT_REQUESTS, async (place) => {
    try {
      return await listTags(registry, { ...place, tags: await tagsOf(registry, place.repository) }, how);
    } catch (error) {
      if (!isRefusal(error) || entry?.(place.chart) !== undefined) throw error;
      refusals.push(error);
      return nothing(place, [skip(place, error.message)]);
    }
  });
  const [first] = refusals;
  if (first && refusals.length === repositories.length) throw first;
  return listings;
}

/** Looks at the newest tags for their digests; a repository that is not known yet has to hold charts at all. */
async function listTags(registry: Registry, { tags, ...place }: TaggedRepository, how: Looking): Promise<Listing> {
  if (!tags) return nothing(place, [skip(place, "the registry has no such repository; check its name")]);
  const { versions, others } = chartTags(tags);
  const skipped = others.map((tag) => skip(place, "the tag is no strict SemVer version, so Helm does not see it", tag));
  const look = how.entry?.(place.chart) === undefined ? readNewest : digestsOfNewest;
  const seen = await look(registry, place.repository, versions.slice(0, how.newest));
  const found = [...seen.manifests.values()];
  if (found.length > 0 && found.every(({ manifest }) => manifest.kind === "other")) {
    return { ...nothing(place, [...skipped, skip(place, noCharts(found))]), looked: seen.looked };
  }
  return { ...place, versions, ...seen, skipped };
}

type Seen = Pick<Listing, "looked" | "manifests">;

async function readNewest(registry: Registry, repository: string, tags: readonly string[]): Promise<Seen> {
  const manifests = new Map<string, FoundManifest>();
  for (const tag of tags) {
    const found = await fetchManifest(registry, repository, tag).catch(undefinedIfRefused);
    if (found) manifests.set(tag, found);
  }
  return { looked: new Map([...manifests].map(([tag, { digest }]) => [tag, digest])), manifests };
}

async function digestsOfNewest(registry: Registry, repository: string, tags: readonly string[]): Promise<Seen> {
  const looked = new Map<string, string>();
  for (const tag of tags) {
    const digest = await fetchDigest(registry, repository, tag).catch(undefinedIfRefused);
    if (digest !== undefined) looked.set(tag, digest);
  }
  return { looked, manifests: new Map() };
}

function noCharts(found: readonly FoundManifest[]): string {
  const kinds = found.map(({ manifest }) => (manifest.kind === "other" ? excerpt(manifest.mediaType) : ""));
  return `the repository holds no charts but ${[...new Set(kinds)].join(" and ")}`;
}

function tagsOf(registry: Registry, repository: string): Promise<readonly string[] | undefined> {
  const scope = pullScope(repository);
  return readPages(registry, { path: `/v2/${repository}/tags/list`, scope, property: "tags", maxItems: MAX_TAGS });
}

async function catalog(registry: Registry): Promise<readonly string[]> {
  const list = { path: "/v2/_catalog", scope: "registry:catalog:*", property: "repositories" } as const;
  const hint = "name its charts in spec.charts, or give the address of one chart";
  try {
    const found = await readPages(registry, { ...list, maxItems: MAX_CATALOG });
    if (found) return found;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== "Invalid") throw error;
    throw new Failure("Invalid", `${error.message}; if the registry shows nobody its catalog, ${hint}`, {
      cause: error,
    });
  }
  throw new Failure("Invalid", `registry ${registry.url.host} offers no catalog of its repositories; ${hint}`);
}

/** What is wrong with one tag or place is told when it is read; a registry that is down is another matter. */
function undefinedIfRefused(error: unknown): undefined {
  if (!isRefusal(error)) throw error;
}

function isRefusal(error: unknown): error is Failure {
  return error instanceof Failure && error.kind !== "Unavailable";
}

function skip({ chart }: ChartRepository, message: string, tag?: string): SkippedTag {
  return { chart, ...(tag === undefined ? {} : { tag }), message };
}
