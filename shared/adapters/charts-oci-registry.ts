import type { Agent, IncomingMessage } from "node:http";
import { excerpt } from "../charts/excerpt.ts";
import { isLoopback } from "../charts/oci-challenge.ts";
import { parseOciReference } from "../charts/oci-reference.ts";
import { isMapping, parseJsonMapping, scalarText } from "../charts/records.ts";
import { Failure } from "../errors.ts";
import type { RepositoryAccess } from "../ports.ts";
import { present } from "../present.ts";
import { USER_AGENT } from "./charts-http.ts";
import { type FetchHead, nameOf } from "./charts-http-fetch.ts";
import { createSignIn, type SignInMemory } from "./charts-oci-sign-in.ts";
import { readBody } from "./http-body.ts";

/** One request to a registry. */
export interface RegistryRequest {
  /** Below the registry's root, with its query: `/v2/charts/web/tags/list`. */
  readonly path: string;
  /** Default: GET. */
  readonly method?: "GET" | "HEAD";
  readonly accept?: string;
  /** What a token must allow: `repository:charts/web:pull`. */
  readonly scope: string;
  /** Most bytes of the answer; default 1 MiB. */
  readonly maxBytes?: number;
  /** Default: the limit of every request to a registry. */
  readonly totalMs?: number;
}

/** A registry's answer with status 200. */
export interface RegistryAnswer {
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** A registry that is signed in to as it asks; connections are kept until it is closed. */
export interface Registry {
  readonly url: URL;
  /** `undefined` where there is nothing (404, and 405 where the registry does not offer it). */
  ask(request: RegistryRequest): Promise<RegistryAnswer | undefined>;
  close(): void;
}

/** What a registry needs from the process. */
export interface RegistryOptions {
  readonly fetchHead: FetchHead;
  readonly memory: SignInMemory;
  readonly idleMs: number;
  /** Ends whatever is under way. */
  readonly signal?: AbortSignal;
}

const REQUEST_MS = 30_000;
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_ERROR_BYTES = 16 * 1024;
const JUDGED = [400, 401, 403, 404, 405];

/** Hosts whose registry answers under another name, as docker and helm know. */
const REGISTRY_OF: Readonly<Record<string, string>> = { "docker.io": "registry-1.docker.io" };

/** Opens a registry at a host; over plain HTTP where the access says so, or by itself on loopback addresses. */
export function openRegistry(access: RepositoryAccess, host: string, options: RegistryOptions): Registry {
  const own = isOwnHost(access, host);
  const url = registryUrl(own ? access : {}, host);
  const { username: _, password: __, token: ___, ...rest } = access;
  const bare = own ? { ...rest, url: url.href } : { url: access.url, ...present({ allowedHosts: rest.allowedHosts }) };
  const agents = new Map<string, Agent>();
  const { fetchHead, memory } = options;
  const signIn = createSignIn({ fetchHead, access: own ? access : bare, registry: url, memory });
  const send = async (request: RegistryRequest, signal: AbortSignal) => {
    const { path, method = "GET", accept = "application/json" } = request;
    const authorization = await signIn.authorization(request.scope);
    return fetchHead(bare, {
      url: new URL(path, url),
      method,
      headers: { "user-agent": USER_AGENT, accept, "accept-encoding": "identity" },
      ...(authorization === undefined ? {} : { authorization, authorizedAt: url }),
      agents,
      judged: JUDGED,
      signal,
      idleMs: options.idleMs,
    });
  };
  return {
    url,
    ask(request) {
      return withinTime(options.signal, request.totalMs ?? REQUEST_MS, async (signal) => {
        const first = await send(request, signal);
        const challenge = first.headers["www-authenticate"];
        if (first.statusCode !== 401 || !signIn.challenged(challenge, request.scope)) return judge(url, request, first);
        first.destroy();
        return judge(url, request, await send(request, signal));
      });
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

function registryUrl({ plainHttp }: Pick<RepositoryAccess, "plainHttp">, host: string): URL {
  const url = new URL(`https://${REGISTRY_OF[host] ?? host}/`);
  return (plainHttp ?? isLoopback(url.hostname)) ? new URL(`http://${url.host}/`) : url;
}

/** Chart addresses in an index may lead to a registry on another host: it is asked as everybody would be. */
function isOwnHost(access: RepositoryAccess, host: string): boolean {
  const read = parseOciReference(access.url);
  return read.ok ? read.reference.host === host : URL.parse(access.url)?.host === host;
}

/** Thousands of requests may follow each other: timer and listener of one must not outlive it, nor what they hold. */
async function withinTime<T>(
  parent: AbortSignal | undefined,
  totalMs: number,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const giveUp = () => controller.abort(new Error(`it took longer than ${totalMs} ms, the limit`));
  const timer = setTimeout(giveUp, totalMs);
  const stop = () => controller.abort(parent?.reason);
  if (parent?.aborted) stop();
  parent?.addEventListener("abort", stop, { once: true });
  try {
    return await call(controller.signal);
  } finally {
    clearTimeout(timer);
    parent?.removeEventListener("abort", stop);
  }
}

async function judge(
  url: URL,
  { path, method, maxBytes = MAX_ANSWER_BYTES }: RegistryRequest,
  response: IncomingMessage,
): Promise<RegistryAnswer | undefined> {
  const { statusCode = 0, headers } = response;
  const what = nameOf(new URL(path, url));
  const refused = statusCode !== 200;
  const limit = refused ? MAX_ERROR_BYTES : maxBytes;
  if (statusCode === 404 || statusCode === 405) return void response.destroy();
  if (method === "HEAD" && !refused) {
    response.resume();
    return { headers, body: Buffer.alloc(0) };
  }
  const body = await readBody(response, { what, maxBytes: limit, decompress: false });
  if (!refused) return { headers, body };
  const hint = statusCode === 400 ? "" : "; check the repository's credentials and what they may read";
  throw new Failure("Invalid", `${what}: HTTP ${statusCode}${registryError(body)}${hint}`);
}

/** What a registry says of its refusal, by the error format of the OCI distribution specification. */
function registryError(body: Buffer): string {
  const { errors } = parseJsonMapping(body) ?? {};
  const error: unknown = Array.isArray(errors) ? errors[0] : undefined;
  if (!isMapping(error)) return "";
  return ` (${excerpt([scalarText(error["code"]), scalarText(error["message"])].filter(Boolean).join(": "))})`;
}
