import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { postToFunction } from "./http-subscriber.ts";

const event = { specversion: "1.0", id: "1", source: "/me", type: "io.a", data: { a: 1 } } as const;
const servers: ReturnType<typeof createServer>[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

const deliver = async (listener: RequestListener, timeoutMs?: number) =>
  postToFunction(await serve(listener), { event, attempt: 1, timeoutMs });

const answering = (status: number, headers: Record<string, string>, body: string) =>
  deliver((_, response) => response.writeHead(status, headers).end(body));

const reply = { specversion: "1.0", id: "2", source: "/f", type: "io.b" };

function binary(headers: Record<string, string>): Record<string, string> {
  return { ...Object.fromEntries(Object.entries(reply).map(([name, value]) => [`ce-${name}`, value])), ...headers };
}

test.each([
  { status: 202, body: "", kind: "done" },
  { status: 200, body: "", kind: "done" },
  { status: 200, body: "OK", kind: "retry" },
  { status: 302, body: "", kind: "dead" },
  { status: 400, body: "", kind: "dead" },
  { status: 404, body: "", kind: "retry" },
  { status: 408, body: "", kind: "retry" },
  { status: 409, body: "", kind: "retry" },
  { status: 413, body: "", kind: "dead" },
  { status: 429, body: "", kind: "retry" },
  { status: 503, body: "", kind: "retry" },
])("an answer of $status '$body' means $kind", async ({ status, body, kind }) => {
  const { outcome, answer } = await deliver((_, response) => response.writeHead(status).end(body));
  expect(outcome.kind).toBe(kind);
  expect(answer).toMatchObject({ code: status, body: Buffer.from(body) });
});

test.each([
  ["structured", { "content-type": "application/cloudevents+json" }, JSON.stringify({ ...reply, data: 1 })],
  ["binary", binary({ "content-type": "application/json" }), "1"],
  ["dataless", binary({}), ""],
])("a %s event is a reply", async (_, headers, body) => {
  const delivered = await answering(200, headers, body);
  const data = body === "" ? undefined : 1;
  expect(delivered).toMatchObject({ outcome: { kind: "done" }, reply: { ...reply, data } });
});

test.each([
  ["a batch", { "content-type": "application/cloudevents-batch+json" }, JSON.stringify([reply, reply])],
  ["an event without id", { "content-type": "application/cloudevents+json" }, '{"specversion":"1.0"}'],
  ["what is no event", { "content-type": "text/plain" }, "OK"],
])("%s is no reply", async (_, headers, body) => {
  const delivered = await answering(200, headers, body);
  expect(delivered.outcome.kind).toBe("retry");
  expect(delivered.reply).toBeUndefined();
});

test("an event in an answer that says no is no reply", async () => {
  const delivered = await answering(503, binary({}), "");
  expect([delivered.outcome.kind, delivered.reply]).toEqual(["retry", undefined]);
});

test("of an endless answer only the first bytes are read", async () => {
  const delivered = await deliver((_, response) => {
    response.writeHead(400);
    const more = () => void response.write("x".repeat(16 * 1024), () => !response.destroyed && more());
    more();
  }, 10_000);
  expect(delivered.answer).toMatchObject({ code: 400 });
  expect(delivered.answer?.body).toHaveLength(64 * 1024);
});

test("what Retry-After asks for is kept", async () => {
  expect((await answering(429, { "retry-after": "7" }, "")).answer?.retryAfterMs).toBe(7_000);
});

test("with natss, 404 and 409 are not tried again, and a body that is no event is nothing", async () => {
  const kinds: string[] = [];
  for (const [status, body] of [
    [404, ""],
    [409, ""],
    [429, ""],
    [200, "OK"],
  ] as const) {
    const url = await serve((_, response) => response.writeHead(status).end(body));
    kinds.push((await postToFunction(url, { event, attempt: 1, timeoutMs: undefined }, "natss")).outcome.kind);
  }
  expect(kinds).toEqual(["dead", "dead", "retry", "done"]);
});

test("no answer in time and a broken connection are tried again", async () => {
  expect((await deliver(() => {}, 50)).outcome.kind).toBe("retry");
  const broken = await deliver((request) => request.socket.destroy());
  expect(broken).toMatchObject({ outcome: { kind: "retry" }, answer: { code: 500 } });
  expect(Buffer.from(broken.answer?.body ?? []).toString()).toMatch(/^dispatch error: ./);
});

test("the request is a structured event that asks for a reply", async () => {
  const seen = Promise.withResolvers<Record<string, unknown>>();
  await deliver(async (request, response) => {
    const body = await request.setEncoding("utf8").toArray();
    seen.resolve({ ...request.headers, body: JSON.parse(body.join("")) });
    response.writeHead(202).end();
  });
  expect(await seen.promise).toMatchObject({
    "content-type": "application/cloudevents+json",
    prefer: "reply",
    body: { id: "1", type: "io.a", data: { a: 1 } },
  });
});
