import type { KV, NatsConnection } from "nats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startNats, type TestNats } from "../../../test/support/nats.ts";
import { type KvWriter, openKvWriter, WriteRefused } from "./kv-writer.ts";

let nats: TestNats;
let connection: NatsConnection;
let kv: KV;
let writer: KvWriter;

beforeAll(async () => {
  nats = await startNats();
  connection = await nats.connect();
  kv = await connection.jetstream().views.kv("objects", { history: 1 });
  writer = openKvWriter(connection, "objects");
});
afterAll(async () => {
  writer?.close();
  await nats?.[Symbol.asyncDispose]();
});

test("of several writes at once to one key the first gets through", async () => {
  const written = await Promise.allSettled(["a", "b", "c"].map((text) => writer.put("one", text, 0)));
  expect(written.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  expect((await kv.get("one"))?.string()).toBe("a");
});

test("a refusal tells what the newest sequence is", async () => {
  const first = await writer.put("two", "a", 0);
  const second = await writer.put("two", "b", first);
  const refused = await writer.put("two", "c", first).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(WriteRefused);
  expect((refused as WriteRefused).last).toBe(second);
});

test("a removal leaves the mark that other clients of the bucket read", async () => {
  const sequence = await writer.put("three", "a", 0);
  const removal = await writer.remove("three", sequence);
  expect(removal).toBe(sequence + 1);
  expect((await kv.get("three"))?.operation).toBe("DEL");
});

test("a bucket that is not there refuses", async () => {
  const stray = openKvWriter(connection, "missing");
  await expect(stray.put("one", "a", 0)).rejects.toThrow();
  stray.close();
});

test("a message beyond the server's limit is refused without being sent", async () => {
  await expect(writer.put("big", "x".repeat(9 * 2 ** 20), 0)).rejects.toThrow(/MAX_PAYLOAD/);
  expect(await kv.get("big")).toBeNull();
});

test("closing ends what still waits", async () => {
  const closing = openKvWriter(connection, "objects");
  const write = closing.put("late", "a", 0);
  closing.close();
  await expect(write).rejects.toThrow("closing");
});
