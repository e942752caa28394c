import type { IncomingMessage } from "node:http";
import packageJson from "../../package.json" with { type: "json" };
import { Failure } from "../errors.ts";
import type { Charts, FetchedIndex, KnownIndex, RepositoryAccess } from "../ports.ts";
import { type Fetch, type FetchHead, nameOf } from "./charts-http-fetch.ts";
import { bodyChunks, readBody } from "./http-body.ts";

/** Repositories of one kind: what `Charts` does for their URLs. */
export type ChartSource = Pick<Charts, "fetchIndex" | "fetchPackage">;

/** Limits of one fetch. */
export interface FetchLimits {
  /** Time for an index, redirects and body included. */
  readonly indexMs: number;
  /** The same for a package. */
  readonly totalMs: number;
  /** Longest silence of a server, and the time in which it has to send a few kilobytes. */
  readonly idleMs: number;
  /** Most bytes of an index after decompression. */
  readonly maxIndexBytes: number;
  readonly maxPackageBytes: number;
}

/** What a repository on HTTP adds to its requests. */
export type Signing = Pick<Fetch, "sign">;

/** Least that a server sends in the time of its longest silence. */
const MIN_BYTES = 8 * 1024;

/** How every request of the store calls itself. */
export const USER_AGENT = `openpitrix/${packageJson.version}`;

/** Repositories on web servers: `index.yaml` below the URL, packages where the index says. */
export function httpSource(fetchHead: FetchHead, limits: FetchLimits): ChartSource {
  return {
    fetchIndex: (access, known = {}) => fetchHttpIndex(fetchHead, { access, known, limits }),
    fetchPackage: (access, url) => fetchHttpPackage(fetchHead, { access, url, limits }),
  };
}

/** Ends a fetch when its time is up, with a reason that says so. */
export function deadline(totalMs: number): AbortSignal {
  const controller = new AbortController();
  const giveUp = () => controller.abort(new Error(`it took longer than ${totalMs} ms, the limit`));
  setTimeout(giveUp, totalMs).unref();
  return controller.signal;
}

interface IndexFetch extends Signing {
  readonly access: RepositoryAccess;
  readonly known: KnownIndex;
  readonly limits: FetchLimits;
}

/** Fetches the index below the access's http or https URL. */
export async function fetchHttpIndex(fetchHead: FetchHead, fetch: IndexFetch): Promise<FetchedIndex> {
  const { access, known, limits, ...signing } = fetch;
  const url = httpUrl(access.url);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/index.yaml`;
  const headers = { "user-agent": USER_AGENT, "accept-encoding": "gzip, deflate", ...conditions(known) };
  const timing = { signal: deadline(limits.indexMs), idleMs: limits.idleMs };
  const response = await fetchHead(access, { url, headers, ...timing, ...signing });
  if (response.statusCode === 304) return unchanged(url, known, response);
  const { etag, "last-modified": lastModified } = response.headers;
  const body = { maxBytes: limits.maxIndexBytes, hint: "ask its owner to divide it into several repositories" };
  return {
    changed: true,
    chunks: bodyChunks(response, { ...body, what: nameOf(url), decompress: true, pace: pace(limits.idleMs) }),
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified }),
  };
}

interface PackageFetch extends Signing {
  readonly access: RepositoryAccess;
  readonly url: string;
  readonly limits: Pick<FetchLimits, "totalMs" | "idleMs" | "maxPackageBytes">;
}

/**
 * Fetches a package from an http or https address.
 * Bytes stay as sent: some servers label every .tgz as gzip-encoded, and the digest is that of the file.
 */
export async function fetchHttpPackage(fetchHead: FetchHead, fetch: PackageFetch): Promise<Uint8Array> {
  const { access, url: text, limits, ...signing } = fetch;
  const url = httpUrl(text);
  const headers = { "user-agent": USER_AGENT, "accept-encoding": "identity" };
  const timing = { signal: deadline(limits.totalMs), idleMs: limits.idleMs };
  const response = await fetchHead(access, { url, headers, ...timing, ...signing });
  const what = nameOf(url);
  if (response.statusCode === 304) throw notAsked(what, response);
  return readBody(response, {
    what,
    maxBytes: limits.maxPackageBytes,
    hint: "ask its owner for a smaller package",
    decompress: false,
    pace: pace(limits.idleMs),
  });
}

/** Reads an http or https address. Fails with `Invalid`. */
export function httpUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new Failure("Invalid", "cannot fetch: the address is no http:// or https:// URL; correct it");
}

/** A server that drips holds up nobody for long. */
function pace(idleMs: number) {
  return { minBytes: MIN_BYTES, perMs: idleMs };
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
