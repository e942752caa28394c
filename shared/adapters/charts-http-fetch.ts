import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { rootCertificates } from "node:tls";
import { sameHost } from "../charts/resolve-url.ts";
import { Failure, messageOf } from "../errors.ts";
import type { RepositoryAccess } from "../ports.ts";
import { guardedLookup, refuseMetadataHost } from "./charts-http-addresses.ts";
import { retryAfterMs } from "./http-body.ts";

/** One request, which may be redirected. */
export interface Fetch {
  readonly url: URL;
  /** Default: GET. */
  readonly method?: "GET" | "HEAD";
  readonly headers: Readonly<Record<string, string>>;
  /** Authorization for the repository's own host; default: the access's user name and password. */
  readonly authorization?: string;
  /** Statuses besides 200 and 304 that the caller judges itself. */
  readonly judged?: readonly number[];
  /** Ends the transfer, body included. */
  readonly signal: AbortSignal;
  /** Longest silence of the server. */
  readonly idleMs: number;
}

const MAX_REDIRECTS = 5;

/** Certificate errors of OpenSSL: waiting does not help, a CA or another URL does. */
const CERTIFICATE_CODE = /CERT|SELF_SIGNED|UNABLE_TO|ERR_OSSL/;

/**
 * The head of the final answer, with status 200, 304 or one that the caller judges.
 * Credentials and client certificates go to the repository's own scheme, host and port only, whatever redirects say.
 */
export async function fetchHead(access: RepositoryAccess, fetch: Fetch): Promise<IncomingMessage> {
  let url = fetch.url;
  for (let redirects = 0; ; redirects++) {
    const response = await head(access, { ...fetch, url });
    const target = redirectOf(url, response);
    if (target === undefined)
      return fetch.judged?.includes(response.statusCode ?? 0) ? response : accepted(url, response);
    response.destroy();
    if (redirects === MAX_REDIRECTS) {
      throw new Failure(
        "Invalid",
        `${nameOf(fetch.url)}: more than ${MAX_REDIRECTS} redirects, the last to ${target.host}`,
      );
    }
    url = target;
  }
}

/** How errors name a request: without user names, passwords and query parameters. */
export function nameOf(url: URL): string {
  return `fetch ${url.protocol}//${url.host}${url.pathname.slice(0, 200)}`;
}

/** Reads an http or https address. Fails with `Invalid`, naming what is supported. */
export function httpUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  const scheme = url === null ? "no URL" : `scheme ${url.protocol.slice(0, -1)}`;
  throw new Failure("Invalid", `cannot fetch from a repository with ${scheme}; http:// and https:// are supported`);
}

function head(access: RepositoryAccess, fetch: Fetch): Promise<IncomingMessage> {
  const { url, method = "GET", headers, signal, idleMs } = fetch;
  const what = nameOf(url);
  const own = sameHost(access.url, url.href);
  return new Promise<IncomingMessage>((resolve, reject) => {
    refuseMetadataHost(what, url.hostname);
    const send: typeof httpsRequest = url.protocol === "https:" ? httpsRequest : httpRequest;
    const options: RequestOptions = {
      method,
      agent: false,
      signal,
      timeout: idleMs,
      lookup: guardedLookup(what),
      headers: { ...headers, ...(own ? authorization(access, fetch) : {}) },
      ...tlsOptions(access, own),
    };
    const request = send(withoutUser(url), options, resolve);
    request.on("timeout", () => request.destroy(new Error(`the server was silent for ${idleMs} ms`)));
    request.on("error", reject);
    request.end();
  }).catch((error: unknown) => {
    throw networkFailure(what, signal.aborted ? signal.reason : error);
  });
}

function authorization(access: RepositoryAccess, { authorization }: Fetch): Record<string, string> {
  return authorization === undefined ? basicAuth(access) : { authorization };
}

function basicAuth(access: RepositoryAccess): Record<string, string> {
  const { username: urlUser, password: urlPassword } = new URL(access.url);
  const username = access.username ?? decodeURIComponent(urlUser);
  const password = access.password ?? decodeURIComponent(urlPassword);
  if (username === "" || password === "") return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}

function tlsOptions(access: RepositoryAccess, own: boolean): RequestOptions {
  const { ca, cert, key, insecureSkipTLSVerify } = access;
  return {
    rejectUnauthorized: insecureSkipTLSVerify !== true,
    // A repository's own CA replaces the public ones for its host and joins them for hosts it redirects to.
    ...(ca === undefined ? {} : { ca: own ? [ca] : [...rootCertificates, ca] }),
    ...(own && cert !== undefined && key !== undefined ? { cert, key } : {}),
  };
}

function withoutUser(url: URL): URL {
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  return bare;
}

function redirectOf(url: URL, response: IncomingMessage): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(response.statusCode ?? 0)) return undefined;
  const target = URL.parse(response.headers.location ?? "", url.href);
  const what = nameOf(url);
  if (!response.headers.location || !target) {
    throw new Failure("Invalid", `${what}: HTTP ${response.statusCode} without a readable Location`);
  }
  if (target.protocol !== "https:" && (url.protocol === "https:" || target.protocol !== "http:")) {
    throw new Failure("Invalid", `${what}: redirects from ${url.protocol}// to ${target.protocol}//, which is refused`);
  }
  return target;
}

function accepted(url: URL, response: IncomingMessage): IncomingMessage {
  const status = response.statusCode ?? 0;
  if (status === 200 || status === 304) return response;
  response.destroy();
  const wait = retryAfterMs(response.headers["retry-after"]);
  const later = status >= 500 || [408, 425, 429].includes(status);
  throw new Failure(
    later ? "Unavailable" : "Invalid",
    `${nameOf(url)}: HTTP ${status}${hintFor(status)}`,
    later && wait !== undefined ? { retryAfterMs: wait } : {},
  );
}

function hintFor(status: number): string {
  if (status === 401 || status === 403) return "; check the repository's credentials";
  return status === 404 ? "; check the repository's URL" : "";
}

function networkFailure(what: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (CERTIFICATE_CODE.test(code)) {
    const hint = "give the repository's CA, or correct its URL or client certificate";
    return new Failure("Invalid", `${what}: TLS: ${messageOf(cause)} (${code}); ${hint}`, { cause: error });
  }
  return new Failure("Unavailable", `${what}: ${messageOf(cause)}`, { cause: error });
}
