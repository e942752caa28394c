import { createHash } from "node:crypto";
import { headers, type JetStreamClient, JsHeaders, type NatsConnection, nuid, type ObjectStore } from "nats";
import { Failure, messageOf } from "../errors.ts";
import type { TakenUpload, Uploads } from "../uploads-port.ts";
import { type NatsBlobsOptions, openBucket } from "./nats-blobs.ts";

const BUCKET = "openpitrix-uploads";
const CHUNK_BYTES = 128 * 1024;

/** Chunks that are on their way to JetStream; what the sender sends meanwhile waits in his socket. */
const MAX_UNANSWERED = 8;

/** Uploads stored this long ago are stored anew, so that whoever clears up takes them for young. */
const YOUNG_MS = 60 * 60 * 1000;

/**
 * Uploads into JetStream's object store, piece by piece. Chunks lie under an id of their own, so that an upload gets its
 * name, which is its digest, at the end; what breaks off in between is dropped. The client's own `put` needs the name
 * first, and lets failed chunks of a slow sender go unhandled.
 */
export function createNatsUploads(connection: NatsConnection, options: NatsBlobsOptions = {}): Uploads {
  const jetstream = connection.jetstream({ timeout: options.timeoutMs ?? 5_000 });
  let opened: Promise<ObjectStore> | undefined;
  return {
    async take(source, maxBytes) {
      opened ??= openBucket(jetstream, "uploads", options);
      const store = await opened.catch((error: unknown) => {
        opened = undefined;
        throw unavailable(error);
      });
      const id = nuid.next();
      try {
        const stored = await storeChunks(jetstream, id, piecesOf(source, maxBytes));
        return await name(jetstream, store, { id, ...stored });
      } catch (error) {
        await purge(jetstream, id).catch(() => undefined);
        throw error instanceof Failure ? error : unavailable(error);
      }
    },
  };
}

interface Chunks extends TakenUpload {
  readonly count: number;
}

async function storeChunks(jetstream: JetStreamClient, id: string, pieces: AsyncIterable<Uint8Array>): Promise<Chunks> {
  const hash = createHash("sha256");
  const waiting = new Set<Promise<unknown>>();
  let [bytes, count] = [0, 0];
  let failure: { readonly error: unknown } | undefined;
  for await (const piece of pieces) {
    hash.update(piece);
    bytes += piece.length;
    count += 1;
    const sent = jetstream
      .publish(`$O.${BUCKET}.C.${id}`, piece)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => waiting.delete(sent));
    waiting.add(sent);
    if (waiting.size >= MAX_UNANSWERED) await Promise.race(waiting);
    if (failure) throw failure.error;
  }
  await Promise.all(waiting);
  if (failure) throw failure.error;
  return { digest: `sha256:${hash.digest("hex")}`, bytes, count };
}

/** The sender's bytes in pieces that fit into a message; fails for him where he sends too much or breaks off. */
async function* piecesOf(source: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let total = 0;
  try {
    for await (const chunk of source) {
      total += chunk.length;
      if (total > maxBytes) throw new Failure("TooLarge", `the upload has more than ${maxBytes} bytes; send less`);
      for (let at = 0; at < chunk.length; at += CHUNK_BYTES) yield chunk.subarray(at, at + CHUNK_BYTES);
    }
  } catch (error) {
    throw error instanceof Failure ? error : new Failure("Invalid", `the upload broke off: ${messageOf(error)}`);
  }
}

/** Gives stored chunks their name, as the object store's readers expect it; the same bytes under it are given up. */
async function name(
  jetstream: JetStreamClient,
  store: ObjectStore,
  { id, digest, bytes, count }: Chunks & { readonly id: string },
): Promise<TakenUpload> {
  const known = await store.info(digest);
  const there = known !== null && !known.deleted;
  if (there && Date.now() - Date.parse(known.mtime) < YOUNG_MS) {
    await purge(jetstream, id);
    return { digest, bytes };
  }
  const sum = base64Url(Buffer.from(digest.slice("sha256:".length), "hex"));
  const entry = { name: digest, bucket: BUCKET, nuid: id, size: bytes, chunks: count, digest: `SHA-256=${sum}` };
  const header = headers();
  header.set(JsHeaders.RollupHdr, JsHeaders.RollupValueSubject);
  const info = { ...entry, mtime: new Date().toISOString(), options: { max_chunk_size: CHUNK_BYTES } };
  await jetstream.publish(`$O.${BUCKET}.M.${base64Url(Buffer.from(digest))}`, JSON.stringify(info), {
    headers: header,
  });
  if (there) await purge(jetstream, known.nuid);
  return { digest, bytes };
}

async function purge(jetstream: JetStreamClient, id: string): Promise<void> {
  const manager = await jetstream.jetstreamManager();
  await manager.streams.purge(`OBJ_${BUCKET}`, { filter: `$O.${BUCKET}.C.${id}` });
}

/** With padding, as the object store has it. */
function base64Url(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("+", "-").replaceAll("/", "_");
}

function unavailable(error: unknown): Failure {
  return new Failure("Unavailable", `object store: uploads: ${messageOf(error)}`, { cause: error });
}
