import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { sameHost } from "../charts/resolve-url.ts";
import { Failure, messageOf } from "../errors.ts";
import type { RepositoryAccess } from "../ports.ts";
import { addressGuard, isThisMachine } from "./charts-http-addresses.ts";
import { createHostBudgets, type HostBudgets } from "./charts-http-budget.ts";
import { signIn, tlsOptions } from "./charts-http-credentials.ts";
import { retryAfterMs } from "./http-body.ts";

/** One request, which may be redirected. */
export interface Fetch {
  readonly url: URL;
  /** Default: GET. */
  readonly method?: "GET" | "HEAD";
  readonly headers: Readonly<Record<string, string>>;
  /** Authorization for the repository's own host; default: the access's token, or user name and password. */
  readonly authorization?: string;
  /** Where `authorization` goes instead: to scheme, host and port of this address alone. */
  readonly authorizedAt?: URL;
  /** Headers for the repository's own host that depend on the address; takes the place of every authorization. */
  readonly sign?: (url: URL) => Promise<Readonly<Record<string, string>>>;
  /** Statuses besides 200 and 304 that the caller judges itself. */
  readonly judged?: readonly number[];
  /** Keeps connections for the next request with the same access; filled by protocol, destroyed by the caller. */
  readonly agents?: Map<string, HttpAgent>;
  /** Ends the transfer, body included. */
  readonly signal: AbortSignal;
  /** Longest silence of the server. */
  readonly idleMs: number;
}

/**
 * The head of the final answer, with status 200, 304 or one that the caller judges; its body must be read or destroyed.
 * Credentials and client certificates go to the repository's own scheme, host and port only, whatever redirects say.
 */
export type FetchHead = (access: RepositoryAccess, fetch: Fetch) => Promise<IncomingMessage>;

/** How requests leave the process. */
export interface NetworkOptions {
  /** Most requests that one host gets at once. */
  readonly maxPerHost?: number;
  /** Proxies, as these environment variables name them; to this machine itself none is used. */
  readonly proxy?: { readonly HTTP_PROXY?: string; readonly HTTPS_PROXY?: string; readonly NO_PROXY?: string };
}

interface Network {
  readonly budgets: HostBudgets;
  readonly proxy: NetworkOptions["proxy"];
}

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
const MAX_PER_HOST = 6;

/** Certificate errors of OpenSSL: waiting does not help, a CA or another URL does. */
const CERTIFICATE_CODE = /CERT|SELF_SIGNED|UNABLE_TO|ERR_OSSL/;

/** One for a process: all that it fetches shares the budget of each host. */
export function createFetchHead({ maxPerHost = MAX_PER_HOST, proxy }: NetworkOptions = {}): FetchHead {
  const network = { budgets: createHostBudgets(maxPerHost), proxy };
  return (access, fetch) => followed(network, access, fetch);
}

async function followed(network: Network, access: RepositoryAccess, fetch: Fetch): Promise<IncomingMessage> {
  let url = fetch.url;
  for (let redirects = 0; ; redirects++) {
    const hop = { ...fetch, url };
    const response = await inTurn(network, access, hop).catch((error) => {
      throw redirects === 0 ? error : redirected(fetch.url, error);
    });
    if (!REDIRECTS.includes(response.statusCode ?? 0)) return accepted(response, hop);
    response.destroy();
    const target = targetOf(url, response);
    if (redirects === MAX_REDIRECTS) {
      throw new Failure(
        "Invalid",
        `${nameOf(fetch.url)}: more than ${MAX_REDIRECTS} redirects, the last to ${target.host}; use the address they end at`,
      );
    }
    url = target;
  }
}

