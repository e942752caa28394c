import { MAPS, objectText, onEachClient, startApiAndBucket } from "./local-api-fixture.ts";
import type { Row } from "./row.ts";

const CLIENTS = 32;
const LIMIT_MB = 600;

/** Resident memory of the API's process, with so many objects of 1 KB written through it since it started. */
function memoryRow(id: string, objects: number): Row {
  return {
    id,
    what: `resident memory of the laptop's Kubernetes API with ${objects} objects of 1 KB`,
    peerName: `the limit of ${LIMIT_MB} MB`,
    unit: "MB",
    better: "lower",
    target: 1,
    async prepare() {
      const { api, clients, close } = await startApiAndBucket(CLIENTS);
      await onEachClient(clients, objects, (client, number) => client.send("POST", MAPS, objectText(`m-${number}`, 1)));
      return { ours: async () => (await api.memory()) / 2 ** 20, peer: async () => LIMIT_MB, close };
    },
  };
}

/** A busy laptop. */
export const localApiMemory: Row = memoryRow("local-api-memory", 100_000);

/** A well-filled one. */
export const localApiMemoryTenth: Row = memoryRow("local-api-memory-10k", 10_000);
