import { deflateSync, inflateSync } from "node:zlib";
import { appId, versionId } from "./ids.ts";
import type { ChartEntry, ChartVersion } from "./index-file.ts";
import { own } from "./records.ts";

/** A chart version in KubeSphere's saved index. */
export type SavedVersion = ChartVersion & { readonly verId: string };

/** An application in KubeSphere's saved index. */
export interface SavedApp {
  readonly name: string;
  readonly appId: string;
  readonly desc: string;
  readonly status: string;
  readonly icon?: string;
  /** RFC 3339: when the oldest version was made. */
  readonly created: string;
  readonly charts: readonly SavedVersion[];
}

/** What KubeSphere 3.x keeps in a HelmRepo's `status.data`: chart name → application. */
export interface SavedIndex {
  readonly apiVersion: string;
  readonly generated: string;
  readonly apps: Readonly<Record<string, SavedApp>>;
}

/** What a saved index is made of; ids found in `previous` are kept, since running releases point at them. */
export interface SaveIndexInput {
  readonly repo: string;
  /** RFC 3339. */
  readonly generated: string;
  readonly entries: readonly ChartEntry[];
  readonly previous?: SavedIndex;
}

/** Above this, an object with other fields beside the index comes too near to what etcd takes. */
export const MAX_ENCODED_BYTES = 900 * 1024;

const MAX_JSON_BYTES = 256 * 1024 * 1024;
const NO_TIME = "0001-01-01T00:00:00Z";

/** Builds KubeSphere's saved index from a parsed one. */
export function saveIndex({ repo, generated, entries, previous }: SaveIndexInput): SavedIndex {
  const known = previous?.apps ?? {};
  const apps = entries.map((entry) => [entry.name, saveApp(repo, entry, own(known, entry.name))] as const);
  return { apiVersion: "v1", generated, apps: Object.fromEntries(apps) };
}

/** `status.data` for an index: base64url with padding of zlib of JSON; `undefined` where it exceeds 900 KiB. */
export function encodeIndex(index: SavedIndex): string | undefined {
  const packed = deflateSync(JSON.stringify(index));
  if (Math.ceil(packed.length / 3) * 4 > MAX_ENCODED_BYTES) return undefined;
  return packed.toString("base64").replaceAll("+", "-").replaceAll("/", "_");
}

/** Reads `status.data`, however KubeSphere or we wrote it; throws where it is no saved index. */
export function decodeIndex(data: string): SavedIndex {
  try {
    const json = inflateSync(Buffer.from(data, "base64url"), { maxOutputLength: MAX_JSON_BYTES }).toString("utf8");
    return checkShape(JSON.parse(json));
  } catch (error) {
    throw new Error("status.data is no saved index (base64url of zlib of JSON): sync the repository again", {
      cause: error,
    });
  }
}

function saveApp(repo: string, { name, versions }: ChartEntry, known: SavedApp | undefined): SavedApp {
  const id = known?.appId ?? appId({ repo }, name);
  const knownIds = new Map(known?.charts.map(({ version, verId }) => [version, verId]));
  const newest = versions[0];
  return {
    name,
    appId: id,
    desc: known?.desc ?? newest?.description ?? "",
    status: "",
    ...iconOf(known ?? newest),
    created: known?.created ?? oldest(versions),
    charts: versions.map((version) => ({
      ...version,
      verId: knownIds.get(version.version) ?? versionId(id, version.version),
    })),
  };
}

function iconOf(source: { readonly icon?: string } | undefined): { icon?: string } {
  return source?.icon ? { icon: source.icon } : {};
}

function oldest(versions: readonly ChartVersion[]): string {
  const times = versions.flatMap(({ created }) => (created && !Number.isNaN(Date.parse(created)) ? [created] : []));
  return times.reduce((a, b) => (Date.parse(b) < Date.parse(a) ? b : a), times[0] ?? NO_TIME);
}

function checkShape(value: unknown): SavedIndex {
  const index = value as Partial<SavedIndex> | null;
  if (typeof index?.apiVersion !== "string") throw new Error("apiVersion is missing");
  const apps = index.apps ?? {};
  for (const [name, app] of Object.entries(apps)) {
    const charts: unknown = app?.charts ?? [];
    if (typeof app?.appId !== "string" || !Array.isArray(charts)) throw new Error(`apps.${name} is no application`);
    if (!charts.every((chart) => typeof chart?.verId === "string" && typeof chart.version === "string")) {
      throw new Error(`apps.${name}.charts has an entry without verId or version`);
    }
  }
  return { apiVersion: index.apiVersion, generated: index.generated ?? NO_TIME, apps };
}
