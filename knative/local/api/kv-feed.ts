import type { JetStreamManager, KV, KvEntry, NatsConnection, Subscription } from "nats";
import { type Follower, followBucket } from "./kv-follower.ts";
import type { WatchCache } from "./watch-cache.ts";

/** A bucket and how to reach it. */
export interface FeedBucket {
  /** Best with noEcho: then a server that writes alone is sent nothing but acknowledgements. */
  readonly nats: NatsConnection;
  readonly manager: JetStreamManager;
  readonly kv: KV;
  readonly bucket: string;
}

/** Brings what others write to a bucket into the cache. */
export interface KvFeed {
  /** Resolves once reads show this revision. */
  reached(revision: number): Promise<void>;
  /** Looks for what may have been written unnoticed. */
  wake(): void;
  stop(): Promise<void>;
}

const restAfterMs = 3_000;

/**
 * Loads the bucket into the cache, then follows it only while others write: sending back to a server what it has just written
 * would cost it, and the NATS server, as much as the write itself. At rest it listens to what other connections publish.
 */
export async function openKvFeed(
  bucket: FeedBucket,
  cache: WatchCache,
  onChange: (change: KvEntry) => void,
): Promise<KvFeed> {
  const follow = (): Follower => followBucket(bucket.kv, cache, onChange);
  let follower: Follower | undefined = await loaded(follow());
  let listening: Subscription | undefined;
  let stopped = false;
  const wake = (): void => {
    if (stopped) return;
    listening?.unsubscribe();
    listening = undefined;
    follower ??= follow();
    resting.refresh();
  };
  const rest = async (): Promise<void> => {
    if (stopped || listening !== undefined) return;
    const ear = bucket.nats.subscribe(`$KV.${bucket.bucket}.>`, { callback: wake });
    listening = ear;
    // Who writes from now on is heard; what was written before has to arrive first.
    const { state } = await bucket.manager.streams.info(`KV_${bucket.bucket}`);
    await cache.reached(state.last_seq);
    if (listening !== ear) return;
    const finished = follower;
    follower = undefined;
    await finished?.stop();
  };
  const resting = setTimeout(() => void rest().catch(wake), restAfterMs).unref();
  void rest().catch(wake);
  void afterReconnect(bucket.nats, () => (follower === undefined ? wake() : follower.restart()));
  return {
    reached(revision) {
      if (cache.revision < revision) wake();
      return cache.reached(revision);
    },
    wake,
    async stop() {
      stopped = true;
      clearTimeout(resting);
      listening?.unsubscribe();
      await follower?.stop();
    },
  };
}

async function loaded(follower: Follower): Promise<Follower> {
  try {
    await follower.loaded;
    return follower;
  } catch (error) {
    await follower.stop();
    throw error;
  }
}

// What was published while the connection was away was heard by nobody, and a server that was killed has forgotten its consumers.
async function afterReconnect(nats: NatsConnection, restart: () => void): Promise<void> {
  for await (const { type } of nats.status()) if (type === "reconnect") restart();
}
