import type { JetStreamManager, KV, NatsConnection } from "nats";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startNats, type TestNats } from "../../../test/support/nats.ts";
import { until } from "../../../test/support/until.ts";
import { openKvStorage } from "./kv-storage.ts";
import type { Storage } from "./storage.ts";

const id = (name: string) => ({ resource: "core/configmaps", namespace: "default", name });
const text = (name: string): string => JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
const key = (name: string): string => `core/configmaps/default/${name}`;

let nats: TestNats;
let own: NatsConnection;
let storage: Storage;
let others: KV;
let manager: JetStreamManager;

beforeEach(async () => {
  nats = await startNats();
  own = await nats.connect({ noEcho: true });
  storage = await openKvStorage({ nats: own, bucket: "objects", storage: "file" });
  const foreign = await nats.connect();
  others = await foreign.jetstream().views.kv("objects", { history: 1 });
  manager = await foreign.jetstreamManager();
});
afterEach(async () => {
  await storage?.close();
  await nats?.[Symbol.asyncDispose]();
});

async function atRest(): Promise<void> {
  await until("nobody follows the bucket", async () => {
    const consumers = await manager.consumers.list("KV_objects").next();
    return consumers.every((consumer) => consumer.push_bound !== true);
  });
}

test("a server that writes alone is sent acknowledgements and nothing else", async () => {
  await atRest();
  const before = own.stats().inMsgs;
  for (const name of ["a", "b", "c"]) await storage.create(id(name), text(name));
  expect(own.stats().inMsgs - before).toBe(3);
  expect(storage.list("core/configmaps").map(({ name }) => name)).toEqual(["a", "b", "c"]);
});

test("what others create, change and delete is seen, and in between the server comes to rest again", async () => {
  for (const value of ["one", "two"]) {
    await atRest();
    const revision = await others.put(key(value), text(value));
    await until(`${value} is seen`, () => storage.get(id(value))?.revision === revision);
  }
  await others.delete(key("one"));
  await until("the removal is seen", () => storage.get(id("one")) === undefined);
});

test("a write that comes after one that nobody heard of brings that along", async () => {
  await atRest();
  // Without an echo, what this connection itself publishes is as unheard of as a message that was lost.
  own.publish(`$KV.objects.${key("unheard")}`, text("unheard"));
  await storage.create(id("next"), text("next"));
  expect(storage.list("core/configmaps").map(({ name }) => name)).toEqual(["next", "unheard"]);
});

test("what was written while the connection was away is seen when it is back", async () => {
  await storage.create(id("a"), text("a"));
  await atRest();
  await nats.kill();
  await nats.restart();
  await until("NATS takes writes again", async () => (await others.put(key("b"), text("b")).catch(() => 0)) > 0);
  await until("b is seen", () => storage.get(id("b")) !== undefined);
  await storage.create(id("c"), text("c"));
  expect(storage.list("core/configmaps").map(({ name }) => name)).toEqual(["a", "b", "c"]);
});
