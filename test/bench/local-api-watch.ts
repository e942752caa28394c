import { type ApiAndBucket, MAPS, numbers, objectText, startApiAndBucket } from "./local-api-fixture.ts";
import { connectRaw } from "./raw-https.ts";
import type { Row, Sides } from "./row.ts";

const WATCHERS = 50;
const WRITES = 40;

/** One write until the last of many watchers has heard of it. */
export const localApiWatch: Row = {
  id: "local-api-watch",
  what: `one write through the laptop's Kubernetes API until the last of ${WATCHERS} watchers has it`,
  peerName: `a raw JetStream KV put until the last of ${WATCHERS} watches of the bucket has it`,
  unit: "ms",
  better: "lower",
  target: 2,
  prepare,
};

async function prepare(): Promise<Sides> {
  const both = await startApiAndBucket(1);
  const ours = await watchApi(both);
  const peer = await watchBucket(both);
  let value = 0;
  const put = async (): Promise<unknown> => both.kv.put("one", objectText("one", value++));
  const write = async (): Promise<unknown> => both.clients[0]?.send("PUT", `${MAPS}/one`, objectText("one", value++));
  await both.clients[0]?.send("POST", MAPS, objectText("one", value++));
  return {
    ours: () => timed(ours, write),
    peer: () => timed(peer, put),
    async close() {
      ours.close();
      await both.close();
    },
  };
}

/** Counts what all watchers together are told. */
interface Told {
  /** Resolves when every watcher was told once more. */
  next(): Promise<void>;
  close(): void;
}

async function timed(told: Told, write: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  for (const _ of numbers(WRITES)) {
    const all = told.next();
    await write();
    await all;
  }
  return (performance.now() - started) / WRITES;
}

function counting(close: () => void): Told & { tell(): void } {
  let left = 0;
  let done = (): void => {};
  return {
    tell() {
      left -= 1;
      if (left === 0) done();
    },
    next() {
      left = WATCHERS;
      return new Promise((resolve) => {
        done = resolve;
      });
    },
    close,
  };
}

async function watchApi({ api }: ApiAndBucket): Promise<Told> {
  const watchers = await Promise.all(numbers(WATCHERS).map(() => connectRaw(api.cluster)));
  const told = counting(() => {
    for (const watcher of watchers) watcher.close();
  });
  // Each event is one line, and lines of objects hold no other line break.
  const path = `${MAPS}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`;
  for (const watcher of watchers) await watcher.stream(path, told.tell);
  return told;
}

async function watchBucket({ nats }: ApiAndBucket): Promise<Told> {
  const told = counting(() => {});
  for (const _ of numbers(WATCHERS)) {
    const kv = await (await nats.connect()).jetstream().views.kv("raw");
    const { promise, resolve } = Promise.withResolvers<void>();
    const watch = await kv.watch({ initializedFn: resolve });
    void (async () => {
      for await (const entry of watch) if (entry.length > 0) told.tell();
    })();
    await promise;
  }
  return told;
}