/** What went wrong behind a redirect, told so that the repository is found by it. */
function redirected(url: URL, error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  const { kind, message, retryAfterMs } = error;
  const options = { cause: error, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  return new Failure(kind, `${nameOf(url)} is redirected: ${message}`, options);
}

/** How errors name a request: without user names, passwords and query parameters. */
export function nameOf(url: URL): string {
  return `fetch ${url.protocol}//${url.host}${url.pathname.slice(0, 200)}`;
}

/** Holds one of the host's places until the body has been read or dropped. */
async function inTurn(network: Network, access: RepositoryAccess, fetch: Fetch): Promise<IncomingMessage> {
  const { url, signal } = fetch;
  const free = await network.budgets.enter(url.host, { what: nameOf(url), signal });
  try {
    const response = await head(network, access, fetch).catch((error: unknown) => {
      if (!(error instanceof StaleConnection) || signal.aborted) throw error;
      const { agents: _, ...alone } = fetch;
      return head(network, access, alone);
    });
    network.budgets.note(url.host, response);
    // A broken body may have closed it before its head was handed over.
    if (response.closed) free();
    return response.once("close", free);
  } catch (error) {
    free();
    throw networkFailure(fetch, error);
  }
}

async function head(network: Network, access: RepositoryAccess, fetch: Fetch): Promise<IncomingMessage> {
  const { url, method = "GET", headers, signal, idleMs } = fetch;
  const own = sameHost(access.url, url.href);
  const guard = addressGuard(access, url);
  guard.refuseHost();
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const options: RequestOptions = {
    method,
    agent: agentFor(network, fetch),
    signal,
    timeout: idleMs,
    lookup: guard.lookup,
    headers: { ...headers, ...(await authorization(access, fetch)) },
    ...tlsOptions(access, own),
  };
  return new Promise<IncomingMessage>((resolve, reject) => {
    const request = send(withoutUser(url), options);
    request.on("timeout", () => request.destroy(new Error(`the server was silent for ${idleMs} ms, the limit`)));
    request.on("response", (response) => {
      // What goes wrong from here on, as bytes beyond Content-Length, is the body's.
      request.on("error", (error) => response.destroy(bodyError(error)));
      resolve(response);
    });
    request.on("error", (error) => reject(request.reusedSocket ? new StaleConnection(error.message) : error));
    request.end();
  });
}

function bodyError(error: NodeJS.ErrnoException): Error {
  if (!error.code?.startsWith("HPE_")) return error;
  return new Error("the server sent bytes beyond the length that it announced", { cause: error });
}

/** The server closed a kept connection while the next request was on its way. */
class StaleConnection extends Error {}

function agentFor({ proxy }: Network, { url, agents }: Fetch): HttpAgent {
  const kept = agents?.get(url.protocol);
  if (kept) return kept;
  const Agent = url.protocol === "https:" ? HttpsAgent : HttpAgent;
  const proxyEnv = proxy && !isThisMachine(url) ? { proxyEnv: { ...proxy } } : {};
  const agent = new Agent({ keepAlive: agents !== undefined, ...proxyEnv });
  agents?.set(url.protocol, agent);
  return agent;
}

async function authorization(access: RepositoryAccess, { url, authorization, authorizedAt, sign }: Fetch) {
  if (!sameHost(authorizedAt?.href ?? access.url, url.href)) return {};
  if (sign) return sign(url);
  return authorization === undefined ? signIn(access) : { authorization };
}

function withoutUser(url: URL): URL {
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  return bare;
}

function targetOf(url: URL, response: IncomingMessage): URL {
  const target = URL.parse(response.headers.location ?? "", url.href);
  const what = nameOf(url);
  if (!response.headers.location || !target) {
    throw new Failure("Invalid", `${what}: HTTP ${response.statusCode} without a readable Location; ask its owner`);
  }
  if (target.protocol !== "https:" && (url.protocol === "https:" || target.protocol !== "http:")) {
    throw new Failure(
      "Invalid",
      `${what}: redirects from ${url.protocol}// to ${target.protocol}//, which is refused; use an https:// address`,
    );
  }
  return target;
}

function accepted(response: IncomingMessage, { url, judged = [] }: Fetch): IncomingMessage {
  const status = response.statusCode ?? 0;
  if (status === 200 || status === 304 || judged.includes(status)) return response;
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

function networkFailure({ url, signal }: Fetch, thrown: unknown): Failure {
  const error: unknown = signal.aborted ? signal.reason : thrown;
  if (error instanceof Failure) return error;
  const what = nameOf(url);
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (CERTIFICATE_CODE.test(code)) {
    const hint = "give the repository's CA, or correct its URL or client certificate";
    return new Failure("Invalid", `${what}: TLS: ${messageOf(cause).split(";")[0]} (${code}); ${hint}`, {
      cause: error,
    });
  }
  return new Failure("Unavailable", `${what}: ${messageOf(cause)}; check the server and its address`, { cause: error });
}
