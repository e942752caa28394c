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

test("no answer in time and a broken connection are tried again", async () => {
  expect((await deliver(() => {}, 50)).outcome.kind).toBe("retry");
  expect((await deliver((request) => request.socket.destroy())).outcome.kind).toBe("retry");
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
