import { stringifyYaml } from "../adapters/yaml.ts";
import { readMetadata } from "./chart-metadata.ts";
import { excerpt } from "./excerpt.ts";
import type { ChartVersion } from "./index-file.ts";
import { versionUrls, type WantedTag } from "./oci-listing.ts";
import type { ChartManifest } from "./oci-manifest.ts";
import { versionOfTag } from "./oci-reference.ts";
import { parseJsonMapping } from "./records.ts";
import { newestFirst } from "./version.ts";

/** A chart as its part of an index is written; the versions are asked for when it is its turn. */
export interface WrittenChart {
  readonly chart: string;
  versions(): readonly ChartVersion[];
}

/** What a registry says of one version. */
export interface RegistryVersion {
  readonly tag: WantedTag;
  /** Digest of the manifest. */
  readonly digest: string;
  readonly manifest: ChartManifest;
  /** The config blob. */
  readonly config: Uint8Array;
}

/** The entry of a version, or why it is left out. */
export type VersionReading =
  | { readonly ok: true; readonly version: ChartVersion }
  | { readonly ok: false; readonly message: string };

/** Reads the entry of a version from its manifest and config: what an index would say of it. */
export function readRegistryVersion({ tag, digest, manifest, config }: RegistryVersion): VersionReading {
  const read = readMetadata(parseJsonMapping(config));
  if (!read.ok) return { ok: false, message: excerpt(read.message) };
  const { metadata } = read;
  if (metadata.version !== versionOfTag(tag.tag)) {
    return { ok: false, message: `the tag holds version ${excerpt(metadata.version)}` };
  }
  const { created, content } = manifest;
  const urls = versionUrls(tag, digest);
  return { ok: true, version: { ...metadata, urls, ...(created ? { created } : {}), digest: hexOf(content.digest) } };
}

/** The text of an index, chart by chart; the same charts make the same text. A chart without versions is listed as such. */
export function* indexText(charts: Iterable<WrittenChart>): Generator<string, void> {
  let generated = "1970-01-01T00:00:00Z";
  let empty = true;
  yield "apiVersion: v1\n";
  for (const { chart, versions } of charts) {
    const entries = newestFirst(versions(), ({ version }) => version).map(inOrder);
    const text = stringifyYaml({ entries: { [chart]: entries } });
    yield empty ? text : text.slice(text.indexOf("\n") + 1);
    empty = false;
    generated = entries.reduce((latest, { created = "" }) => later(latest, String(created)), generated);
  }
  if (empty) yield "entries: {}\n";
  yield stringifyYaml({ generated });
}

function later(a: string, b: string): string {
  return Date.parse(b) > Date.parse(a) ? b : a;
}

/** Alphabetical keys, as Helm writes them: an entry that was stored in between is written as it was at first. */
function inOrder(version: ChartVersion): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(version).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function hexOf(digest: string): string {
  return digest.slice(digest.indexOf(":") + 1);
}
