import { createHash } from "node:crypto";
import type { ChartEntry, ChartVersion } from "./index-file.ts";
import { formatOciReference, parseOciReference, tagOfVersion, versionOfTag } from "./oci-reference.ts";
import { isStrictSemver, newestFirst } from "./version.ts";

/** A repository of a registry that holds the versions of one chart, a tag each. */
export interface ChartRepository {
  readonly chart: string;
  readonly host: string;
  readonly repository: string;
}

/** The tags of a repository that are chart versions, newest first, and those that are not. */
export interface ChartTags {
  readonly versions: readonly string[];
  readonly others: readonly string[];
}

/** What a registry lists for one chart; digests of the manifests of those tags that were looked at again. */
export interface ListedChart extends ChartRepository {
  readonly versions: readonly string[];
  readonly looked: ReadonlyMap<string, string>;
}

/** A tag that has to be read, because its version is not known or was pushed again. */
export interface WantedTag extends ChartRepository {
  readonly tag: string;
}

/** Cosign and the referrers of registries without a referrers API keep their own under such tags. */
const ATTACHED = /^sha256-[0-9a-f]{64}(?:[.-].*)?$/;

/** Sorts out tags as Helm does: versions are strict SemVer (a leading v may stand) with `_` for `+`. */
export function chartTags(tags: readonly string[]): ChartTags {
  const named = [...new Set(tags)].filter((tag) => !ATTACHED.test(tag));
  const isVersion = (tag: string) => isStrictSemver(versionOfTag(tag));
  return {
    versions: newestFirst(named.filter(isVersion).sort(), versionOfTag),
    others: named.filter((tag) => !isVersion(tag)).sort(),
  };
}

/**
 * Stands for all that a registry lists: equal where nothing was pushed, removed or, as far as it was looked at, pushed
 * again.
 */
export function listingEtag(charts: readonly ListedChart[]): string {
  const hash = createHash("sha256").update("oci listing 1\n");
  for (const { chart, host, repository, versions, looked } of byChart(charts)) {
    const tags = versions.map((tag) => [tag, looked.get(tag) ?? ""]);
    hash.update(`${JSON.stringify([chart, host, repository, tags])}\n`);
  }
  return `oci-sha256:${hash.digest("hex")}`;
}

/** The charts in code point order, as indexes list them. */
export function byChart<T extends { readonly chart: string }>(charts: readonly T[]): readonly T[] {
  return [...charts].sort((a, b) => (a.chart < b.chart ? -1 : Number(a.chart > b.chart)));
}

/** The tags that must be read, the newest of every chart before the second of any. */
export function wantedTags(
  charts: readonly ListedChart[],
  known: (chart: string) => ChartEntry | undefined,
): readonly WantedTag[] {
  const ranked = byChart(charts).flatMap((listed) => {
    const read = readTags(listed, known(listed.chart));
    const { chart, host, repository, versions } = listed;
    return versions.flatMap((tag, rank) => (read.has(tag) ? [] : [{ rank, wanted: { chart, host, repository, tag } }]));
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ wanted }) => wanted);
}

/** The tags whose version is known, from this very place and, where it was looked at again, with this very manifest. */
function readTags(listed: ListedChart, entry: ChartEntry | undefined): ReadonlySet<string> {
  const read = new Set<string>();
  for (const version of entry?.versions ?? []) {
    const tag = tagOfVersion(version.version);
    const digest = knownManifest(listed, version);
    const looked = listed.looked.get(tag);
    if (digest !== undefined && (looked === undefined || looked === digest)) read.add(tag);
  }
  return read;
}

/** The known versions of a chart that the registry still lists and that need not be read again. */
export function keptVersions(listed: ListedChart, entry: ChartEntry | undefined): readonly ChartVersion[] {
  const read = readTags(listed, entry);
  const present = new Set(listed.versions);
  return (entry?.versions ?? []).filter(({ version }) => {
    const tag = tagOfVersion(version);
    return present.has(tag) && read.has(tag);
  });
}

/**
 * The addresses of a version: first by its tag, which may come to name other bytes, then by the manifest that it named
 * when it was read, which keeps naming the same ones.
 */
export function versionUrls({ host, repository, tag }: WantedTag, digest: string): readonly string[] {
  return [formatOciReference({ host, repository, tag }), formatOciReference({ host, repository, digest })];
}

/** Digest of the manifest that a known version was read from, if it was read from this place. */
export function knownManifest({ host, repository }: ChartRepository, version: ChartVersion): string | undefined {
  const [byTag, byDigest] = version.urls;
  const tag = tagOfVersion(version.version);
  if (byTag !== formatOciReference({ host, repository, tag })) return undefined;
  const read = parseOciReference(byDigest ?? "");
  return read.ok && read.reference.host === host && read.reference.repository === repository
    ? read.reference.digest
    : undefined;
}
