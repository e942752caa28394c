import { setTimeout as delay } from "node:timers/promises";
import { ErrorCode, type JetStreamManager, type KvEntry, type NatsConnection, NatsError, StorageType } from "nats";
import { type KvFeed, openKvFeed } from "./kv-feed.ts";
import { type KvWriter, openKvWriter, WriteRefused } from "./kv-writer.ts";
import {
  type Entry,
  type ObjectId,
  ObjectTooLarge,
  type Storage,
  StorageUnavailable,
  WriteConflict,
} from "./storage.ts";
import { keyOf } from "./storage-key.ts";
import { restamped, stampText } from "./storage-text.ts";
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
  const removals: number[] = [];
  let loading = true;
  const bucket = { nats: options.nats, manager, kv, bucket: options.bucket };
  const feed = await openKvFeed(bucket, cache, (change) => {
    if (loading && isOldRemoval(change)) removals.push(change.revision);
  });
  loading = false;
  cache.advance(state.last_seq);
  cache.startHistory();
  await forgetRemovals(manager, options.bucket, removals);
  return kvStorage(openKvWriter(options.nats, options.bucket), cache, feed);
}

function kvStorage(writer: KvWriter, cache: WatchCache, feed: KvFeed): Storage {
  const store = { writer, cache, feed };
  let writes = 0;
  const counted = async <T>(id: ObjectId, write: Promise<T>): Promise<T> => {
    try {
      const done = await write;
      writes += 1;
      return done;
    } catch (error) {
      // A write whose answer is lost may have happened.
      if (!(error instanceof WriteRefused)) feed.wake();
      await newsOf(feed, error);
      throw writeError(id, error);
    }
  };
  return {
    revision: () => cache.revision,
    oldest: () => cache.oldest,
    get: (id) => cache.get(id),
    list: (resource, namespace) => cache.list(resource, namespace),
    listAt: (resource, revision) => cache.listAt(resource, revision),
    since: (resource, revision) => cache.since(resource, revision),
    subscribe: (resource, listener) => cache.subscribe(resource, listener),
    create: (id, text) => counted(id, createKey(store, id, text)),
    update: (entry, text) => counted(entry, putKey(store, entry, { text, previous: entry.revision })),
    remove: (entry) => counted(entry, removeKey(store, entry)),
    writes: () => writes,
    close: async () => {
      await feed.stop();
      writer.close();
    },
  };
}

interface Store {
  readonly writer: KvWriter;
  readonly cache: WatchCache;
  readonly feed: KvFeed;
}

async function putKey(
  { writer, cache, feed }: Store,
  { resource, namespace, name }: ObjectId,
  { text, previous }: { readonly text: string; readonly previous: number },
): Promise<Entry> {
  const revision = await writer.put(keyOf({ resource, namespace, name }), text, previous);
  const entry = { resource, namespace, name, revision, text: stampText(text, revision) };
  // A write that is not the next one waits for those of others before it.
  if (cache.revision === revision - 1) cache.put(entry);
  else await feed.reached(revision);
  return entry;
}

async function createKey(store: Store, id: ObjectId, text: string): Promise<Entry> {
  try {
    return await putKey(store, id, { text, previous: 0 });
  } catch (error) {
    await newsOf(store.feed, error);
    // Somebody removed an object of that name: the mark of that is what has to be written over.
    const removal = error instanceof WriteRefused && store.cache.get(id) === undefined ? error.last : undefined;
    if (removal === undefined) throw error;
    return putKey(store, id, { text, previous: removal });
  }
}

async function removeKey({ writer, cache, feed }: Store, entry: Entry): Promise<number> {
  const revision = await writer.remove(keyOf(entry), entry.revision);
  if (cache.revision === revision - 1) cache.remove(entry, revision, restamped(revision));
  else await feed.reached(revision);
  return revision;
}

function writeError(id: ObjectId, error: unknown): Error {
  if (error instanceof NatsError && error.code === ErrorCode.MaxPayloadExceeded) return new ObjectTooLarge(id);
  const lost = error instanceof WriteRefused && error.code === wrongLastSequence;
  return lost ? new WriteConflict(id) : new StorageUnavailable(id, error);
}

const newsLimitMs = 1000;

// Somebody else's write came first: trying again makes sense only once that write can be read.
async function newsOf(feed: KvFeed, error: unknown): Promise<void> {
  if (!(error instanceof WriteRefused) || error.last === undefined) return;
  await Promise.race([feed.reached(error.last), delay(newsLimitMs, undefined, { ref: false })]);
}

// Markers of removals only matter to watches that resume, and none resumes across a restart; they would pile up.
async function forgetRemovals(manager: JetStreamManager, bucket: string, sequences: readonly number[]): Promise<void> {
  for (const sequence of sequences) await manager.streams.deleteMessage(`KV_${bucket}`, sequence, false);
}

function isOldRemoval(change: KvEntry): boolean {
  return change.operation !== "PUT" && change.created.getTime() < Date.now() - removalKeptMs;
}
