import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NatsConnection } from "nats";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { decodeNats } from "../../../shared/adapters/cloudevents.ts";
import { createNatsBus } from "../../../shared/adapters/nats-bus.ts";
import { connectNats } from "../../../shared/adapters/nats-connection.ts";
import type { Consuming } from "../../../shared/adapters/nats-consumer.ts";
import { DEAD_LETTER_STREAM, provision } from "../../../shared/adapters/nats-streams.ts";
import { subjectOfType } from "../../../shared/adapters/nats-subjects.ts";
import type { Event } from "../../../shared/event.ts";
import { binary } from "../../../test/support/binaries.ts";
import { until } from "../../../test/support/until.ts";
import type { Attempt, Delivered, Subscriber } from "../functions/subscriber.ts";
import { createLocalLog } from "../local-log.ts";
import { type NatsProcess, startNatsProcess } from "../nats-process.ts";
import type { Dispatcher } from "./answer.ts";
import { Trigger } from "./kinds.ts";
import { checkTrigger, durableOf, startTrigger } from "./trigger.ts";

const log = createLocalLog("silent");
let folder: string;
let server: NatsProcess;
let connection: NatsConnection;
let running: Consuming | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openpitrix-trigger-"));
  server = await startNatsProcess({ binary: binary("nats-server"), folder, port: 0 });
  connection = await connectNats({ url: server.url, name: "test" }, { log });
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
});
afterAll(async () => {
  await connection?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const MIB = 1024 ** 2;
const streams = { storage: "memory", maxBytes: 64 * MIB, maxDeadLetterBytes: 16 * MIB } as const;

/** Parts of a Trigger's spec, and whose rules to deliver by. */
type Spec = { readonly dispatcher?: Dispatcher; readonly [field: string]: unknown };

/** A Trigger of that name on type `test.<name>`, delivering to `subscriber`. */
async function deliver(name: string, subscriber: Subscriber, { dispatcher = "core", ...spec }: Spec = {}) {
  const trigger = Trigger.parse({
    metadata: { name },
    spec: {
      broker: "b",
      filters: [{ exact: { type: `test.${name}` } }],
      subscriber: { ref: { apiVersion: "serving.knative.dev/v1", kind: "Service", name } },
      delivery: { retry: 2, backoffPolicy: "exponential", backoffDelay: "PT0.02S" },
      ...spec,
    },
  });
  await provision(connection, { streams, durables: [durableOf(trigger)] });
  const bus = createNatsBus(connection);
  running = startTrigger(trigger, { name, subscriber, concurrency: 4 }, { connection, bus, log, dispatcher });
  return (over: Partial<Event> = {}) =>
    bus.publish({
      specversion: "1.0",
      id: `${name}-1`,
      source: "/test",
      type: `test.${name}`,
      data: { a: 1 },
      ...over,
    });
}

/** Answers with each outcome in turn, then with the last for good; remembers the attempts. */
function scripted(...answers: readonly Delivered[]) {
  const attempts: (Attempt & { readonly at: number })[] = [];
  const subscriber: Subscriber = async (attempt) => {
    attempts.push({ ...attempt, at: performance.now() });
    return answers[Math.min(attempts.length, answers.length) - 1] ?? { outcome: { kind: "done" } };
  };
  return { attempts, subscriber };
}

async function letters(name: string) {
  const manager = await connection.jetstreamManager();
  const { last_seq } = (await manager.streams.info(DEAD_LETTER_STREAM)).state;
  const all = await Promise.all(
    Array.from({ length: last_seq }, (_, index) => manager.streams.getMessage(DEAD_LETTER_STREAM, { seq: index + 1 })),
  );
  return all.filter(({ header }) => header.get("openpitrix-function") === name);
}

const retry: Delivered = { outcome: { kind: "retry", reason: "down" } };

test("an event that fails comes again after the Trigger's delays until it is done", async () => {
  const { attempts, subscriber } = scripted(retry, retry, { outcome: { kind: "done" } });
  const publish = await deliver("retried", subscriber);
  await publish();
  await until("the third attempt", () => attempts.length === 3);
  expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  const [first = 0, second = 0, third = 0] = attempts.map(({ at }) => at);
  expect(second - first).toBeGreaterThanOrEqual(19);
  expect(third - second).toBeGreaterThanOrEqual(39);
  expect(await letters("retried")).toEqual([]);
});

test("an event that fails to the end is kept with Knative's error extensions", async () => {
  const answer = { destination: "http://f", code: 503, body: Buffer.from("later") };
  const { attempts, subscriber } = scripted({ ...retry, answer });
  const publish = await deliver("exhausted", subscriber);
  await publish();
  const [letter] = await until("a dead letter", async () => {
    const found = await letters("exhausted");
    return found.length > 0 && found;
  });
  expect(attempts).toHaveLength(3);
  expect(letter?.header.get("openpitrix-reason")).toBe("AttemptsExhausted");
  expect(letter?.header.get("openpitrix-attempts")).toBe("3");
  expect(decodeNats({}, letter?.data ?? new Uint8Array())).toMatchObject({
    id: "exhausted-1",
    data: { a: 1 },
    extensions: {
      knativeerrordest: "http://f",
      knativeerrorcode: 503,
      knativeerrordata: Buffer.from("later").toString("base64"),
    },
  });
});

test("what no retry helps and what is no event is kept at once", async () => {
  const { attempts, subscriber } = scripted({ outcome: { kind: "dead", reason: "Malformed", message: "no data" } });
  const publish = await deliver("dead", subscriber);
  await connection.jetstream().publish(subjectOfType("test.dead"), "no event");
  await publish();
  const found = await until("two dead letters", async () => {
    const all = await letters("dead");
    return all.length === 2 && all;
  });
  expect(found.map(({ header }) => header.get("openpitrix-reason")).sort()).toEqual(["Malformed", "Unreadable"]);
  expect(attempts).toHaveLength(1);
});

test("events that the filter turns away are acknowledged and not delivered", async () => {
  const { attempts, subscriber } = scripted();
  const filters = [{ prefix: { type: "test.filtered" } }, { exact: { source: "/wanted" } }];
  const publish = await deliver("filtered", subscriber, { filters });
  await publish({ id: "filtered-1", source: "/other" });
  await publish({ id: "filtered-2", source: "/wanted" });
  await until("the wanted event", () => attempts.length === 1);
  expect(attempts[0]?.event.source).toBe("/wanted");
  const manager = await connection.jetstreamManager();
  await until("both are acknowledged", async () => {
    const { num_pending, num_ack_pending } = await manager.consumers.info("OPENPITRIX", "filtered");
    return num_pending + num_ack_pending === 0;
  });
});

test("a waiting event comes again when it asked to, however often", async () => {
  const waiting: Delivered = { outcome: { kind: "waiting", reason: "TooEarly" } };
  const { attempts, subscriber } = scripted(...Array.from({ length: 8 }, () => waiting), { outcome: { kind: "done" } });
  const publish = await deliver("waiting", subscriber);
  await publish();
  await until("the ninth attempt", () => attempts.length === 9);
  expect(await letters("waiting")).toEqual([]);
});

/** Resolves once nothing is pending or under way. */
async function untilIdle(name: string): Promise<void> {
  const manager = await connection.jetstreamManager();
  await until(`${name} is idle`, async () => {
    const { num_pending, num_ack_pending, delivered } = await manager.consumers.info("OPENPITRIX", name);
    return delivered.consumer_seq > 0 && num_pending + num_ack_pending === 0;
  });
}

/** An HTTP answer that no retry helps. */
function refusal(code: number): Delivered {
  const answer = { destination: "http://f", code, body: Buffer.from("no") };
  return { outcome: { kind: "dead", reason: `Status${code}`, message: "never" }, answer };
}

test("each attempt gets the Trigger's timeout", async () => {
  const { attempts, subscriber } = scripted();
  const publish = await deliver("timed", subscriber, { delivery: { timeout: "PT1.5S" } });
  await publish();
  await untilIdle("timed");
  expect(attempts.map(({ timeoutMs }) => timeoutMs)).toEqual([1_500]);
});

test("an event that is refused for good is kept at once, with the answer's code", async () => {
  const { attempts, subscriber } = scripted(refusal(400));
  const publish = await deliver("refused", subscriber);
  await publish();
  await untilIdle("refused");
  expect(attempts).toHaveLength(1);
  const [letter] = await letters("refused");
  expect(decodeNats({}, letter?.data ?? new Uint8Array()).extensions).toMatchObject({ knativeerrorcode: 400 });
});

test("natss loses an event that is refused before the last attempt", async () => {
  const { attempts, subscriber } = scripted(refusal(404));
  const publish = await deliver("natss-lost", subscriber, { dispatcher: "natss" });
  await publish();
  await untilIdle("natss-lost");
  expect(attempts).toHaveLength(1);
  expect(await letters("natss-lost")).toEqual([]);
});

test("natss keeps an event that is refused at the last attempt, or fails to the end", async () => {
  const { attempts, subscriber } = scripted(retry, retry, refusal(404), retry);
  const publish = await deliver("natss-kept", subscriber, { dispatcher: "natss" });
  await publish();
  await untilIdle("natss-kept");
  expect(attempts).toHaveLength(3);
  await publish({ id: "natss-kept-2" });
  const found = await until("two dead letters", async () => {
    const all = await letters("natss-kept");
    return all.length === 2 && all;
  });
  expect(found.map(({ header }) => header.get("openpitrix-reason"))).toEqual(["Status404", "AttemptsExhausted"]);
});

const reply: Event = {
  specversion: "1.0",
  id: "reply-1",
  source: "/f",
  type: "test.reply",
  datacontenttype: "application/json",
  data: { b: 2 },
};

test("an event in the answer is published before the event is acknowledged", async () => {
  const { subscriber } = scripted({ outcome: { kind: "done" }, reply });
  const publish = await deliver("replying", subscriber);
  await publish();
  await untilIdle("replying");
  const manager = await connection.jetstreamManager();
  const stored = await manager.streams.getMessage("OPENPITRIX", { last_by_subj: subjectOfType("test.reply") });
  expect(decodeNats({}, stored.data)).toEqual({ ...reply, extensions: { knativebrokerttl: 254 } });
});

test("an event that came as a reply too often gets no further reply", async () => {
  const { attempts, subscriber } = scripted({ outcome: { kind: "done" }, reply: { ...reply, type: "test.far" } });
  const publish = await deliver("replied", subscriber);
  await publish({ extensions: { knativebrokerttl: 1 } });
  await untilIdle("replied");
  expect(attempts.map(({ event }) => event.extensions?.["knativebrokerttl"])).toEqual([undefined]);
  const manager = await connection.jetstreamManager();
  const stored = manager.streams.getMessage("OPENPITRIX", { last_by_subj: subjectOfType("test.far") });
  await expect(stored).rejects.toThrow("no message found");
});

test("a reply that cannot be published brings the event again, and with natss is lost", async () => {
  const tooLarge = { ...reply, id: "reply-2", data: "x".repeat(60 * 1024) };
  const answers = [{ outcome: { kind: "done" }, reply: tooLarge } as const, { outcome: { kind: "done" } } as const];
  const core = scripted(...answers);
  const publish = await deliver("reply-again", core.subscriber);
  await publish();
  await until("the second attempt", () => core.attempts.length === 2);
  await running?.stop();
  const natss = scripted(...answers);
  const publishStrictly = await deliver("reply-lost", natss.subscriber, { dispatcher: "natss" });
  await publishStrictly();
  await untilIdle("reply-lost");
  expect(natss.attempts).toHaveLength(1);
});

test("Retry-After delays the next attempt up to retryAfterMax", async () => {
  const answer = { destination: "http://f", code: 429, body: new Uint8Array(), retryAfterMs: 60_000 };
  const { attempts, subscriber } = scripted({ ...retry, answer }, { outcome: { kind: "done" } });
  const publish = await deliver("asked", subscriber, { delivery: { retry: 2, retryAfterMax: "PT0.2S" } });
  await publish();
  await until("the second attempt", () => attempts.length === 2);
  const [first = 0, second = 0] = attempts.map(({ at }) => at);
  expect(second - first).toBeGreaterThanOrEqual(195);
});

test("a CESQL filter selects what is delivered", async () => {
  const { attempts, subscriber } = scripted();
  const filters = [{ cesql: "type = 'test.selected' AND (source LIKE '/wanted/%' OR INT(hop) > 3)" }];
  const publish = await deliver("selected", subscriber, { filters });
  await publish({ id: "selected-1", source: "/other" });
  await publish({ id: "selected-2", source: "/wanted/a" });
  await publish({ id: "selected-3", source: "/other", extensions: { hop: "4" } });
  await publish({ id: "selected-4", source: "/other", extensions: { hop: "3" } });
  await untilIdle("selected");
  expect(attempts.map(({ event }) => event.id).sort()).toEqual(["selected-2", "selected-3"]);
});

test.each([
  [
    { filters: [{ cesql: "type = " }] },
    'Trigger ns/t: cesql "type = ": expected a value, found the end at character 8',
  ],
  [{ filters: [{ exact: { type: "a" }, prefix: { type: "b" } }] }, "Trigger ns/t: a filter needs exactly one dialect"],
  [{ delivery: { timeout: "PT0S" } }, "Trigger ns/t: timeout PT0S"],
  [{ delivery: { backoffDelay: "1s" } }, 'Trigger ns/t: "1s" is no ISO 8601 duration'],
])("what cannot work is said with the Trigger's name: %j", (spec, message) => {
  const subscriber = { ref: { apiVersion: "serving.knative.dev/v1", kind: "Service", name: "s" } };
  const metadata = { name: "t", namespace: "ns" };
  expect(() => checkTrigger(Trigger.parse({ metadata, spec: { broker: "b", subscriber, ...spec } }))).toThrow(message);
});
