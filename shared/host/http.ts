import type { IncomingMessage, ServerResponse } from "node:http";
import { decodeHttp, encodeStructured, STRUCTURED_HEADERS } from "../adapters/cloudevents.ts";
import { mapLimited } from "../concurrency.ts";
import { messageOf } from "../errors.ts";
import { type Outcome, toHttp } from "../outcome.ts";
import { type Arrival, attempt, type HostedFunction } from "./attempt.ts";
import { end, type HttpHost, type ListenOptions, pathOf, startServer } from "./http-server.ts";
import { readRequest } from "./request-body.ts";

/**
 * Serves a function as Knative expects it: CloudEvents by POST to `/`, probes below `/health/`. Answers 202, 429 or 503
 * with an empty body; whatever is no event becomes a dead letter (202; 503 if that cannot be stored).
 */
export function serveHttp(hosted: HostedFunction, listen: ListenOptions): Promise<HttpHost> {
  return startServer(
    async (request, response) => {
      if (pathOf(request) !== "/") return end(response, 404);
      await receive(request, response, hosted);
    },
    hosted.log,
    listen,
  );
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
