import { type KV, StorageType } from "nats";
import { mapLimited } from "../../shared/concurrency.ts";
import { type ApiProcess, startApiProcess } from "../contracts/kubernetes/api-process.ts";
import { startNats, type TestNats } from "../support/nats.ts";
import { connectRaw, type RawClient } from "./raw-https.ts";

/** What the rows about the laptop's Kubernetes API compare: it, in a process of its own, and a bucket on the same nats-server. */
export interface ApiAndBucket {
  readonly nats: TestNats;
  readonly api: ApiProcess;
  readonly clients: readonly RawClient[];
  readonly kv: KV;
  close(): Promise<void>;
}

/** Where the ConfigMaps of the default namespace are. */
export const MAPS = "/api/v1/namespaces/default/configmaps";

/** Starts both sides, with so many connections to the API. */
export async function startApiAndBucket(connections: number): Promise<ApiAndBucket> {
  const nats = await startNats();
  const api = await startApiProcess({ natsUrl: nats.url, port: 0, storage: "file" });
  const clients = await Promise.all(Array.from({ length: connections }, () => connectRaw(api.cluster)));
  const { views } = (await nats.connect()).jetstream();
  const kv = await views.kv("raw", { history: 1, storage: StorageType.File, maxValueSize: -1 });
  return {
    nats,
    api,
    clients,
    kv,
    async close() {
      for (const client of clients) client.close();
      await api.kill();
      await nats[Symbol.asyncDispose]();
    },
  };
}

/** Calls a function for every number below `count`, with one of the connections each, as many at once as there are. */
export async function onEachClient(
  clients: readonly RawClient[],
  count: number,
  call: (client: RawClient, number: number) => Promise<unknown>,
): Promise<void> {
  const free = [...clients];
  await mapLimited(numbers(count), clients.length, async (number) => {
    const client = free.pop();
    if (client === undefined) throw new Error("more calls at once than connections");
    await call(client, number);
    free.push(client);
  });
}

/** 0 … count − 1. */
export function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, number) => number);
}

/** A ConfigMap of 1 KB. */
export function objectText(name: string, value: number): string {
  const data = { value: String(value), text: "x".repeat(850) };
  return JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, data });
}
