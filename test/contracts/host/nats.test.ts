import { expect, test } from "vitest";
import { createNatsBus } from "../../../shared/adapters/nats-bus.ts";
import { DEAD_LETTER_STREAM, EVENT_STREAM, provision } from "../../../shared/adapters/nats-streams.ts";
import type { Event } from "../../../shared/event.ts";
import { attempt } from "../../../shared/host/attempt.ts";
import { readConfig } from "../../../shared/host/config.ts";
import type { HandledRecord } from "../../../shared/host/handled-record.ts";
import { start } from "../../../shared/host/main.ts";
import { durablesOf } from "../../../shared/host/nats.ts";
import { DELIVERY_LIMIT } from "../../../shared/outcome.ts";
import type { DeadLetter } from "../../../shared/ports.ts";
import type { Runtime } from "../../../shared/run.ts";
import { silent, startNats } from "../../support/nats.ts";
import { testFunction } from "../../support/test-function.ts";
import { until } from "../../support/until.ts";

const asked = (outcome: string, id = outcome): Event => ({
  specversion: "1.0",
  id,
  source: "/test",
  type: "io.openpitrix.test.asked",
  data: { outcome },
});

test("a function works off its durable: done and refused once, too early again, dead to the dead letters", async () => {
  await using nats = await startNats();
  const connection = await nats.connect();
  await provision(connection, { durables: durablesOf(testFunction) });
  const bus = createNatsBus(connection);
  const records: HandledRecord[] = [];
  const config = readConfig({
    DELIVERY: "nats",
    NATS_URL: nats.url,
    HOST: "127.0.0.1",
    PORT: "0",
    LOG_LEVEL: "silent",
  });
  const serving = await start(testFunction, { config, onHandled: (record) => records.push(record) });
  for (const outcome of ["done", "refused", "waiting", "invalid", "nonsense"]) await bus.publish(asked(outcome));
  await connection.jetstream().publish("openpitrix.events.io.openpitrix.test.asked", "no event");
  const attempts = (id: string) => records.filter(({ event }) => event.id === id).map(({ attempt }) => attempt);
  const manager = await connection.jetstreamManager();
  const dead = async () => (await manager.streams.info(DEAD_LETTER_STREAM)).state.messages;
  await until("three are dead and one came back", async () => (await dead()) === 3 && attempts("waiting").length > 2);
  expect((await fetch(`${serving.url}/health/readiness`)).status).toBe(200);
  await serving.stop();
  expect(attempts("done")).toEqual([1]);
  expect(attempts("refused")).toEqual([1]);
  expect(attempts("waiting").slice(0, 3)).toEqual([1, 2, 3]);
  expect((await manager.streams.info(EVENT_STREAM)).state.messages).toBe(7);
  const { num_pending, num_ack_pending } = await manager.consumers.info(EVENT_STREAM, testFunction.name);
  expect({ num_pending, num_ack_pending }).toEqual({ num_pending: 0, num_ack_pending: 1 });
});

test("a function without NATS and Kubernetes still starts, answers probes and stops", async () => {
  const config = readConfig({ HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "silent", NATS_URL: "nats://127.0.0.1:1" });
  const serving = await start(testFunction, { config });
  expect((await fetch(`${serving.url}/health/liveness`)).status).toBe(200);
  await serving.stop();
});

test("settings that make no sense are named with their purpose", () => {
  expect(() => readConfig({ PORT: "high" })).toThrow(/PORT.*Port to listen on/);
  expect(() => readConfig({ DELIVERY: "mail" })).toThrow(/DELIVERY/);
  expect(() => readConfig({ EMIT: "sink" })).toThrow("EMIT=sink needs K_SINK");
  expect(() => readConfig({ EMIT: "sink", K_SINK: "http://b" })).toThrow("needs DEAD_LETTER_SINK");
  expect(() => readConfig({ EMIT: "sink", K_SINK: "ftp://b" })).toThrow(/K_SINK/);
  expect(readConfig({ K_CE_OVERRIDES: '{"extensions":{"team":"store"}}' }).K_CE_OVERRIDES).toEqual({
    extensions: { team: "store" },
  });
  expect(() => readConfig({ K_CE_OVERRIDES: "{" })).toThrow("K_CE_OVERRIDES: is no JSON");
  expect(() => readConfig({ K_CE_OVERRIDES: '{"extensions":{"a-b":"c"}}' })).toThrow("K_CE_OVERRIDES");
  expect(readConfig({ PORT: "", LOG_LEVEL: "" })).toMatchObject({ PORT: 8080, LOG_LEVEL: "info" });
});

test("an event that never got finished is buried before it is begun again", async () => {
  const letters: DeadLetter[] = [];
  const records: HandledRecord[] = [];
  const hosted = {
    identity: testFunction,
    // Whatever the function would call fails the test: it must not be begun.
    runtime: {} as Runtime,
    deadLetters: { deadLetter: async (letter: DeadLetter) => void letters.push(letter) },
    log: silent,
    onHandled: (record: HandledRecord) => records.push(record),
  };
  const arrival = { event: asked("done"), body: Buffer.from("x"), headers: {}, countsAttempts: true };
  expect(await attempt(hosted, { ...arrival, attempt: DELIVERY_LIMIT + 1 })).toMatchObject({
    kind: "dead",
    reason: "NeverFinished",
  });
  expect(letters).toMatchObject([{ reason: "NeverFinished", attempts: DELIVERY_LIMIT + 1, cause: { id: "done" } }]);
  expect(records).toEqual([]);
});
