import { setTimeout as delay } from "node:timers/promises";
import {
  Empty,
  ErrorCode,
  headers,
  type JetStreamClient,
  type JetStreamManager,
  type KV,
  type KvEntry,
  type NatsConnection,
  NatsError,
  StorageType,
} from "nats";
import {
  type Entry,
  type ObjectId,
  ObjectTooLarge,
  type Storage,
  StorageUnavailable,
  WriteConflict,
} from "./storage.ts";
import { idOf, keyOf } from "./storage-key.ts";
import { stampText } from "./storage-text.ts";
import { type HistoryLimits, WatchCache } from "./watch-cache.ts";

/** Which bucket to use, and how. */
export interface KvStorageOptions {
  readonly nats: NatsConnection;
  readonly bucket: string;
  readonly storage: "memory" | "file";
  readonly history?: HistoryLimits;
}

const wrongLastSequence = 10071;
const removalKeptMs = 10 * 60_000;

/** Opens (or creates) the bucket and loads it: the resourceVersion of an object is its sequence in the stream. */
export async function openKvStorage(options: KvStorageOptions): Promise<Storage> {
  const jetstream = options.nats.jetstream();
  const kv = await jetstream.views.kv(options.bucket, {
    history: 1,
    storage: options.storage === "memory" ? StorageType.Memory : StorageType.File,
    maxValueSize: -1,
  });
  const manager = await options.nats.jetstreamManager();
  const { state } = await manager.streams.info(`KV_${options.bucket}`);
  const cache = new WatchCache(options.history);
  const feed = await followBucket(kv, cache);
  cache.advance(state.last_seq);
  cache.startHistory();
  await forgetRemovals(manager, options.bucket, feed.oldRemovals());
  return kvStorage({ name: options.bucket, jetstream, kv }, cache, feed);
}

interface Bucket {
  readonly name: string;
  readonly jetstream: JetStreamClient;
  readonly kv: KV;
}

function kvStorage(bucket: Bucket, cache: WatchCache, feed: Feed): Storage {
  const { kv } = bucket;
  let writes = 0;
  const acknowledged = async (id: ObjectId, write: Promise<number>): Promise<number> => {
    const revision = await write.catch(async (error: unknown) => {
      await newsOf(cache, error);
      throw writeError(id, error);
    });
    writes += 1;
    await cache.reached(revision);
    return revision;
  };
  const written = async (id: ObjectId, write: Promise<number>, text: string): Promise<Entry> => {
    const revision = await acknowledged(id, write);
    return { resource: id.resource, namespace: id.namespace, name: id.name, revision, text: stampText(text, revision) };
  };
  return {
    revision: () => cache.revision,
    oldest: () => cache.oldest,
    get: (id) => cache.get(id),
    list: (resource, namespace) => cache.list(resource, namespace),
    listAt: (resource, revision) => cache.listAt(resource, revision),
    since: (resource, revision) => cache.since(resource, revision),
    subscribe: (resource, listener) => cache.subscribe(resource, listener),
    create: (id, text) => written(id, kv.create(keyOf(id), Buffer.from(text)), text),
    update: (entry, text) => written(entry, kv.update(keyOf(entry), Buffer.from(text), entry.revision), text),
    remove: (entry) => acknowledged(entry, removeKey(bucket, entry)),
    writes: () => writes,
    close: () => feed.stop(),
  };
}

// The client's own delete throws the acknowledgement away, and its sequence is the revision of the removal.
async function removeKey(bucket: Bucket, entry: Entry): Promise<number> {
  const marker = headers();
  marker.set("KV-Operation", "DEL");
  const acknowledgement = await bucket.jetstream.publish(`$KV.${bucket.name}.${keyOf(entry)}`, Empty, {
    headers: marker,
    expect: { lastSubjectSequence: entry.revision },
  });
  return acknowledgement.seq;
}

function writeError(id: ObjectId, error: unknown): Error {
  if (error instanceof NatsError && error.code === ErrorCode.MaxPayloadExceeded) return new ObjectTooLarge(id);
  const code = error instanceof NatsError ? error.api_error?.err_code : undefined;
  return code === wrongLastSequence ? new WriteConflict(id) : new StorageUnavailable(id, error);
}

const newsLimitMs = 1000;

// Another server's write came first: trying again makes sense only once that write can be read.
async function newsOf(cache: WatchCache, error: unknown): Promise<void> {
  if (!(error instanceof NatsError) || error.api_error?.err_code !== wrongLastSequence) return;
  const [, last] = /wrong last sequence: (\d+)/u.exec(error.api_error.description) ?? [];
  if (last === undefined) return;
  await Promise.race([cache.reached(Number(last)), delay(newsLimitMs, undefined, { ref: false })]);
}

// Markers of removals only matter to watches that resume, and none resumes across a restart; they would pile up.
async function forgetRemovals(manager: JetStreamManager, bucket: string, sequences: readonly number[]): Promise<void> {
  for (const sequence of sequences) await manager.streams.deleteMessage(`KV_${bucket}`, sequence, false);
}

interface Feed {
  /** Sequences of the removal markers that were there at the start and are old enough to be forgotten. */
  oldRemovals(): readonly number[];
  stop(): Promise<void>;
}

async function followBucket(kv: KV, cache: WatchCache): Promise<Feed> {
  const removals: number[] = [];
  let loading = true;
  let stopped = false;
  let current: Awaited<ReturnType<KV["watch"]>> | undefined;
  const follow = async (loaded: () => void): Promise<void> => {
    const resume = cache.revision === 0 ? {} : { resumeFromRevision: cache.revision + 1 };
    current = await kv.watch({ ...resume, initializedFn: loaded });
    for await (const change of current) {
      takeIn(cache, change);
      if (loading && isOldRemoval(change)) removals.push(change.revision);
    }
  };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const running = (async () => {
    let first: ((error: unknown) => void) | undefined = reject;
    while (!stopped) {
      await follow(() => {
        first = undefined;
        resolve();
      }).catch((error: unknown) => first?.(error));
      // The ordered consumer gives up when the server is away for long; the pause lets it come back.
      if (!stopped) await new Promise((again) => setTimeout(again, 250));
    }
  })();
  await promise;
  loading = false;
  return {
    oldRemovals: () => removals,
    async stop() {
      stopped = true;
      current?.stop();
      await running;
    },
  };
}

function isOldRemoval(change: KvEntry): boolean {
  return change.operation !== "PUT" && change.created.getTime() < Date.now() - removalKeptMs;
}

function takeIn(cache: WatchCache, change: KvEntry): void {
  const id = idOf(change.key);
  if (id === undefined) {
    cache.advance(change.revision);
    return;
  }
  const revision = change.revision;
  if (change.operation === "PUT") {
    cache.put({ ...id, revision, text: stampText(Buffer.from(change.value).toString(), revision) });
  } else {
    cache.remove(id, revision, (entry) => ({ ...entry, revision, text: stampText(entry.text, revision) }));
  }
}
