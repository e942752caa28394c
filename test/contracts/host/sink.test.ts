import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { decodeHttp } from "../../../shared/adapters/cloudevents.ts";
import type { Event } from "../../../shared/event.ts";
import { createSink } from "../../../shared/host/sink.ts";

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** A sink that gives the answers in order, the last one for ever, and keeps what it got. */
async function sink(...answers: number[]) {
  const got: Event[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    got.push(...decodeHttp(request.headers as IncomingHttpHeaders, Buffer.concat(chunks)));
    response.writeHead((answers.length > 1 ? answers.shift() : answers[0]) ?? 202).end();
  });
  open.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, bus: createSink({ sink: url, deadLetterSink: url }), got };
}

const event: Event = {
  specversion: "1.0",
  id: "1",
  source: "/s",
  type: "t",
  datacontenttype: "application/json",
  data: 0,
};

test("an event is posted until the sink has stored it", async () => {
  const { bus, got } = await sink(503, 404, 202);
  await bus.publish(event);
  expect(got).toEqual([event, event, event]);
});

test("what a binding overrides stands in every event", async () => {
  const { url, got } = await sink(202);
  const bus = createSink({ sink: url, deadLetterSink: url, extensions: { team: "store", stage: "test" } });
  await bus.publish({ ...event, extensions: { team: "own", other: "kept" } });
  expect(got.map(({ extensions }) => extensions)).toEqual([{ team: "store", stage: "test", other: "kept" }]);
});

test.each([
  [400, "Invalid", 1],
  [413, "TooLarge", 1],
  [503, "Unavailable", 3],
])("a sink that always answers %d fails as %s after %d tries", async (status, kind, tries) => {
  const { bus, got } = await sink(status);
  await expect(bus.publish(event)).rejects.toMatchObject({ kind });
  expect(got).toHaveLength(tries);
});

test("a dead letter is the original with its reason beside it, or a description of what was none", async () => {
  const { bus, got } = await sink(202);
  const letter = { functionName: "f", reason: "Broken", message: "m", attempts: 2 };
  const headers = { "content-type": "application/cloudevents+json" };
  await bus.deadLetter({ ...letter, headers, body: Buffer.from(JSON.stringify(event)) });
  await bus.deadLetter({ ...letter, headers, body: Buffer.from("{") });
  expect(got).toMatchObject([
    { ...event, extensions: { deadfunction: "f", deadreason: "Broken", deadattempts: 2, knativeerrordata: "bQ==" } },
    { type: "io.openpitrix.dead.letter", data: { reason: "Broken", bytes: 1, body: "ew==" } },
  ]);
});
