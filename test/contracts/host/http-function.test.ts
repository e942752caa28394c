import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { Event } from "../../../shared/event.ts";
import { serveRequests } from "../../../shared/host/http-function.ts";
import type { HttpHost } from "../../../shared/host/http-server.ts";
import type { Log } from "../../../shared/ports.ts";
import type { Runtime } from "../../../shared/run.ts";
import { NOW } from "../../support/objects.ts";
import { testHttpFunction } from "../../support/test-http-function.ts";
import { until } from "../../support/until.ts";

const open: HttpHost[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((host) => host.close()));
});

async function hosting() {
  const published: Event[] = [];
  const lines: Record<string, unknown>[] = [];
  const write = (fields: Readonly<Record<string, unknown>>) => void lines.push(fields);
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const bus = { publish: async (event: Event) => void published.push(event) };
  // The function declares no kinds and no services, so nothing but the bus is ever called.
  const runtime = { bus, log, clock: { now: () => NOW } } as unknown as Runtime;
  const hosted = { function: testHttpFunction, runtime, log };
  const host = await serveRequests(hosted, { host: "127.0.0.1", port: 0 });
  open.push(host);
  return { ...host, published, lines };
}

test("what the request holds arrives as it was sent", async () => {
  const { url } = await hosting();
  const answer = await fetch(`${url}/seen?a=1&a=2&b=%3F?`, { method: "DELETE", headers: { "X-Test": "yes" } });
  const expected = {
    method: "DELETE",
    query: [
      ["a", "1"],
      ["a", "2"],
      ["b", "??"],
    ],
    test: "yes",
  };
  expect(await answer.json()).toEqual({ ...expected, remoteAddress: "127.0.0.1" });
});

test("bodies go in and out byte by byte, whole or as they come", async () => {
  const { url } = await hosting();
  const bytes = Uint8Array.from({ length: 700_000 }, (_, index) => index % 251);
  for (const path of ["/echo", "/stream"]) {
    const answer = await fetch(`${url}${path}`, { method: "POST", body: bytes });
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes), path).toBe(true);
  }
});

test("a body beyond the limit is refused, announced or not, and its connection is closed", async () => {
  const { url } = await hosting();
  const known = await fetch(`${url}/echo`, { method: "POST", body: new Uint8Array(1_000_001) });
  expect([known.status, known.headers.get("connection")]).toEqual([413, "close"]);
  const chunks = async function* () {
    for (let sent = 0; sent < 20; sent++) yield new Uint8Array(65_536);
  };
  const streamed = await fetch(`${url}/echo`, {
    method: "POST",
    body: ReadableStream.from(chunks()),
    duplex: "half",
  } as RequestInit);
  expect(streamed.status).toBe(413);
  expect(await streamed.json()).toEqual({ error: "the body has more than 1000000 bytes; send less" });
});

test.each([
  ["Invalid", 400, null],
  ["Forbidden", 403, null],
  ["Conflict", 409, null],
  ["TooLarge", 413, null],
  ["Unavailable", 503, "3"],
] as const)("a failure of kind %s is answered %d with its message", async (kind, status, retryAfter) => {
  const { url } = await hosting();
  const answer = await fetch(`${url}/fail/${kind}`);
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([status, retryAfter]);
  expect(await answer.json()).toEqual({ error: `asked for ${kind}` });
});

test("whoever waits to hear that a body is wanted hears so from its reader, and else only the answer", async () => {
  const { url } = await hosting();
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  const heard: string[] = [];
  socket.on("data", (chunk) => heard.push(chunk.toString()));
  const head = (length: number) =>
    `POST /echo HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: ${length}\r\n\r\n`;
  socket.write(head(3));
  await until("the body is asked for", () => heard.join("") === "HTTP/1.1 100 Continue\r\n\r\n");
  socket.write("abc");
  await until("it is answered", () => heard.join("").endsWith("\r\n\r\nabc"));
  heard.length = 0;
  socket.write(head(1_000_001));
  await once(socket, "close");
  expect(heard.join("")).toMatch(/^HTTP\/1\.1 413 /);
});

test("an unexpected error says nothing of itself to the client, and all to the log", async () => {
  const { url, lines } = await hosting();
  const answer = await fetch(`${url}/bug`);
  expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining("undefined")]);
  expect(lines).toContainEqual({ reason: "x is undefined" });
});

test.each(["/slow", "/deaf"])("%s is answered 503 when the time is up", async (path) => {
  const { url } = await hosting();
  const answer = await fetch(`${url}${path}`);
  expect([answer.status, await answer.json()]).toEqual([503, { error: "the time for this request is up" }]);
});

test("a sender that dawdles with its body is answered when the time is up", async () => {
  const { url } = await hosting();
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write("POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nabc");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(socket, "close");
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 503 /);
});

test("what a client that is gone asked for is ended", async () => {
  const { url, lines } = await hosting();
  const leaving = new AbortController();
  const answer = fetch(`${url}/deaf`, { signal: leaving.signal });
  setImmediate(() => leaving.abort());
  await expect(answer).rejects.toThrow();
  await until("the request is logged", () => lines.some(({ path }) => path === "/deaf"));
});

test("what it announces begins a chain, has a stable id and carries trace and operator", async () => {
  const { url, published } = await hosting();
  const traceparent = `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01`;
  const post = (id: string, trace: string) => fetch(`${url}/publish?id=${id}`, { headers: { traceparent: trace } });
  await post("one", traceparent);
  await post("one", "nonsense");
  await post("two", "nonsense");
  const [first, again, other] = published;
  expect(first).toMatchObject({
    type: "io.openpitrix.test.answered",
    source: "/openpitrix/test-http",
    subject: "tests/one",
    operator: "jane",
    correlationid: first?.id,
    traceparent,
    time: NOW.toISOString(),
    data: { by: "http" },
  });
  expect(first).not.toHaveProperty("causationid");
  expect([again?.id === first?.id, again?.traceparent, other?.id === first?.id]).toEqual([true, undefined, false]);
});

test("requests beyond the rate are turned away until their time", async () => {
  const { url } = await hosting();
  const statuses: number[] = [];
  for (let sent = 0; sent < 4; sent++) statuses.push((await fetch(`${url}/limited`)).status);
  expect(statuses).toEqual([404, 404, 404, 429]);
  expect((await fetch(`${url}/other`)).status).toBe(404);
});

test("every request is one line of the log, without its query", async () => {
  const { url, lines } = await hosting();
  await fetch(`${url}/nowhere?token=secret`);
  const line = { method: "GET", path: "/nowhere", status: 404, why: "no such path", durationMs: expect.any(Number) };
  expect(lines).toEqual([line]);
});

test("probes answer as for every function", async () => {
  const { url, lines } = await hosting();
  const get = async (path: string) => (await fetch(`${url}${path}`)).status;
  expect([await get("/health/liveness"), await get("/health/readiness")]).toEqual([200, 200]);
  expect(lines).toEqual([]);
});
