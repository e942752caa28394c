import {
  ErrorCode,
  type JetStreamClient,
  type NatsConnection,
  type NatsError,
  type ObjectStore,
  StorageType,
} from "nats";
import { Failure, messageOf } from "../errors.ts";
import type { Blobs, Bucket } from "../ports.ts";

/** How buckets are made that are not there yet. */
export interface NatsBlobsOptions {
  readonly storage?: "file" | "memory";
  readonly replicas?: number;
  /** Time for one answer of JetStream; default 5 s. */
  readonly timeoutMs?: number;
  /** Tries before the failure is reported; default 3. */
  readonly tries?: number;
}

/** Uploads that no package came of are dropped after this time; packages and indexes stay. */
const UPLOAD_DAYS = 30;
const DAY_NANOS = 86_400_000_000_000;

const DESCRIPTION: Readonly<Record<Bucket, string>> = {
  uploads: "Chart packages as they were uploaded, by digest",
  packages: "Chart packages that passed their checks, by digest",
  indexes: "Repository indexes as fetched, by digest",
};

/**
 * Immutable bytes in JetStream's object store, one bucket per use, made at its first use.
 * Fails with `TooLarge` beyond a reader's limit and `Unavailable` while JetStream does not answer.
 */
export function createNatsBlobs(connection: NatsConnection, options: NatsBlobsOptions = {}): Blobs {
  const { timeoutMs = 5_000, tries = 3 } = options;
  const jetstream = connection.jetstream({ timeout: timeoutMs });
  const stores = new Map<Bucket, Promise<ObjectStore>>();
  const storeOf = (bucket: Bucket) => {
    const known = stores.get(bucket);
    if (known) return known;
    const opened = open(jetstream, bucket, options);
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
      insist(`put ${bucket}/${key}`, tries, async () => write(await storeOf(bucket), key, bytes)),
    remove: (bucket, key) => insist(`remove ${bucket}/${key}`, tries, async () => forget(await storeOf(bucket), key)),
  };
}

function open(jetstream: JetStreamClient, bucket: Bucket, options: NatsBlobsOptions): Promise<ObjectStore> {
  return jetstream.views.os(`openpitrix-${bucket}`, {
    description: DESCRIPTION[bucket],
    storage: options.storage === "memory" ? StorageType.Memory : StorageType.File,
    replicas: options.replicas ?? 1,
    ...(bucket === "uploads" ? { ttl: UPLOAD_DAYS * DAY_NANOS } : {}),
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

async function write(store: ObjectStore, key: string, bytes: Uint8Array): Promise<void> {
  const known = await store.info(key);
  if (known && !known.deleted && known.size === bytes.length) return;
  await store.putBlob({ name: key }, bytes);
}

async function forget(store: ObjectStore, key: string): Promise<void> {
  const known = await store.info(key);
  if (known && !known.deleted) await store.delete(key);
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
