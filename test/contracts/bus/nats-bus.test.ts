import { randomUUID } from "node:crypto";
import type { NatsConnection } from "nats";
import { expect, test } from "vitest";
import { decodeNats } from "../../../shared/adapters/cloudevents.ts";
import { createNatsBus } from "../../../shared/adapters/nats-bus.ts";
import { closeNats, connectNats } from "../../../shared/adapters/nats-connection.ts";
import { consume, type Delivery } from "../../../shared/adapters/nats-consumer.ts";
import { DEAD_LETTER_STREAM, EVENT_STREAM, provision } from "../../../shared/adapters/nats-streams.ts";
import type { Event } from "../../../shared/event.ts";
import type { Acknowledgement } from "../../../shared/outcome.ts";
import { silent, startNats } from "../../support/nats.ts";
import { until } from "../../support/until.ts";

const TYPE = "io.openpitrix.test.happened";
const DURABLE = { name: "test-happened", filterSubject: `openpitrix.events.${TYPE}`, ackWaitMs: 2_000 };

function event(fields: Partial<Event> = {}): Event {
  return { specversion: "1.0", id: randomUUID(), source: "/test", type: TYPE, data: { n: 1 }, ...fields };
}

async function prepared(connection: NatsConnection): Promise<NatsConnection> {
  await provision(connection, { durables: [DURABLE] });
  return connection;
}

async function stored(connection: NatsConnection, stream: string): Promise<number> {
  const manager = await connection.jetstreamManager();
  return (await manager.streams.info(stream)).state.messages;
}

async function unfinished(connection: NatsConnection): Promise<number> {
  const manager = await connection.jetstreamManager();
  const { num_pending, num_ack_pending } = await manager.consumers.info(EVENT_STREAM, DURABLE.name);
  return num_pending + num_ack_pending;
}

interface Work {
  readonly concurrency?: number;
  readonly prefetch?: number;
  handle(delivery: Delivery): Promise<Acknowledgement>;
}

function work(connection: NatsConnection, { concurrency = 4, prefetch = 0, handle }: Work) {
  const { name: durable, ackWaitMs } = DURABLE;
  return consume({ connection, durable, ackWaitMs, concurrency, prefetch, log: silent, handle });
}

const ack: Acknowledgement = { verb: "ack" };

test("what is published is stored once, however often it is published, and arrives as it was", async () => {
  await using nats = await startNats();
  const connection = await prepared(await nats.connect());
  const bus = createNatsBus(connection);
  const sent = event({ subject: "a/b", operator: "ann", extensions: { flag: true, n: 3 }, data: { text: "ä" } });
  await Promise.all(Array.from({ length: 20 }, () => bus.publish(sent)));
  expect(await stored(connection, EVENT_STREAM)).toBe(1);
  const seen: Event[] = [];
  const consuming = work(connection, {
    handle: async ({ headers, body }) => {
      seen.push(decodeNats(headers, body));
      return ack;
    },
  });
  await until("the event is acknowledged", async () => (await unfinished(connection)) === 0 && seen.length > 0);
  await consuming.stop();
  expect(seen).toEqual([{ ...sent, datacontenttype: "application/json" }]);
});

test("two sources may give their events the same id", async () => {
  await using nats = await startNats();
  const connection = await prepared(await nats.connect());
  const bus = createNatsBus(connection);
  for (const source of ["/cli/ann", "/cli/bob", "/cli/ann"]) await bus.publish(event({ id: "1", source }));
  expect(await stored(connection, EVENT_STREAM)).toBe(2);
});

test("data beyond the limit is refused by name, and odd types still find a subject", async () => {
  await using nats = await startNats();
  const connection = await prepared(await nats.connect());
  const bus = createNatsBus(connection);
  const large = event({ id: "big", data: { text: "x".repeat(48 * 1024) } });
  await expect(bus.publish(large)).rejects.toMatchObject({ kind: "TooLarge", message: expect.stringContaining("big") });
  for (const type of ["a b", "..", "*", ">", "ä.ö", "x".repeat(1000)]) await bus.publish(event({ type }));
  expect(await stored(connection, EVENT_STREAM)).toBe(6);
});

