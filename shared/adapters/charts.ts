import { Failure } from "../errors.ts";
import type { Charts, RepositoryAccess } from "../ports.ts";
import { type ChartSource, type FetchLimits, httpSource } from "./charts-http.ts";
import type { FetchHead } from "./charts-http-fetch.ts";

/** Limits of each fetch. */
type ChartsOptions = Partial<FetchLimits>;

const LIMITS: FetchLimits = {
  indexMs: 180_000,
  totalMs: 60_000,
  idleMs: 20_000,
  maxIndexBytes: 64 * 1024 * 1024,
  maxPackageBytes: 32 * 1024 * 1024,
};

/** Finds the source for a URL by its scheme; rare ones are loaded at their first use. */
type Sources = Readonly<Record<string, () => Promise<ChartSource>>>;

/**
 * Fetches from Helm repositories, each by the scheme of its URL.
 * Fails with Unavailable (no answer, 5xx, 408, 425, 429, a body that broke off; with `retryAfterMs` where the server
 * says so), TooLarge, or Invalid (other statuses, certificates, schemes, addresses and redirects that are refused).
 */
export function createCharts(fetchHead: FetchHead, options: ChartsOptions = {}): Charts {
  const limits = { ...LIMITS, ...options };
  const http = async () => httpSource(fetchHead, limits);
  const s3 = async () => (await import("./charts-s3.ts")).s3Source(fetchHead, limits);
  // One for all registries: it remembers how they want to be signed in to, and their tokens.
  let registries: Promise<ChartSource> | undefined;
  const oci = () => (registries ??= import("./charts-oci.ts").then(({ ociSource }) => ociSource(fetchHead, limits)));
  const sources: Sources = { "http:": http, "https:": http, "s3:": s3, "oci:": oci };
  return {
    fetchIndex: async (access, known) => (await sourceOf(sources, access.url)).fetchIndex(access, known),
    fetchPackage: async (access, url) => (await packageSource(sources, access, url)).fetchPackage(access, url),
    readArchive: async (bytes) => (await import("./tar.ts")).readArchive(bytes),
  };
}

/** A bucket's own source knows which of its packages' addresses it has to sign. */
function packageSource(sources: Sources, access: RepositoryAccess, url: string): Promise<ChartSource> {
  const fromBucket = URL.parse(access.url)?.protocol === "s3:" && /^https?:/i.test(url);
  return sourceOf(sources, fromBucket ? access.url : url);
}

function sourceOf(sources: Sources, text: string): Promise<ChartSource> {
  const url = URL.parse(text);
  const source = url && sources[url.protocol];
  if (source) return source();
  const scheme = url === null ? "no URL" : `scheme ${url.protocol.slice(0, -1)}`;
  const supported = Object.keys(sources).map((protocol) => `${protocol}//`);
  throw new Failure("Invalid", `cannot fetch from a repository with ${scheme}; ${supported.join(", ")} are supported`);
}
