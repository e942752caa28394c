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