test("a message put back comes again after its delay, a failed handler's too, a terminated one never", async () => {
  await using nats = await startNats();
  const connection = await prepared(await nats.connect());
  const bus = createNatsBus(connection);
  for (const id of ["later", "throws", "never"]) await bus.publish(event({ id }));
  const attempts: Record<string, number[]> = { later: [], throws: [], never: [] };
  const consuming = work(connection, {
    handle: async ({ headers, body, attempt }) => {
      const { id } = decodeNats(headers, body);
      attempts[id]?.push(attempt);
      if (id === "never") return { verb: "term" };
      if (attempt > 2) return ack;
      if (id === "throws") throw new Error("broken");
      return { verb: "nak", delayMs: 50 };
    },
  });
  await until("nothing is left", async () => (await unfinished(connection)) === 0);
  await consuming.stop();
  expect(attempts).toEqual({ later: [1, 2, 3], throws: [1, 2, 3], never: [1] });
});

test("no more than the agreed number is handled at once, and a long handler keeps its message", async () => {
  await using nats = await startNats();
  const connection = await prepared(await nats.connect());
  const bus = createNatsBus(connection);
  await Promise.all(Array.from({ length: 12 }, () => bus.publish(event())));
  let running = 0;
  let most = 0;
  let handled = 0;
  const held = Promise.withResolvers<void>();
  const started = Date.now();
  const consuming = work(connection, {
    concurrency: 3,
    prefetch: 3,
    handle: async () => {
      most = Math.max(most, ++running);
      await held.promise;
      running--;
      handled++;
      return ack;
    },
  });
  await until("more time than ack_wait has passed", () => Date.now() - started > DURABLE.ackWaitMs * 2);
  expect(running).toBe(3);
  held.resolve();
  await until("all are handled", async () => (await unfinished(connection)) === 0);
  await consuming.stop();
  expect({ most, handled }).toEqual({ most: 3, handled: 12 });
});

test("stopping finishes what is under way and gives the rest to others at once", async () => {
  await using nats = await startNats();
  const connection = await prepared(await nats.connect());
  const bus = createNatsBus(connection);
  await Promise.all(Array.from({ length: 30 }, () => bus.publish(event())));
  const counts = new Map<number, number>();
  const gate = Promise.withResolvers<void>();
  const count = ({ sequence }: Delivery) => counts.set(sequence, (counts.get(sequence) ?? 0) + 1);
  let begun = 0;
  const first = work(connection, {
    concurrency: 2,
    prefetch: 6,
    handle: async (delivery) => {
      begun++;
      await gate.promise;
      count(delivery);
      return ack;
    },
  });
  await until("two are under way", () => begun === 2);
  const stopped = first.stop();
  gate.resolve();
  await stopped;
  expect(begun).toBe(2);
  const secondStart = Date.now();
  const second = work(connection, {
    handle: async (delivery) => {
      count(delivery);
      return ack;
    },
  });
  await until("nothing is left", async () => (await unfinished(connection)) === 0);
  await second.stop();
  expect(Date.now() - secondStart).toBeLessThan(DURABLE.ackWaitMs);
  expect([...counts.values()]).toEqual(Array.from({ length: 30 }, () => 1));
});

test("publisher and consumer outlive a crash of the server", async () => {
  await using nats = await startNats();
  const connection = await prepared(await nats.connect());
  const bus = createNatsBus(connection, { timeoutMs: 1_000, tries: 20 });
  const seen = new Set<string>();
  const consuming = work(connection, {
    handle: async ({ headers, body }) => {
      seen.add(decodeNats(headers, body).id);
      return ack;
    },
  });
  await bus.publish(event({ id: "before" }));
  await until("the first arrived", () => seen.has("before"));
  await nats.kill();
  const publishing = bus.publish(event({ id: "during" }));
  await nats.restart();
  await publishing;
  await bus.publish(event({ id: "after" }));
  await until("the others arrived", () => seen.has("during") && seen.has("after"));
  await consuming.stop();
  expect(await stored(connection, EVENT_STREAM)).toBe(3);
});

