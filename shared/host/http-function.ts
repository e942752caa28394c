import type { IncomingMessage, ServerResponse } from "node:http";
import { Failure, messageOf } from "../errors.ts";
import type { HttpAnswer, HttpFunction, HttpRequest } from "../http-function.ts";
import type { Log } from "../ports.ts";
import { type HostedHttpFunction, portsOf } from "./http-ports.ts";
import { type HttpHost, type ListenOptions, pathOf, startServer } from "./http-server.ts";
import { createRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import { boundedBody, collect } from "./request-body.ts";
import { sendAnswer } from "./send-answer.ts";

/** Serves an HTTP function: its own answers to every path, probes below `/health/`. */
export function serveRequests(hosted: HostedHttpFunction, listen: ListenOptions): Promise<HttpHost> {
  const { rate } = hosted.function;
  const limiter = rate && createRateLimiter(rate.perMinute);
  return startServer(
    async (request, response) => {
      const started = performance.now();
      const answer = await answerTo(request, response, { hosted, limiter });
      logAnswer(hosted.log, { request, answer, durationMs: performance.now() - started });
      await sendAnswer(request, response, answer);
    },
    hosted.log,
    listen,
  );
}

interface Answering {
  readonly hosted: HostedHttpFunction;
  readonly limiter: RateLimiter | undefined;
}

async function answerTo(
  incoming: IncomingMessage,
  response: ServerResponse,
  { hosted, limiter }: Answering,
): Promise<HttpAnswer> {
  const definition = hosted.function;
  try {
    const request = requestOf(incoming, definition.maxBodyBytes);
    const waitSeconds = waitOf(request, definition, limiter);
    if (waitSeconds > 0) return { status: 429, headers: { "retry-after": String(waitSeconds) } };
    return await within(definition.timeoutMs, response, (signal) =>
      definition.handle(request, portsOf(request, signal, hosted)),
    );
  } catch (error) {
    return failed(error, hosted.log);
  }
}

function waitOf(request: HttpRequest, { rate }: HttpFunction, limiter: RateLimiter | undefined): number {
  const key = rate?.key(request);
  return key === undefined || !limiter ? 0 : limiter.wait(key, performance.now());
}

function requestOf(incoming: IncomingMessage, maxBytes: number): HttpRequest {
  const body = boundedBody(incoming, maxBytes);
  return {
    method: incoming.method ?? "GET",
    path: pathOf(incoming),
    query: new URLSearchParams(incoming.url?.split("?").slice(1).join("?")),
    headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
    remoteAddress: incoming.socket.remoteAddress ?? "",
    body,
    bytes: () => collect(body),
  };
}

/** Ends the wait when the time is up or the client is gone, whatever the work does then; its signal tells it to end. */
function within<T>(timeoutMs: number, response: ServerResponse, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const stop = (failure: Failure) => {
      over.abort(failure);
      reject(failure);
    };
    const timer = setTimeout(() => stop(new Failure("Unavailable", "the time for this request is up")), timeoutMs);
    const gone = () => stop(new Failure("Unavailable", "the client is gone"));
    response.once("close", gone);
    work(over.signal)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
        response.off("close", gone);
      });
  });
}

const STATUS: Readonly<Record<Failure["kind"], number>> = {
  Invalid: 400,
  Forbidden: 403,
  Conflict: 409,
  TooLarge: 413,
  Unavailable: 503,
};

const RETRY_AFTER_MS = 1_000;

function failed(error: unknown, log: Log): HttpAnswer {
  if (!(error instanceof Failure)) {
    log.error({ reason: messageOf(error) }, "a request met an unexpected error");
    return { status: 500, ...json({ error: "unexpected error; the log of this function names it" }) };
  }
  const { kind, message, retryAfterMs = RETRY_AFTER_MS } = error;
  const { headers, body } = json({ error: message });
  const again = kind === "Unavailable" ? { "retry-after": String(Math.ceil(retryAfterMs / 1000)) } : {};
  return { status: STATUS[kind], headers: { ...headers, ...again }, body, log: { reason: message } };
}

function json(value: object) {
  return { headers: { "content-type": "application/json" }, body: `${JSON.stringify(value)}\n` };
}

interface Answered {
  readonly request: IncomingMessage;
  readonly answer: HttpAnswer;
  readonly durationMs: number;
}

function logAnswer(log: Log, { request, answer, durationMs }: Answered): void {
  const { method } = request;
  const fields = { method, path: pathOf(request), status: answer.status, durationMs: Math.round(durationMs * 10) / 10 };
  log[answer.status >= 500 ? "warn" : "info"]({ ...fields, ...answer.log }, "request answered");
}
