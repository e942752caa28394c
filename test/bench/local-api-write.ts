import type { KV } from "nats";
import { StorageType } from "nats";
import { mapLimited } from "../../shared/concurrency.ts";
import { startApiProcess } from "../contracts/kubernetes/api-process.ts";
import { startNats } from "../support/nats.ts";
import { connectRaw, type RawClient } from "./raw-https.ts";
import type { Row, Sides } from "./row.ts";

const CLIENTS = 32;
const COUNT = 4_000;
const MAPS = "/api/v1/namespaces/default/configmaps";

/** Objects of 1 KB created and then changed. */
export const localApiWrite: Row = {
  id: "local-api-write",
  what: `objects of 1 KB created and then changed per second through the laptop's Kubernetes API, ${CLIENTS} clients with a TLS connection each`,
  peerName: `raw JetStream KV create + update, ${CLIENTS} in flight`,
  unit: "writes/s",
  better: "higher",
  target: 0.5,
  prepare,
};

async function prepare(): Promise<Sides> {
  const nats = await startNats();
  const api = await startApiProcess({ natsUrl: nats.url, port: 0, storage: "file" });
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => connectRaw(api.cluster)));
  const kv = await (await nats.connect()).jetstream().views.kv("raw", {
    history: 1,
    storage: StorageType.File,
    maxValueSize: -1,
  });
  let round = 0;
  return {
    ours: () => ours(clients, round++),
    peer: () => peer(kv, round++),
    async close() {
      for (const client of clients) client.close();
      await api.kill();
      await nats[Symbol.asyncDispose]();
    },
  };
}

async function ours(clients: readonly RawClient[], round: number): Promise<number> {
  const started = performance.now();
  const free = [...clients];
  await mapLimited(numbers(), CLIENTS, async (number) => {
    const client = free.pop();
    const name = `m-${round}-${number}`;
    await client?.send("POST", MAPS, objectText(name, 1));
    await client?.send("PUT", `${MAPS}/${name}`, objectText(name, 2));
    if (client !== undefined) free.push(client);
  });
  return (2 * COUNT) / ((performance.now() - started) / 1000);
}

async function peer(kv: KV, round: number): Promise<number> {
  const started = performance.now();
  await mapLimited(numbers(), CLIENTS, async (number) => {
    const name = `m-${round}-${number}`;
    const revision = await kv.create(name, objectText(name, 1));
    await kv.update(name, objectText(name, 2), revision);
  });
  return (2 * COUNT) / ((performance.now() - started) / 1000);
}

function numbers(): readonly number[] {
  return Array.from({ length: COUNT }, (_, number) => number);
}

function objectText(name: string, value: number): string {
  const data = { value: String(value), text: "x".repeat(850) };
  return JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, data });
}
