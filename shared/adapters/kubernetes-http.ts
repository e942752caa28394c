import { request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { readBody } from "./http-body.ts";
import { connectKube, type KubeAccess, type KubeConnection } from "./kubernetes-config.ts";
import { failureOf, type KubeAnswer, unreachable } from "./kubernetes-errors.ts";

/** One request to the API server. */
export interface KubeRequest {
  /** Verb and object as errors name them: `get helmrepos/repo-abc`. */
  readonly what: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** A body that arrives piece by piece. */
interface KubeStreamOptions {
  /** Silence after which the connection counts as broken. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/** Limits of every request. */
export interface KubeLimits {
  /** Time for one request and its answer. */
  readonly requestTimeoutMs: number;
  /** Most bytes of one answer after decompression. */
  readonly maxAnswerBytes: number;
}

/** Sends requests to one API server; no answer at all is an `Unavailable`, any status is an answer. */
export interface KubeTransport {
  send(request: KubeRequest): Promise<KubeAnswer>;
  /** Opens an answer without end; a status other than 200 is thrown as a failure. */
  open(request: KubeRequest, options: KubeStreamOptions): Promise<IncomingMessage>;
  close(): void;
}

/** A transport that finds server and credentials at the first request. */
export function kubeTransport(access: KubeAccess, limits: KubeLimits): KubeTransport {
  let connecting: Promise<KubeConnection> | undefined;
  const connect = () => {
    connecting ??= connectKube(access).catch((error: unknown) => {
      connecting = undefined;
      throw error;
    });
    return connecting;
  };
  const once = async (request: KubeRequest): Promise<KubeAnswer> => {
    const signal = AbortSignal.timeout(limits.requestTimeoutMs);
    const response = await exchange(await connect(), request, { signal });
    const options = { what: request.what, maxBytes: limits.maxAnswerBytes, decompress: true };
    const text = (await readBody(response, options)).toString("utf8");
    return { status: response.statusCode ?? 0, headers: response.headers, text };
  };
  return {
    async send(request) {
      const answer = await once(request);
      if (answer.status !== 401) return answer;
      // The token may have been rotated since it was read.
      (await connect()).forget();
      return once(request);
    },
    async open(request, { idleMs, signal }) {
      const response = await exchange(await connect(), request, { signal, timeout: idleMs });
      if (response.statusCode === 200) return response;
      if (response.statusCode === 401) (await connect()).forget();
      const body = await readBody(response, { what: request.what, maxBytes: limits.maxAnswerBytes, decompress: true });
      throw failureOf(request.what, {
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: body.toString(),
      });
    },
    close() {
      connecting?.then((connection) => connection.close()).catch(() => undefined);
    },
  };
}

/** Sends and waits for the head of the answer; repeats once where a kept-alive socket turned out to be closed. */
async function exchange(
  connection: KubeConnection,
  request: KubeRequest,
  options: RequestOptions,
): Promise<IncomingMessage> {
  const { agent, headers } = await connection.authorize();
  const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body));
  const all: RequestOptions = {
    ...options,
    method: request.method,
    agent,
    headers: { ...headers, ...bodyHeaders(request, body), accept: "application/json", "accept-encoding": "gzip" },
  };
  const url = addressOf(connection.server, request);
  try {
    return await head(url, all, body);
  } catch (error) {
    if (!(error instanceof StaleSocket)) throw unreachable(request.what, connection.server, error);
  }
  return head(url, all, body).catch((error: unknown) => {
    throw unreachable(request.what, connection.server, error);
  });
}

class StaleSocket extends Error {}

function head(url: URL, options: RequestOptions, body: Buffer | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const request = send(url, options, resolve);
    request.on("timeout", () => request.destroy(new Error(`nothing received for ${options.timeout} ms`)));
    request.on("error", (error: NodeJS.ErrnoException) => {
      const stale = request.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
      const timedOut = options.signal?.reason instanceof DOMException && options.signal.aborted;
      reject(stale ? new StaleSocket(error.message) : timedOut ? options.signal?.reason : error);
    });
    request.end(body);
  });
}

function bodyHeaders({ contentType = "application/json" }: KubeRequest, body: Buffer | undefined) {
  return body === undefined ? {} : { "content-type": contentType, "content-length": String(body.length) };
}

function addressOf(server: URL, { path, query = {} }: KubeRequest): URL {
  const url = new URL(server);
  url.pathname = `${server.pathname.replace(/\/+$/, "")}${path}`;
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}
