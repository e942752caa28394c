import {
  ErrorCode,
  headers,
  type JetStreamClient,
  JsHeaders,
  type NatsConnection,
  type NatsError,
  type ObjectStore,
  StorageType,
} from "nats";
import { Failure, messageOf } from "../errors.ts";
import type { Blobs, Bucket } from "../ports.ts";
import type { Storage, StoredBlob } from "../storage-port.ts";

/** How buckets are made that are not there yet. */
export interface NatsBlobsOptions {
  readonly storage?: "file" | "memory";
  readonly replicas?: number;
  /** Time for one answer of JetStream; default 5 s. */
  readonly timeoutMs?: number;
  /** Tries before the failure is reported; default 3. */
  readonly tries?: number;
  /** Milliseconds since the epoch; default: the machine's clock. */
  now?(): number;
}

const DAY_NANOS = 86_400_000_000_000;

/** Days that a bucket keeps what nobody takes away; the others keep it for ever. */
const TTL_DAYS: Partial<Record<Bucket, number>> = { uploads: 30, envelopes: 1 };

/** Bytes that were stored this long ago are stored again, so that whoever clears up takes them for young. */
const YOUNG_MS = 60 * 60 * 1000;

/** JetStream's word for: somebody else has written this since. */
const WRONG_LAST_SEQUENCE = 10071;

const DESCRIPTION: Readonly<Record<Bucket, string>> = {
  uploads: "Chart packages as they were uploaded, by digest",
  packages: "Chart packages that passed their checks, by digest",
  indexes: "Repository indexes as fetched, by digest",
  attachments: "Icons and screenshots, by id",
  envelopes: "Sealed credentials on their way into a Secret",
};

/**
 * Immutable bytes in JetStream's object store, one bucket per use, made at its first use.
 * Fails with `TooLarge` beyond a reader's limit and `Unavailable` while JetStream does not answer.
 */
export function createNatsBlobs(connection: NatsConnection, options: NatsBlobsOptions = {}): Blobs & Storage {
  const { timeoutMs = 5_000, tries = 3, now = Date.now } = options;
  const jetstream = connection.jetstream({ timeout: timeoutMs });
  const stores = new Map<Bucket, Promise<ObjectStore>>();
  const storeOf = (bucket: Bucket) => {
    const known = stores.get(bucket);
    if (known) return known;
    const opened = openBucket(jetstream, bucket, options);
    stores.set(bucket, opened);
    opened.catch(() => stores.delete(bucket));
    return opened;
  };
  return {
    get: (bucket, key, maxBytes) => {
      const wanted = { name: `${bucket}/${key}`, key, maxBytes };
      return insist(`get ${bucket}/${key}`, tries, async () => read(await storeOf(bucket), wanted));
    },
    put: (bucket, key, bytes) =>
      insist(`put ${bucket}/${key}`, tries, async () => write(await storeOf(bucket), { key, bytes, now: now() })),
    remove: (bucket, key, revision) =>
      insist(`remove ${bucket}/${key}`, tries, async () =>
        revision === undefined
          ? forget(await storeOf(bucket), key)
          : forgetIf(jetstream, await storeOf(bucket), { bucket, key, revision }),
      ),
    list: (bucket) => insist(`list ${bucket}`, tries, async () => listed(await storeOf(bucket))),
  };
}

/** Opens a bucket, and makes it where it is not there yet. */
export function openBucket(
  jetstream: JetStreamClient,
  bucket: Bucket,
  options: NatsBlobsOptions,
): Promise<ObjectStore> {
  return jetstream.views.os(`openpitrix-${bucket}`, {
    description: DESCRIPTION[bucket],
    storage: options.storage === "memory" ? StorageType.Memory : StorageType.File,
    replicas: options.replicas ?? 1,
    ...(TTL_DAYS[bucket] === undefined ? {} : { ttl: TTL_DAYS[bucket] * DAY_NANOS }),
  });
}

interface Wanted {
  readonly name: string;
  readonly key: string;
  readonly maxBytes: number;
}

async function read(store: ObjectStore, { name, key, maxBytes }: Wanted): Promise<Uint8Array | undefined> {
  const info = await store.info(key);
  if (!info || info.deleted) return undefined;
  if (info.size > maxBytes) {
    throw new Failure("TooLarge", `${name} has ${info.size} bytes, more than the ${maxBytes} that are read`);
  }
  const bytes = await store.getBlob(key);
  if (bytes && bytes.length > maxBytes) throw new Failure("TooLarge", `${name} has more than ${maxBytes} bytes`);
  return bytes ?? undefined;
}

interface Wish {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly now: number;
}

async function write(store: ObjectStore, { key, bytes, now }: Wish): Promise<void> {
  const known = await store.info(key);
  const same = known && !known.deleted && known.size === bytes.length;
  if (same && now - Date.parse(known.mtime) < YOUNG_MS) return;
  await store.putBlob({ name: key }, bytes);
}

async function forget(store: ObjectStore, key: string): Promise<void> {
  const known = await store.info(key);
  if (known && !known.deleted) await store.delete(key);
}

interface Unchanged {
  readonly bucket: Bucket;
  readonly key: string;
  readonly revision: string;
}

/** Gives bytes up by the rules of the object store, but only if they are still those of that revision. */
async function forgetIf(jetstream: JetStreamClient, store: ObjectStore, gone: Unchanged): Promise<void> {
  const known = await store.info(gone.key);
  if (!known || known.deleted || known.nuid !== gone.revision) return;
  const name = `openpitrix-${gone.bucket}`;
  const { nuid, options } = known;
  const tombstone = { name: gone.key, bucket: name, nuid, options, deleted: true, size: 0, chunks: 0, digest: "" };
  const encoded = Buffer.from(gone.key).toString("base64").replaceAll("+", "-").replaceAll("/", "_");
  const header = headers();
  header.set(JsHeaders.RollupHdr, JsHeaders.RollupValueSubject);
  try {
    const expect = { lastSubjectSequence: known.revision };
    await jetstream.publish(
      `$O.${name}.M.${encoded}`,
      JSON.stringify({ ...tombstone, mtime: new Date().toISOString() }),
      {
        headers: header,
        expect,
      },
    );
  } catch (error) {
    if ((error as NatsError).api_error?.err_code === WRONG_LAST_SEQUENCE) return;
    throw error;
  }
  const manager = await jetstream.jetstreamManager();
  await manager.streams.purge(`OBJ_${name}`, { filter: `$O.${name}.C.${nuid}` });
}

async function listed(store: ObjectStore): Promise<readonly StoredBlob[]> {
  const found = await store.list();
  return found.map(({ name, size, mtime, nuid }) => ({
    key: name,
    bytes: size,
    storedAt: new Date(mtime),
    revision: nuid,
  }));
}

/** Repeats what went unanswered: reading and storing immutable bytes twice does no harm. */
async function insist<T>(what: string, tries: number, act: () => Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await act();
    } catch (error) {
      if (left <= 1 || !isUnanswered(error)) throw failureOf(error, what);
    }
  }
}

function isUnanswered(error: unknown): boolean {
  const { code } = error as NatsError;
  return code === ErrorCode.Timeout || code === ErrorCode.NoResponders;
}

function failureOf(error: unknown, what: string): Failure {
  if (error instanceof Failure) return error;
  const text = (error as NatsError).api_error?.description ?? messageOf(error);
  return new Failure("Unavailable", `object store: ${what}: ${text}`, { cause: error });
}
