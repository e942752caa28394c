import { Agent, type ClientRequest, type IncomingMessage, type RequestOptions, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { decodeHttp, encodeStructured, STRUCTURED_HEADERS } from "../adapters/cloudevents.ts";
import { sha256 } from "../digest.ts";
import { Failure, messageOf } from "../errors.ts";
import type { Event } from "../event.ts";
import type { Bus, DeadLetter } from "../ports.ts";
import { lazily } from "./lazy.ts";

/** Where events and dead letters are posted. */
export interface SinkOptions {
  readonly sink: string;
  readonly deadLetterSink: string;
  /** Extensions that every event gets, in place of its own of that name: a binding's `ceOverrides`. */
  readonly extensions?: Readonly<Record<string, string>>;
  /** Tries before the failure is reported; default 3. */
  readonly tries?: number;
  /** Time for one try; default 10 s. */
  readonly timeoutMs?: number;
}

const RETRY_MS = 200;
/** Bytes of an unreadable request that its dead letter keeps. */
const MAX_KEPT = 256 * 1024;

/** A Broker's ingress as a bus: every event is posted as structured JSON, and stored once the answer is 2xx. */
export function createSink(options: SinkOptions): Bus {
  const { sink, deadLetterSink, extensions, tries = 3, timeoutMs = 10_000 } = options;
  const overridden = (event: Event): Event =>
    extensions === undefined ? event : { ...event, extensions: { ...event.extensions, ...extensions } };
  return {
    publish: (event) => post(overridden(event), { url: new URL(sink), tries, timeoutMs }),
    deadLetter: (letter) => post(deadEvent(letter), { url: new URL(deadLetterSink), tries, timeoutMs }),
  };
}

interface Target {
  readonly url: URL;
  readonly tries: number;
  readonly timeoutMs: number;
}

async function post(event: Event, target: Target): Promise<void> {
  const body = encodeStructured(event);
  for (let left = target.tries; ; left--) {
    const problem = await send(body, target).then(
      (status) => problemOf(status, `${event.type} ${event.id} to ${target.url.href}`),
      (error: unknown) => new Failure("Unavailable", `${target.url.href}: ${messageOf(error)}`, { cause: error }),
    );
    if (!problem) return;
    if (problem.kind !== "Unavailable" || left <= 1) throw problem;
    await delay(RETRY_MS * 2 ** (target.tries - left));
  }
}

/** 4xx other than these means: never (Knative data plane contract); 404 and 409 are tried again. */
const TRIED_AGAIN: ReadonlySet<number> = new Set([401, 403, 404, 408, 409, 425, 429]);

function problemOf(status: number, what: string): Failure | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 413) return new Failure("TooLarge", `${what}: the sink answers 413, the event is too large for it`);
  if (status >= 400 && status < 500 && !TRIED_AGAIN.has(status)) {
    return new Failure("Invalid", `${what}: the sink answers ${status}, it will not take this event`);
  }
  return new Failure("Unavailable", `${what}: the sink answers ${status}`);
}

type Send = (url: URL, options: RequestOptions) => ClientRequest;

const plain = lazily(async (): Promise<Send> => {
  const agent = new Agent({ keepAlive: true });
  return (url, options) => request(url, { ...options, agent });
});

/** Loaded on demand: most sinks are inside the cluster and plain, and TLS costs every start some milliseconds. */
const secure = lazily(async (): Promise<Send> => {
  const https = await import("node:https");
  const agent = new https.Agent({ keepAlive: true });
  return (url, options) => https.request(url, { ...options, agent });
});

async function send(body: Uint8Array, { url, timeoutMs }: Target): Promise<number> {
  const open = await (url.protocol === "https:" ? secure() : plain());
  return new Promise((resolve, reject) => {
    const headers = { ...STRUCTURED_HEADERS, "content-length": body.length };
    const sending = open(url, { method: "POST", headers, signal: AbortSignal.timeout(timeoutMs) });
    sending.on("error", reject);
    sending.on("response", (response: IncomingMessage) => {
      response.resume();
      response.on("error", reject);
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    sending.end(body);
  });
}

/** A dead letter as an event: the original with the reason beside it, or a description of what was no event. */
function deadEvent(letter: DeadLetter): Event {
  const { functionName, reason, message, attempts } = letter;
  const why = { deadfunction: functionName, deadreason: reason, deadattempts: attempts };
  const [original] = originalOf(letter);
  if (original) {
    const knativeerrordata = Buffer.from(message.slice(0, 1024)).toString("base64");
    return { ...original, extensions: { ...original.extensions, ...why, knativeerrordata } };
  }
  const { body, headers } = letter;
  const kept = body.subarray(0, MAX_KEPT);
  return {
    specversion: "1.0",
    id: sha256(body).slice(-32),
    source: `/openpitrix/${functionName}`,
    type: "io.openpitrix.dead.letter",
    datacontenttype: "application/json",
    extensions: why,
    data: { reason, message, headers, bytes: body.length, body: Buffer.from(kept).toString("base64") },
  };
}

function originalOf({ headers, body }: DeadLetter): readonly Event[] {
  try {
    return decodeHttp(headers, body);
  } catch {
    return [];
  }
}
