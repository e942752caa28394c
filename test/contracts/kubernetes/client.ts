import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import type { Cluster } from "./cluster.ts";

/** Any JSON, read freely by checks. */
// biome-ignore lint/suspicious/noExplicitAny: checks look at answers of every shape.
export type Loose = any;

/** One answer. */
export interface Reply {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Loose;
}

/** What to send beside method and path. */
export interface Sent {
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Another token than the administrator's; null sends none. */
  readonly token?: string | null;
}

/** A plain HTTP client for one cluster: checks see exactly what is on the wire. */
export interface Client {
  send(method: string, path: string, sent?: Sent): Promise<Reply>;
  get(path: string, headers?: Sent["headers"]): Promise<Reply>;
  post(path: string, body: unknown): Promise<Reply>;
  put(path: string, body: unknown): Promise<Reply>;
  patch(path: string, type: keyof typeof patchTypes, body: unknown): Promise<Reply>;
  delete(path: string, body?: unknown): Promise<Reply>;
  watch(path: string, headers?: Sent["headers"]): Promise<Watch>;
  close(): void;
}

/** A running watch. */
export interface Watch {
  readonly code: number;
  /** The next event; fails after some seconds. */
  next(): Promise<Loose>;
  /** Skips to the first event that passes. */
  until(wanted: (event: Loose) => boolean): Promise<Loose>;
  /** All events until the server ends the watch. */
  rest(): Promise<readonly Loose[]>;
  stop(): void;
}

/** The content types of patches. */
export const patchTypes = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

const WATCH_MS = 10_000;

/** Makes a client of a cluster. */
export function clientOf(cluster: Cluster): Client {
  const { ca, clientCertificate } = cluster;
  const agent = new Agent({ keepAlive: true, ...(ca === undefined ? {} : { ca }), ...clientCertificate });
  const start = (method: string, path: string, sent: Sent): Promise<IncomingMessage> =>
    open({ cluster, agent }, { method, path, sent });
  const send = async (method: string, path: string, sent: Sent = {}): Promise<Reply> =>
    readReply(await start(method, path, sent));
  return {
    send,
    get: (path, headers) => send("GET", path, headers === undefined ? {} : { headers }),
    post: (path, body) => send("POST", path, { body }),
    put: (path, body) => send("PUT", path, { body }),
    patch: (path, type, body) => send("PATCH", path, { body, type: patchTypes[type] }),
    delete: (path, body) => send("DELETE", path, body === undefined ? {} : { body }),
    watch: async (path, headers) => watchOf(await start("GET", path, headers === undefined ? {} : { headers })),
    close: () => agent.destroy(),
  };
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly sent: Sent;
}

function open(
  { cluster, agent }: { cluster: Cluster; agent: Agent },
  { method, path, sent }: Asked,
): Promise<IncomingMessage> {
  const { body, token = cluster.token } = sent;
  const payload = body === undefined || typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const headers = {
    ...(token === undefined || token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(payload === undefined
      ? {}
      : { "content-type": sent.type ?? "application/json", "content-length": Buffer.byteLength(payload) }),
    ...sent.headers,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, cluster.url), { method, agent, headers }, resolve);
    outgoing.on("error", reject);
    outgoing.end(payload);
  });
}

async function readReply(incoming: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  const text = (incoming.headers["content-encoding"] === "gzip" ? gunzipSync(raw) : raw).toString();
  const json = (incoming.headers["content-type"] ?? "").includes("json");
  return { code: incoming.statusCode ?? 0, headers: incoming.headers, text, body: json ? JSON.parse(text) : undefined };
}

function watchOf(incoming: IncomingMessage): Watch {
  const lines = linesOf(incoming);
  const next = async (): Promise<Loose> => {
    const timer = setTimeout(() => incoming.destroy(new Error("no watch event came in time")), WATCH_MS);
    try {
      const { value, done } = await lines.next();
      return done === true ? undefined : JSON.parse(value);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    code: incoming.statusCode ?? 0,
    next,
    async until(wanted) {
      for (let event = await next(); event !== undefined; event = await next()) if (wanted(event)) return event;
      throw new Error("the watch ended before the wanted event");
    },
    async rest() {
      const events: Loose[] = [];
      for (let event = await next(); event !== undefined; event = await next()) events.push(event);
      return events;
    },
    stop: () => incoming.destroy(),
  };
}

async function* linesOf(incoming: IncomingMessage): AsyncGenerator<string, undefined> {
  let rest = "";
  for await (const chunk of incoming) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  return undefined;
}

/** Fails with the whole answer when the code is another one. */
export function expectCode(reply: Reply, code: number): Reply {
  expect(reply.code, reply.text.slice(0, 2000)).toBe(code);
  return reply;
}

/** Checks that an answer is a Status of that code and reason, and gives its body. */
export function expectStatus(reply: Reply, code: number, reason: string): Loose {
  expectCode(reply, code);
  expect(reply.body).toMatchObject({ kind: "Status", apiVersion: "v1", status: "Failure", code, reason });
  return reply.body;
}

/** Asks again until an answer passes. */
export async function eventually(ask: () => Promise<Reply>, passes: (reply: Reply) => boolean): Promise<Reply> {
  const deadline = Date.now() + WATCH_MS;
  for (;;) {
    const reply = await ask();
    if (passes(reply)) return reply;
    if (Date.now() > deadline)
      throw new Error(`gave up waiting; the last answer was ${reply.code} ${reply.text.slice(0, 500)}`);
    await new Promise((again) => setTimeout(again, 20));
  }
}
