import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import {
  BATCH_HEADERS,
  encodeBatch,
  encodeStructured,
  STRUCTURED_HEADERS,
} from "../../../shared/adapters/cloudevents.ts";
import { Failure } from "../../../shared/errors.ts";
import type { Event } from "../../../shared/event.ts";
import type { HandledRecord } from "../../../shared/host/handled-record.ts";
import { serveHttp } from "../../../shared/host/http.ts";
import type { HttpHost } from "../../../shared/host/http-server.ts";
import type { DeadLetter } from "../../../shared/ports.ts";
import type { Runtime } from "../../../shared/run.ts";
import { silent } from "../../support/nats.ts";
import { testFunction } from "../../support/test-function.ts";

const open: HttpHost[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((host) => host.close()));
});

interface Hosting {
  readonly storeFails?: boolean;
  readonly checkpoint?: Runtime["checkpoint"];
}

async function hosting({ storeFails = false, checkpoint }: Hosting = {}) {
  const published: Event[] = [];
  const letters: DeadLetter[] = [];
  const records: HandledRecord[] = [];
  const bus = {
    publish: async (event: Event) => void published.push(event),
    deadLetter: async (letter: DeadLetter) => {
      if (storeFails) throw new Failure("Unavailable", "the stream is away");
      letters.push(letter);
    },
  };
  // The test function declares no kinds and no services, so nothing but the bus is ever called.
  const runtime = { bus, log: silent, clock: { now: () => new Date(0) }, ...(checkpoint ? { checkpoint } : {}) };
  const host = await serveHttp(
    {
      identity: testFunction,
      runtime: runtime as unknown as Runtime,
      deadLetters: bus,
      log: silent,
      onHandled: (record) => records.push(record),
    },
    { host: "127.0.0.1", port: 0 },
  );
  open.push(host);
  return { host, published, letters, records };
}

const asked = (outcome: string, id = outcome): Event => ({
  specversion: "1.0",
  id,
  source: "/test",
  type: "io.openpitrix.test.asked",
  datacontenttype: "application/json",
  data: { outcome },
});

async function post(url: string, body: Uint8Array | string, headers: Record<string, string> = STRUCTURED_HEADERS) {
  const answer = await fetch(url, { method: "POST", headers, body: Buffer.from(body as string) });
  const { status } = answer;
  const retryAfter = answer.headers.get("retry-after");
  return { status, body: await answer.text(), ...(retryAfter === null ? {} : { retryAfter: Number(retryAfter) }) };
}

/** One row per line of the outcome table: what brokers of every kind read the same way. */
test.each<[string, object, string?]>([
  ["done", { status: 202 }],
  ["refused", { status: 202 }],
  ["waiting", { status: 503, retryAfter: 1 }],
  ["conflict", { status: 429, retryAfter: 1 }],
  ["down", { status: 503, retryAfter: 3 }],
  ["bug", { status: 503, retryAfter: 1 }],
  ["slow", { status: 503, retryAfter: 1 }],
  ["invalid", { status: 202 }, "Invalid"],
  ["nonsense", { status: 202 }, "MalformedData"],
])("an event that comes to %s is answered %j", async (outcome, answer, dead) => {
  const { host, letters, records } = await hosting();
  const event = asked(outcome);
  expect(await post(host.url, encodeStructured(event))).toEqual({ body: "", ...answer });
  expect(letters.map(({ reason }) => reason)).toEqual(dead === undefined ? [] : [dead]);
  expect(records).toMatchObject([{ function: "test-asked", event: { id: outcome }, attempt: 1 }]);
});

test("a foreign event is taken without a trace", async () => {
  const { host, published, letters, records } = await hosting();
  const foreign = { ...asked("done"), type: "boson.fn" };
  expect(await post(host.url, encodeStructured(foreign))).toEqual({ status: 202, body: "" });
  expect({ published, letters, outcomes: records.map(({ outcome }) => outcome.kind) }).toEqual({
    published: [],
    letters: [],
    outcomes: ["ignored"],
  });
});

