import type { KV } from "nats";
import { mapLimited } from "../../shared/concurrency.ts";
import { MAPS, numbers, objectText, onEachClient, startApiAndBucket } from "./local-api-fixture.ts";
import type { RawClient } from "./raw-https.ts";
import type { Row, Sides } from "./row.ts";

const CLIENTS = 32;
const COUNT = 8_000;

/** Objects of 1 KB created and then changed. */
export const localApiWrite: Row = {
  id: "local-api-write",
  what: `objects of 1 KB created and then changed per second through the laptop's Kubernetes API by ${CLIENTS} clients over TLS`,
  peerName: `raw JetStream KV create + update, ${CLIENTS} in flight`,
  unit: "writes/s",
  better: "higher",
  target: 0.5,
  prepare,
};

async function prepare(): Promise<Sides> {
  const { clients, kv, close } = await startApiAndBucket(CLIENTS);
  let round = 0;
  return { ours: () => ours(clients, round++), peer: () => peer(kv, round++), close };
}

async function ours(clients: readonly RawClient[], round: number): Promise<number> {
  const started = performance.now();
  await onEachClient(clients, COUNT, async (client, number) => {
    const name = `m-${round}-${number}`;
    await client.send("POST", MAPS, objectText(name, 1));
    await client.send("PUT", `${MAPS}/${name}`, objectText(name, 2));
  });
  return (2 * COUNT) / ((performance.now() - started) / 1000);
}

async function peer(kv: KV, round: number): Promise<number> {
  const started = performance.now();
  await mapLimited(numbers(COUNT), CLIENTS, async (number) => {
    const name = `m-${round}-${number}`;
    const revision = await kv.create(name, objectText(name, 1));
    await kv.update(name, objectText(name, 2), revision);
  });
  return (2 * COUNT) / ((performance.now() - started) / 1000);
}
