import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeHttp, encodeStructured, STRUCTURED_HEADERS } from "../adapters/cloudevents.ts";
import { mapLimited } from "../concurrency.ts";
import { messageOf } from "../errors.ts";
import { type Outcome, toHttp } from "../outcome.ts";
import { type Arrival, attempt, type HostedFunction } from "./attempt.ts";
import { readRequest } from "./request-body.ts";

/** A function that listens. */
export interface HttpHost {
  readonly url: string;
  /** Turns the readiness probe negative, takes no more connections and waits for requests under way. */
  close(): Promise<void>;
}

/** Where to listen; port 0 takes a free one. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
}

/**
 * Serves a function as Knative expects it: CloudEvents by POST to `/`, probes below `/health/`. Answers 202, 429 or 503
 * with an empty body; whatever is no event becomes a dead letter (202; 503 if that cannot be stored).
 */
export async function serveHttp(hosted: HostedFunction, { host, port }: ListenOptions): Promise<HttpHost> {
  let closing = false;
  const server = createServer({ requestTimeout: 60_000 }, (request, response) => {
    if (closing) response.setHeader("connection", "close");
    route(request, response, { hosted, ready: !closing }).catch((error: unknown) => {
      hosted.log.error({ reason: messageOf(error) }, "a request could not be answered");
      if (!response.headersSent) end(response, 503, { "retry-after": "1" });
    });
  });
  await listening(server, { host, port });
  const address = server.address() as AddressInfo;
  const shown = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return {
    url: `http://${shown}:${address.port}`,
    close() {
      closing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      return closed;
    },
  };
}

function listening(server: Server, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

interface Served {
  readonly hosted: HostedFunction;
  readonly ready: boolean;
}

async function route(request: IncomingMessage, response: ServerResponse, served: Served): Promise<void> {
  const path = (request.url ?? "/").split("?", 1)[0];
  const probe = request.method === "GET" || request.method === "HEAD";
  switch (path) {
    case "/":
      return receive(request, response, served.hosted);
    case "/health/liveness":
      return probe ? end(response, 200) : notAllowed(response, "GET");
    case "/health/readiness":
      return probe ? end(response, served.ready ? 200 : 503) : notAllowed(response, "GET");
    default:
      return end(response, 404);
  }
}

async function receive(request: IncomingMessage, response: ServerResponse, hosted: HostedFunction): Promise<void> {
  if (request.method === "OPTIONS") return end(response, 200, { allow: "POST, OPTIONS" });
  if (request.method !== "POST") return notAllowed(response, "POST, OPTIONS");
  if ((request.headers["content-encoding"] ?? "identity") !== "identity") return end(response, 415, CLOSE);
  const body = await readRequest(request);
  if (!body) return end(response, 413, CLOSE);
  const { status, retryAfterSeconds } = worst(await attemptAll(hosted, arrivals(request, body)));
  end(response, status, retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) });
}

async function attemptAll(hosted: HostedFunction, all: readonly Arrival[]): Promise<readonly Outcome[]> {
  const [only] = all;
  if (only && all.length === 1) return [await attempt(hosted, only)];
  return mapLimited(all, hosted.identity.function.concurrency, (arrival) => attempt(hosted, arrival));
}

/** The rest of a request that is turned away is not read, so its connection is of no more use. */
const CLOSE = { connection: "close" };

function arrivals(request: IncomingMessage, body: Uint8Array): readonly Arrival[] {
  const once = { attempt: 1, countsAttempts: false };
  const headers = plainHeaders(request);
  try {
    const events = decodeHttp(request.headers, body);
    if (events.length === 1) return events.map((event) => ({ ...once, event, body, headers }));
    return events.map((event) => ({ ...once, event, body: encodeStructured(event), headers: STRUCTURED_HEADERS }));
  } catch (error) {
    return [{ ...once, problem: messageOf(error), body, headers }];
  }
}

/** The headers that belong to the event; those of the transport may hold credentials. */
function plainHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const plain: Record<string, string> = {};
  for (const name in headers) {
    if (name === "content-type" || name.startsWith("ce-")) plain[name] = String(headers[name]);
  }
  return plain;
}

const RANK: readonly number[] = [202, 429, 503];

/** One answer for several events: all come again where one has to. */
function worst(outcomes: readonly Outcome[]): ReturnType<typeof toHttp> {
  const answers = outcomes.map(toHttp).sort((a, b) => RANK.indexOf(b.status) - RANK.indexOf(a.status));
  return answers[0] ?? { status: 202 };
}

function notAllowed(response: ServerResponse, allow: string): void {
  end(response, 405, { allow });
}

function end(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { "content-length": "0", ...headers }).end();
}
