import { setTimeout as delay } from "node:timers/promises";
import type { KV, KvEntry } from "nats";
import { idOf } from "./storage-key.ts";
import { restamped, stampText } from "./storage-text.ts";
import type { WatchCache } from "./watch-cache.ts";

/** Takes everything that is written to a bucket into the cache, beginning after what the cache has. */
export interface Follower {
  /** Resolves when all that was there at the beginning is in the cache. */
  readonly loaded: Promise<void>;
  /** Begins anew after what has arrived. */
  restart(): void;
  stop(): Promise<void>;
}

const pauseMs = 250;

/** Starts to follow a bucket; `onChange` is told what is taken in. */
export function followBucket(kv: KV, cache: WatchCache, onChange: (change: KvEntry) => void): Follower {
  const { promise: loaded, resolve, reject } = Promise.withResolvers<void>();
  let stopped = false;
  let watch: ReturnType<KV["watch"]> | undefined;
  const once = async (): Promise<void> => {
    const resume = cache.revision === 0 ? {} : { resumeFromRevision: cache.revision + 1 };
    watch = kv.watch({ ...resume, initializedFn: resolve });
    for await (const change of await watch) {
      takeIn(cache, change);
      onChange(change);
    }
  };
  const end = async (): Promise<void> => {
    const current = await watch?.catch(() => undefined);
    current?.stop();
  };
  const running = (async () => {
    while (!stopped) {
      await once().catch(reject);
      // The ordered consumer gives up when the server is away for long; the pause lets it come back.
      if (!stopped) await delay(pauseMs);
    }
  })();
  // Only who opens a bucket waits for it to be loaded.
  loaded.catch(() => {});
  return {
    loaded,
    restart: () => void end(),
    async stop() {
      stopped = true;
      await end();
      await running;
    },
  };
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
