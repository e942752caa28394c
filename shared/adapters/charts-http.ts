import type { IncomingMessage } from "node:http";
import packageJson from "../../package.json" with { type: "json" };
import { Failure } from "../errors.ts";
import type { Charts, FetchedIndex, KnownIndex, RepositoryAccess } from "../ports.ts";
import { fetchHead, httpUrl, nameOf } from "./charts-http-fetch.ts";
import { bodyChunks, readBody } from "./http-body.ts";
import { readArchive } from "./tar.ts";

/** Limits of one fetch. */
export interface ChartsOptions {
  /** Time for one fetch, redirects and body included. */
  readonly totalMs?: number;
  /** Longest silence of a server. */
  readonly idleMs?: number;
  /** Most bytes of an index after decompression. */
  readonly maxIndexBytes?: number;
  readonly maxPackageBytes?: number;
}

type Limits = Required<ChartsOptions>;

const LIMITS: Limits = {
  totalMs: 60_000,
  idleMs: 20_000,
  maxIndexBytes: 64 * 1024 * 1024,
  maxPackageBytes: 32 * 1024 * 1024,
};

const USER_AGENT = `openpitrix/${packageJson.version}`;

/**
 * Fetches from Helm repositories over HTTP.
 * Fails with Unavailable (no answer, 5xx, 408, 425, 429, a body that broke off; with `retryAfterMs` where the server
 * says so), TooLarge, or Invalid (other statuses, certificates, schemes, redirects that are refused).
 */
export function createCharts(options: ChartsOptions = {}): Charts {
  const limits = { ...LIMITS, ...options };
  return {
    fetchIndex: (access, known = {}) => fetchIndex(access, known, limits),
    fetchPackage: (access, url) => fetchPackage(access, url, limits),
    readArchive: (bytes) => readArchive(bytes),
  };
}

async function fetchIndex(access: RepositoryAccess, known: KnownIndex, limits: Limits): Promise<FetchedIndex> {
  const url = httpUrl(access.url);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/index.yaml`;
  const headers = { "user-agent": USER_AGENT, "accept-encoding": "gzip, deflate", ...conditions(known) };
  const response = await fetchHead(access, { url, headers, ...timing(limits) });
  if (response.statusCode === 304) return unchanged(url, known, response);
  const { etag, "last-modified": lastModified } = response.headers;
  return {
    changed: true,
    chunks: bodyChunks(response, { what: nameOf(url), maxBytes: limits.maxIndexBytes, decompress: true }),
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified }),
  };
}

/** Bytes stay as sent: some servers label every .tgz as gzip-encoded, and the digest is that of the file. */
async function fetchPackage(access: RepositoryAccess, text: string, limits: Limits): Promise<Uint8Array> {
  const url = httpUrl(text);
  const headers = { "user-agent": USER_AGENT, "accept-encoding": "identity" };
  const response = await fetchHead(access, { url, headers, ...timing(limits) });
  const what = nameOf(url);
  if (response.statusCode === 304) throw notAsked(what, response);
  return readBody(response, { what, maxBytes: limits.maxPackageBytes, decompress: false });
}

function timing({ totalMs, idleMs }: Limits) {
  return { signal: AbortSignal.timeout(totalMs), idleMs };
}

function conditions({ etag, lastModified }: KnownIndex): Record<string, string> {
  return {
    ...(isHeaderText(etag) ? { "if-none-match": etag } : {}),
    ...(isHeaderText(lastModified) ? { "if-modified-since": lastModified } : {}),
  };
}

/** What was stored from an earlier answer may have been edited since. */
function isHeaderText(text: string | undefined): text is string {
  return text !== undefined && /^[\x20-\x7e]{1,1024}$/.test(text);
}

function unchanged(url: URL, known: KnownIndex, response: IncomingMessage): FetchedIndex {
  if (Object.keys(conditions(known)).length === 0) throw notAsked(nameOf(url), response);
  response.resume();
  return { changed: false };
}

function notAsked(what: string, response: IncomingMessage): Failure {
  response.destroy();
  return new Failure("Unavailable", `${what}: HTTP 304 to a request without conditions`);
}
