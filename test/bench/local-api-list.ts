import type { KV } from "nats";
import { mapLimited } from "../../shared/concurrency.ts";
import { type ApiAndBucket, MAPS, numbers, objectText, onEachClient, startApiAndBucket } from "./local-api-fixture.ts";
import type { RawClient } from "./raw-https.ts";
import type { Row, Sides } from "./row.ts";

const MANY = 10_000;
const FEW = 1_000;
const CLIENTS = 16;
const LIMIT_MS = 500;

/** A list of many objects, complete with its last byte. */
export const localApiList: Row = {
  id: "local-api-list",
  what: `a list of ${MANY} objects of 1 KB through the laptop's Kubernetes API`,
  peerName: `the limit of ${LIMIT_MS} ms`,
  unit: "ms",
  better: "lower",
  target: 1,
  async prepare() {
    const both = await filled(MANY);
    return { ours: () => list(both.clients, ""), peer: async () => LIMIT_MS, close: both.close };
  },
};

/** The same list beside what the bucket itself takes. */
export const localApiListRaw: Row = {
  ...localApiList,
  id: "local-api-list-raw",
  peerName: "reading as many values from a raw JetStream KV bucket",
  async prepare() {
    const both = await filled(MANY);
    await mapLimited(numbers(MANY), CLIENTS, (number) => both.kv.put(`m-${number}`, objectText(`m-${number}`, 1)));
    return { ours: () => list(both.clients, ""), peer: () => readAll(both.kv), close: both.close };
  },
};

/** Ten times as many objects must not take more than ten times as long. */
export const localApiListLinear: Row = {
  id: "local-api-list-linear",
  what: `a list of ${MANY} objects through the laptop's Kubernetes API, time per object`,
  peerName: `time per object in a list of ${FEW}`,
  unit: "µs",
  better: "lower",
  target: 1.25,
  async prepare(): Promise<Sides> {
    const both = await filled(MANY);
    return {
      ours: async () => (1000 * (await list(both.clients, ""))) / MANY,
      peer: async () => (1000 * (await list(both.clients, `?limit=${FEW}`))) / FEW,
      close: both.close,
    };
  },
};

/** One object read again and again, beside the bucket's own read. */
export const localApiGet: Row = {
  id: "local-api-get",
  what: `objects of 1 KB read per second through the laptop's Kubernetes API by ${CLIENTS} clients over TLS`,
  peerName: `raw JetStream KV get, ${CLIENTS} in flight`,
  unit: "reads/s",
  better: "higher",
  target: 0.5,
  async prepare() {
    const both = await filled(FEW);
    await mapLimited(numbers(FEW), CLIENTS, (number) => both.kv.put(`m-${number}`, objectText(`m-${number}`, 1)));
    return {
      ours: () =>
        perSecond(() =>
          onEachClient(both.clients, MANY, (client, number) => client.send("GET", `${MAPS}/m-${number % FEW}`)),
        ),
      peer: () => perSecond(() => mapLimited(numbers(MANY), CLIENTS, (number) => both.kv.get(`m-${number % FEW}`))),
      close: both.close,
    };
  },
};

async function filled(count: number): Promise<ApiAndBucket> {
  const both = await startApiAndBucket(CLIENTS);
  await onEachClient(both.clients, count, (client, number) => client.send("POST", MAPS, objectText(`m-${number}`, 1)));
  return both;
}

async function list([client]: readonly RawClient[], query: string): Promise<number> {
  const started = performance.now();
  await client?.send("GET", `${MAPS}${query}`);
  return performance.now() - started;
}

async function readAll(kv: KV): Promise<number> {
  const started = performance.now();
  const { promise: read, resolve } = Promise.withResolvers<void>();
  const watch = await kv.watch({ initializedFn: resolve });
  const values: string[] = [];
  const reading = (async () => {
    for await (const entry of watch) values.push(entry.string());
  })();
  await read;
  watch.stop();
  await reading;
  if (values.length < MANY) throw new Error(`${values.length} of ${MANY} values were read`);
  return performance.now() - started;
}

async function perSecond(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return MANY / ((performance.now() - started) / 1000);
}
