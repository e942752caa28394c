import type { KV } from "nats";
import { mapLimited } from "../../shared/concurrency.ts";
import { MAPS, numbers, objectText, onEachClient, startApiAndBucket } from "./local-api-fixture.ts";
import type { RawClient } from "./raw-https.ts";
import type { Row, Sides } from "./row.ts";

const CLIENTS = 32;
const COUNT = 8_000;

/** What is done to each object of a round, in this order. */
type Act = "create" | "update";

/** Does one act to the object of a name; every value is new, so that no write is none. */
type Write = (act: Act, name: string) => Promise<unknown>;

/** Objects of 1 KB created and then changed. */
export const localApiWrite: Row = writeRow("local-api-write", ["create", "update"]);

/** Objects only created. */
export const localApiCreate: Row = writeRow("local-api-create", ["create"]);

/** Objects only changed. */
export const localApiUpdate: Row = writeRow("local-api-update", ["update"]);

function writeRow(id: string, acts: readonly Act[]): Row {
  return {
    id,
    what: `acknowledged writes (${acts.join(", ")}) of objects of 1 KB through the laptop's Kubernetes API by ${CLIENTS} clients over TLS`,
    peerName: `raw JetStream KV ${acts.join(" + ")}, ${CLIENTS} in flight`,
    unit: "writes/s",
    better: "higher",
    target: 0.5,
    prepare: () => prepare(acts),
  };
}

async function prepare(acts: readonly Act[]): Promise<Sides> {
  const { clients, kv, close } = await startApiAndBucket(CLIENTS);
  const toBucket = bucketWriter(kv);
  const ours = (each: readonly Act[], round: number): Promise<unknown> =>
    onEachClient(clients, COUNT, (client, number) => doAll(each, apiWriter(client), `m-${round}-${number}`));
  const peer = (each: readonly Act[], round: number): Promise<unknown> =>
    mapLimited(numbers(COUNT), CLIENTS, (number) => doAll(each, toBucket, `m-${round}-${number}`));
  const creates = acts.includes("create");
  if (!creates) for (const fill of [ours, peer]) await fill(["create"], 0);
  let round = 0;
  const next = (): number => (creates ? round++ : round);
  return {
    ours: () => perSecond(acts, () => ours(acts, next())),
    peer: () => perSecond(acts, () => peer(acts, next())),
    close,
  };
}

async function doAll(acts: readonly Act[], write: Write, name: string): Promise<void> {
  for (const act of acts) await write(act, name);
}

let value = 0;

function apiWriter(client: RawClient): Write {
  return (act, name) => {
    const text = objectText(name, value++);
    return act === "create" ? client.send("POST", MAPS, text) : client.send("PUT", `${MAPS}/${name}`, text);
  };
}

function bucketWriter(kv: KV): Write {
  const revisions = new Map<string, number>();
  return async (act, name) => {
    const text = objectText(name, value++);
    const write = act === "create" ? kv.create(name, text) : kv.update(name, text, revisions.get(name) ?? 0);
    revisions.set(name, await write);
  };
}

async function perSecond(acts: readonly Act[], work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (acts.length * COUNT) / ((performance.now() - started) / 1000);
}
