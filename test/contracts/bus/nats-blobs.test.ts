import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createNatsBlobs } from "../../../shared/adapters/nats-blobs.ts";
import { sha256 } from "../../../shared/digest.ts";
import { startNats } from "../../support/nats.ts";

test("bytes come back under their digest, within the reader's limit, and storing them again changes nothing", async () => {
  await using nats = await startNats();
  const connection = await nats.connect();
  const blobs = createNatsBlobs(connection);
  const bytes = randomBytes(300_000);
  const key = sha256(bytes);
  expect(await blobs.get("packages", key, 1)).toBe(undefined);
  await blobs.put("packages", key, bytes);
  await Promise.all([blobs.put("packages", key, bytes), blobs.put("packages", key, bytes)]);
  const read = await blobs.get("packages", key, bytes.length);
  expect(read && sha256(read)).toBe(key);
  expect(await blobs.get("uploads", key, bytes.length)).toBe(undefined);
  await expect(blobs.get("packages", key, bytes.length - 1)).rejects.toMatchObject({ kind: "TooLarge" });
  const manager = await connection.jetstreamManager();
  const { state } = await manager.streams.info("OBJ_openpitrix-packages");
  expect(state.messages).toBe(4);
});

test("an empty object is an object", async () => {
  await using nats = await startNats();
  const blobs = createNatsBlobs(await nats.connect());
  await blobs.put("indexes", "empty", new Uint8Array());
  expect(await blobs.get("indexes", "empty", 10)).toEqual(new Uint8Array());
});

test("what is given up is gone, may be given up again, and may come back", async () => {
  await using nats = await startNats();
  const blobs = createNatsBlobs(await nats.connect());
  await blobs.put("indexes", "repo-1/sha256:11", new Uint8Array([1]));
  await blobs.remove("indexes", "repo-1/sha256:11");
  await blobs.remove("indexes", "repo-1/sha256:11");
  expect(await blobs.get("indexes", "repo-1/sha256:11", 10)).toBeUndefined();
  await blobs.put("indexes", "repo-1/sha256:11", new Uint8Array([1]));
  expect(await blobs.get("indexes", "repo-1/sha256:11", 10)).toEqual(Buffer.from([1]));
});

test("while the server is away, the failure says that trying again helps", async () => {
  await using nats = await startNats();
  const blobs = createNatsBlobs(await nats.connect(), { timeoutMs: 1_000 });
  await blobs.put("indexes", "one", new Uint8Array([1]));
  await nats.kill();
  await expect(blobs.get("indexes", "one", 10)).rejects.toMatchObject({ kind: "Unavailable" });
  await nats.restart();
  expect(await blobs.get("indexes", "one", 10)).toEqual(Buffer.from([1]));
});

test("a bucket is listed, and only what is still as it was listed is given up", async () => {
  await using nats = await startNats();
  const connection = await nats.connect();
  const blobs = createNatsBlobs(connection);
  expect(await blobs.list("attachments")).toEqual([]);
  await blobs.put("attachments", "att-1", randomBytes(300_000));
  await blobs.put("attachments", "att-2?", new Uint8Array([2]));
  const listed = await blobs.list("attachments");
  expect(listed.map(({ key, bytes }) => `${key} ${bytes}`).sort()).toEqual(["att-1 300000", "att-2? 1"]);
  const [first, second] = listed.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  if (!first || !second) throw new Error("two are listed");
  expect(Math.abs(first.storedAt.getTime() - Date.now())).toBeLessThan(60_000);
  await blobs.remove("attachments", "att-1", second.revision);
  expect(await blobs.get("attachments", "att-1", 300_000)).toHaveLength(300_000);
  await blobs.remove("attachments", "att-1", first.revision);
  await blobs.remove("attachments", "att-2?", second.revision);
  expect(await blobs.get("attachments", "att-1", 300_000)).toBeUndefined();
  expect(await blobs.list("attachments")).toEqual([]);
  const manager = await connection.jetstreamManager();
  const { state } = await manager.streams.info("OBJ_openpitrix-attachments");
  expect(state.bytes, "the chunks are gone").toBeLessThan(10_000);
  await blobs.put("attachments", "att-1", new Uint8Array([1]));
  expect(await blobs.get("attachments", "att-1", 10)).toEqual(Buffer.from([1]));
});

test("what is stored anew after it was listed is kept", async () => {
  await using nats = await startNats();
  let now = Date.now();
  const blobs = createNatsBlobs(await nats.connect(), { now: () => now });
  await blobs.put("packages", "sha256:11", new Uint8Array([1]));
  const [before] = await blobs.list("packages");
  if (!before) throw new Error("one is listed");
  await blobs.put("packages", "sha256:11", new Uint8Array([1]));
  expect((await blobs.list("packages"))[0]?.revision, "young bytes stay as they are").toBe(before.revision);
  now += 2 * 60 * 60 * 1000;
  await blobs.put("packages", "sha256:11", new Uint8Array([1]));
  await blobs.remove("packages", "sha256:11", before.revision);
  expect(await blobs.get("packages", "sha256:11", 10)).toEqual(Buffer.from([1]));
});
