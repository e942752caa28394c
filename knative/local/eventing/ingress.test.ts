import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Event } from "../../../shared/event.ts";
import type { HttpServer } from "../http-server.ts";
import { startIngress } from "./ingress.ts";

const stored: Event[] = [];
let down = false;
let server: HttpServer;

beforeAll(async () => {
  const store = async (event: Event) => {
    if (down) throw new Error("the stream is away");
    stored.push(event);
  };
  server = await startIngress(new Map([["ns/b", store]]), { host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close());
beforeEach(() => {
  stored.length = 0;
  down = false;
});

const binary = {
  "content-type": "application/json",
  "ce-specversion": "1.0",
  "ce-id": "1",
  "ce-source": "/me",
  "ce-type": "io.a",
};
const structured = { "content-type": "application/cloudevents+json" };
const attributes = { specversion: "1.0", id: "2", source: "/me", type: "io.b" };
const post = (path: string, headers: Record<string, string>, body: string) =>
  fetch(`${server.url}${path}`, { method: "POST", headers, body });

test("binary, structured and batched events are stored and answered with an empty 202", async () => {
  const answers = [
    await post("/ns/b", binary, '{"a":1}'),
    await post("/ns/b", structured, JSON.stringify(attributes)),
    await post(
      "/ns/b",
      { "content-type": "application/cloudevents-batch+json" },
      JSON.stringify([attributes, attributes]),
    ),
  ];
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  expect(await answers[0]?.text()).toBe("");
  expect(stored.map(({ type, data }) => [type, data])).toEqual([
    ["io.a", { a: 1 }],
    ["io.b", undefined],
    ["io.b", undefined],
    ["io.b", undefined],
  ]);
});

test("every event tells when it came in", async () => {
  const before = Date.now();
  await post("/ns/b", structured, JSON.stringify({ ...attributes, team: "store", knativearrivaltime: "yesterday" }));
  const { team, knativearrivaltime } = stored[0]?.extensions ?? {};
  expect(team).toBe("store");
  expect(Date.parse(String(knativearrivaltime))).toBeGreaterThanOrEqual(before);
});

test.each([
  { what: "an unknown path", path: "/ns/other", headers: structured, body: "{}", status: 404 },
  { what: "what is no event", path: "/ns/b", headers: { "content-type": "text/plain" }, body: "hi", status: 400 },
  { what: "an event without id", path: "/ns/b", headers: structured, body: '{"specversion":"1.0"}', status: 400 },
  { what: "too many bytes", path: "/ns/b", headers: binary, body: "x".repeat(1024 * 1024 + 1), status: 413 },
])("$what is answered with $status", async ({ path, headers, body, status }) => {
  expect((await post(path, headers, body)).status).toBe(status);
  expect(stored).toEqual([]);
});

test("an event that cannot be stored is not accepted", async () => {
  down = true;
  expect((await post("/ns/b", binary, "{}")).status).toBe(500);
});

test("OPTIONS is answered as webhook senders expect, other methods are refused", async () => {
  const options = await fetch(`${server.url}/ns/b`, { method: "OPTIONS" });
  expect([options.status, options.headers.get("webhook-allowed-origin")]).toEqual([200, "*"]);
  expect((await fetch(`${server.url}/ns/b`)).status).toBe(405);
});
