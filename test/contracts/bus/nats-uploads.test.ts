import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createNatsBlobs } from "../../../shared/adapters/nats-blobs.ts";
import { createNatsUploads } from "../../../shared/adapters/nats-uploads.ts";
import { sha256 } from "../../../shared/digest.ts";
import { startNats } from "../../support/nats.ts";

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const MAX = 10_000_000;

test.each([1, 1_000, 65_536, 1_000_000])("an upload in pieces of up to %i bytes is read as one", async (size) => {
  await using nats = await startNats();
  const connection = await nats.connect();
  const bytes = randomBytes(Math.min(size * 300, 3_000_000));
  const taken = await createNatsUploads(connection).take(inPieces(bytes, size), MAX);
  expect(taken).toEqual({ digest: sha256(bytes), bytes: bytes.length });
  const read = await createNatsBlobs(connection).get("uploads", taken.digest, MAX);
  expect(read && sha256(read)).toBe(taken.digest);
});

test("the same bytes, one after another and at once, are stored once; nothing at all is something", async () => {
  await using nats = await startNats();
  const connection = await nats.connect();
  const uploads = createNatsUploads(connection);
  const blobs = createNatsBlobs(connection);
  const bytes = randomBytes(400_000);
  await uploads.take(inPieces(bytes, 100_000), MAX);
  await Promise.all([1, 2, 3].map(() => uploads.take(inPieces(bytes, 100_000), MAX)));
  const manager = await connection.jetstreamManager();
  const { state } = await manager.streams.info("OBJ_openpitrix-uploads");
  expect(state.messages).toBe(5);
  const { digest } = await uploads.take(inPieces(Buffer.alloc(0), 1), MAX);
  expect(await blobs.get("uploads", digest, MAX)).toEqual(new Uint8Array());
});

test("what is put by its digest and what arrives in pieces are the same object", async () => {
  await using nats = await startNats();
  const connection = await nats.connect();
  const bytes = randomBytes(10);
  await createNatsBlobs(connection).put("uploads", sha256(bytes), bytes);
  const { digest } = await createNatsUploads(connection).take(inPieces(bytes, 3), MAX);
  expect(await createNatsBlobs(connection).get("uploads", digest, MAX)).toEqual(bytes);
  expect((await createNatsBlobs(connection).list("uploads")).map(({ key, bytes: size }) => [key, size])).toEqual([
    [digest, 10],
  ]);
});

test("too much is refused, and what breaks off is the sender's; nothing is left of either", async () => {
  await using nats = await startNats();
  const connection = await nats.connect();
  const uploads = createNatsUploads(connection);
  const bytes = randomBytes(500_000);
  await expect(uploads.take(inPieces(bytes, 100_000), 400_000)).rejects.toMatchObject({ kind: "TooLarge" });
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield bytes;
    throw new Error("the sender broke off");
  }
  await expect(uploads.take(broken(), MAX)).rejects.toMatchObject({ kind: "Invalid" });
  const manager = await connection.jetstreamManager();
  const { state } = await manager.streams.info("OBJ_openpitrix-uploads");
  expect(state.messages).toBe(0);
});

test("while the server is away, the failure says that trying again helps", async () => {
  await using nats = await startNats();
  const uploads = createNatsUploads(await nats.connect(), { timeoutMs: 500 });
  await uploads.take(inPieces(randomBytes(10), 3), MAX);
  async function* whileItGoes(): AsyncGenerator<Uint8Array> {
    yield randomBytes(100_000);
    await nats.kill();
    for (let each = 0; each < 20; each++) yield randomBytes(100_000);
  }
  await expect(uploads.take(whileItGoes(), MAX)).rejects.toMatchObject({ kind: "Unavailable" });
});