test("what is no event becomes a dead letter with its bytes, and comes again where that cannot be stored", async () => {
  const { host, letters } = await hosting();
  const headers = { "content-type": "application/cloudevents+json", authorization: "Bearer secret" };
  expect(await post(host.url, '{"specversion":"1.0"}', headers)).toEqual({ status: 202, body: "" });
  expect(letters).toMatchObject([{ functionName: "test-asked", reason: "MalformedEvent", attempts: 1 }]);
  expect(letters[0]?.message).toContain("attribute id is missing");
  expect(Buffer.from(letters[0]?.body ?? "").toString()).toBe('{"specversion":"1.0"}');
  expect(letters[0]?.headers).toEqual({ "content-type": "application/cloudevents+json" });
  const away = await hosting({ storeFails: true });
  expect(await post(away.host.url, "{}", headers)).toEqual({ status: 503, body: "", retryAfter: 1 });
});

test("the worst outcome of a batch decides, and each event is handled", async () => {
  const { host, published, letters, records } = await hosting();
  const send = (...outcomes: string[]) =>
    post(host.url, encodeBatch(outcomes.map((each) => asked(each))), BATCH_HEADERS);
  expect(await send("done", "refused", "invalid")).toEqual({ status: 202, body: "" });
  expect(await send("done", "conflict")).toEqual({ status: 429, body: "", retryAfter: 1 });
  expect(await send("conflict", "down", "done")).toEqual({ status: 503, body: "", retryAfter: 3 });
  expect(await send()).toEqual({ status: 202, body: "" });
  expect(records).toHaveLength(8);
  expect(published).toHaveLength(3);
  expect(letters.map(({ cause }) => cause?.id)).toEqual(["invalid"]);
});

test("binary mode is taken as well", async () => {
  const { host, published } = await hosting();
  const headers = { "ce-specversion": "1.0", "ce-id": "b", "ce-source": "/s", "ce-type": "io.openpitrix.test.asked" };
  const answer = await post(host.url, '{"outcome":"done"}', { ...headers, "content-type": "application/json" });
  expect(answer).toEqual({ status: 202, body: "" });
  expect(published).toMatchObject([{ type: "io.openpitrix.test.answered", causationid: "b", data: { by: "b" } }]);
});

test.each<[string, string, number, string | null]>([
  ["GET", "/health/liveness", 200, null],
  ["HEAD", "/health/readiness", 200, null],
  ["POST", "/health/readiness", 405, "GET"],
  ["OPTIONS", "/", 200, "POST, OPTIONS"],
  ["GET", "/", 405, "POST, OPTIONS"],
  ["PUT", "/", 405, "POST, OPTIONS"],
  ["POST", "/elsewhere", 404, null],
  ["GET", "/../etc/passwd", 404, null],
])("%s %s is answered %d", async (...[method, path, status, allow]) => {
  const { host } = await hosting();
  const answer = await fetch(`${host.url}${path}`, { method });
  expect({ status: answer.status, allow: answer.headers.get("allow"), body: await answer.text() }).toEqual({
    status,
    allow,
    body: "",
  });
});

test("a body beyond 1 MiB is refused, whether its length is told or not; so is a compressed one", async () => {
  const { host } = await hosting();
  expect((await post(host.url, "x".repeat(1024 ** 2 + 1))).status).toBe(413);
  expect((await post(host.url, "", { ...STRUCTURED_HEADERS, "content-encoding": "gzip" })).status).toBe(415);
  const endless = request(host.url, { method: "POST", headers: STRUCTURED_HEADERS });
  const answered = once(endless, "response");
  endless.on("error", () => {});
  const chunk = Buffer.alloc(64 * 1024, "x");
  for (let sent = 0; sent < 20; sent++) endless.write(chunk);
  const [response] = (await answered) as [{ statusCode: number }];
  expect(response.statusCode).toBe(413);
  endless.destroy();
});

test("a sender that breaks off harms nobody", async () => {
  const { host } = await hosting();
  const { port } = new URL(host.url);
  const socket = connect(Number(port), "127.0.0.1");
  await once(socket, "connect");
  socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{");
  socket.destroy();
  expect((await post(host.url, encodeStructured(asked("done")))).status).toBe(202);
});

test("closing finishes the request under way and takes no other", async () => {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const { host, published } = await hosting({
    checkpoint: async (point) => {
      if (point !== "gathered") return;
      reached.resolve();
      await gate.promise;
    },
  });
  const answer = post(host.url, encodeStructured(asked("done")));
  await reached.promise;
  const closed = host.close();
  await expect(fetch(`${host.url}/health/liveness`)).rejects.toThrow();
  gate.resolve();
  expect(await answer).toEqual({ status: 202, body: "" });
  await closed;
  expect(published).toHaveLength(1);
});