test("a server that is down at the start is waited for, and the wait can be given up", async () => {
  await using nats = await startNats();
  await nats.kill();
  const warnings: unknown[] = [];
  const log = { ...silent, warn: (fields: unknown) => warnings.push(fields) };
  const connecting = connectNats({ url: nats.url, name: "early" }, { log });
  const giveUp = new AbortController();
  const given = connectNats({ url: nats.url, name: "impatient" }, { log, signal: giveUp.signal });
  await until("both tried", () => warnings.length >= 2);
  giveUp.abort();
  await expect(given).rejects.toThrow();
  await nats.restart();
  const connection = await connecting;
  await prepared(connection);
  await closeNats(connection);
});

test("a dead letter keeps bytes, headers and reason, once per event", async () => {
  await using nats = await startNats();
  const connection = await prepared(await nats.connect());
  const bus = createNatsBus(connection);
  const letter = {
    functionName: "test-happened",
    reason: "MalformedData",
    message: "data.n: expected number\r\nX-Evil: 1",
    attempts: 3,
    cause: { source: "/test", id: "1", type: TYPE },
    body: Buffer.from('{"broken":'),
    headers: { "content-type": "application/cloudevents+json", authorization: "secret", "nats-msg-id": "x" },
  };
  await bus.deadLetter(letter);
  await bus.deadLetter({ ...letter, attempts: 4 });
  const { cause: _, ...unreadable } = letter;
  await bus.deadLetter({ ...unreadable, body: Buffer.alloc(9 * 1024 * 1024, "x") });
  expect(await stored(connection, DEAD_LETTER_STREAM)).toBe(2);
  const manager = await connection.jetstreamManager();
  const first = await manager.streams.getMessage(DEAD_LETTER_STREAM, { seq: 1 });
  expect(first.subject).toBe(`openpitrix.dlq.test-happened.${TYPE}`);
  expect(first.string()).toBe('{"broken":');
  expect(Object.fromEntries([...first.header].map(([name, [value]]) => [name, value]))).toEqual({
    "Nats-Msg-Id": expect.stringMatching(/^dlq:test-happened:[0-9a-f]{32}$/),
    "content-type": "application/cloudevents+json",
    "openpitrix-function": "test-happened",
    "openpitrix-reason": "MalformedData",
    "openpitrix-message": "data.n: expected number X-Evil: 1",
    "openpitrix-attempts": "3",
    "openpitrix-source": "/test",
    "openpitrix-id": "1",
  });
  const second = await manager.streams.getMessage(DEAD_LETTER_STREAM, { seq: 2 });
  expect(second.subject).toBe("openpitrix.dlq.test-happened.unreadable");
  expect(second.header.get("openpitrix-truncated-from")).toBe(String(9 * 1024 * 1024));
});

test("provisioning twice changes nothing, reports what drifted, and refuses what cannot be changed", async () => {
  await using nats = await startNats();
  const connection = await nats.connect();
  const wanted = { durables: [DURABLE] };
  const first = await provision(connection, wanted);
  expect(first.map(({ object, field }) => `${object} ${field}`)).toEqual([
    "OPENPITRIX missing",
    "OPENPITRIX_DLQ missing",
    "OPENPITRIX/test-happened missing",
  ]);
  expect(await provision(connection, wanted)).toEqual([]);
  const changed = { streams: { maxBytes: 1024 ** 2 }, durables: [{ ...DURABLE, ackWaitMs: 5_000 }] };
  const drift = [
    { object: "OPENPITRIX", field: "max_bytes", found: 8 * 1024 ** 3, wanted: 1024 ** 2 },
    { object: "OPENPITRIX/test-happened", field: "ack_wait", found: 2e9, wanted: 5e9 },
  ];
  expect(await provision(connection, { ...changed, check: true })).toEqual(drift);
  expect(await provision(connection, changed)).toEqual(drift);
  expect(await provision(connection, changed)).toEqual([]);
  await expect(provision(connection, { ...changed, streams: { storage: "memory" } })).rejects.toMatchObject({
    kind: "Invalid",
    message: expect.stringContaining("OPENPITRIX: storage is file and cannot become memory"),
  });
});

test("publishing without a stream says what to do", async () => {
  await using nats = await startNats();
  const bus = createNatsBus(await nats.connect(), { tries: 1 });
  await expect(bus.publish(event())).rejects.toMatchObject({
    kind: "Unavailable",
    message: expect.stringContaining("provision the streams"),
  });
});
