import { setTimeout as delay } from "node:timers/promises";
import {
  ErrorCode,
  type JetStreamManager,
  type KV,
  type KvEntry,
  type NatsConnection,
  NatsError,
  StorageType,
} from "nats";
import { type KvWriter, openKvWriter, WriteRefused } from "./kv-writer.ts";
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
  const feed = await followBucket({ nats: options.nats, kv }, cache);
  cache.advance(state.last_seq);
  cache.startHistory();
  await forgetRemovals(manager, options.bucket, feed.oldRemovals());
  return kvStorage(openKvWriter(options.nats, options.bucket), cache, feed);
}

function kvStorage(writer: KvWriter, cache: WatchCache, feed: Feed): Storage {
  let writes = 0;
  const counted = async <T>(id: ObjectId, write: Promise<T>): Promise<T> => {
    try {
      const done = await write;
      writes += 1;
      return done;
    } catch (error) {
      await newsOf(cache, error);
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
    create: (id, text) => counted(id, createKey({ writer, cache }, id, text)),
    update: (entry, text) => counted(entry, putKey({ writer, cache }, entry, { text, previous: entry.revision })),
    remove: (entry) => counted(entry, removeKey({ writer, cache }, entry)),
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
}

async function putKey(
  { writer, cache }: Store,
  { resource, namespace, name }: ObjectId,
  { text, previous }: { readonly text: string; readonly previous: number },
): Promise<Entry> {
  const revision = await writer.put(keyOf({ resource, namespace, name }), text, previous);
  const entry = { resource, namespace, name, revision, text: stampText(text, revision) };
  // The feed brings it as well, but later; a write that is not the next one waits for those before it.
  if (cache.revision === revision - 1) cache.put(entry);
  else await cache.reached(revision);
  return entry;
}

async function createKey(store: Store, id: ObjectId, text: string): Promise<Entry> {
  try {
    return await putKey(store, id, { text, previous: 0 });
  } catch (error) {
    await newsOf(store.cache, error);
    // Somebody removed an object of that name: the mark of that is what has to be written over.
    const removal = error instanceof WriteRefused && store.cache.get(id) === undefined ? error.last : undefined;
    if (removal === undefined) throw error;
    return putKey(store, id, { text, previous: removal });
  }
}

async function removeKey({ writer, cache }: Store, entry: Entry): Promise<number> {
  const revision = await writer.remove(keyOf(entry), entry.revision);
  if (cache.revision === revision - 1) cache.remove(entry, revision, restamped(revision));
  else await cache.reached(revision);
  return revision;
}

function restamped(revision: number): (entry: Entry) => Entry {
  return (entry) => ({ ...entry, revision, text: stampText(entry.text, revision) });
}

function writeError(id: ObjectId, error: unknown): Error {
  if (error instanceof NatsError && error.code === ErrorCode.MaxPayloadExceeded) return new ObjectTooLarge(id);
  const lost = error instanceof WriteRefused && error.code === wrongLastSequence;
  return lost ? new WriteConflict(id) : new StorageUnavailable(id, error);
}

const newsLimitMs = 1000;

// Somebody else's write came first: trying again makes sense only once that write can be read.
async function newsOf(cache: WatchCache, error: unknown): Promise<void> {
  if (!(error instanceof WriteRefused) || error.last === undefined) return;
  await Promise.race([cache.reached(error.last), delay(newsLimitMs, undefined, { ref: false })]);
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

interface Bucket {
  readonly nats: NatsConnection;
  readonly kv: KV;
}

async function followBucket({ nats, kv }: Bucket, cache: WatchCache): Promise<Feed> {
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
  void afterReconnect(nats, () => current?.stop());
  return {
    oldRemovals: () => removals,
    async stop() {
      stopped = true;
      current?.stop();
      await running;
    },
  };
}

// A server that was killed has forgotten the feed's consumer; without this it would be missed only after several heartbeats.
async function afterReconnect(nats: NatsConnection, restart: () => void): Promise<void> {
  for await (const { type } of nats.status()) if (type === "reconnect") restart();
}

function isOldRemoval(change: KvEntry): boolean {
  return change.operation !== "PUT" && change.created.getTime() < Date.now() - removalKeptMs;
}

function takeIn(cache: WatchCache, change: KvEntry): void {
  const { revision } = change;
  if (revision <= cache.revision) return;
  const id = idOf(change.key);
  if (id === undefined) {
    cache.advance(revision);
    return;
  }
  if (change.operation === "PUT") {
    cache.put({ ...id, revision, text: stampText(Buffer.from(change.value).toString(), revision) });
  } else {
    cache.remove(id, revision, restamped(revision));
  }
}
