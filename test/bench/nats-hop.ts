import { headers, type NatsConnection } from "nats";
import { startKubernetesApi } from "../../knative/local/api/kubernetes-api.ts";
import { encodeNats } from "../../shared/adapters/cloudevents.ts";
import { createKube } from "../../shared/adapters/kubernetes.ts";
import { createNatsBus } from "../../shared/adapters/nats-bus.ts";
import { EVENT_STREAM, provision } from "../../shared/adapters/nats-streams.ts";
import { subjectOfType } from "../../shared/adapters/nats-subjects.ts";
import { mapLimited } from "../../shared/concurrency.ts";
import { toCrd } from "../../shared/crd.ts";
import { durablesOf, serveNats } from "../../shared/host/nats.ts";
import { apiVersionOf } from "../../shared/resource.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import type { FunctionIdentity, Runtime } from "../../shared/run.ts";
import { CustomResourceDefinition } from "../support/custom-resource-definition.ts";
import { silent, startNats, type TestNats } from "../support/nats.ts";
import { BenchAnswered, BenchAsked, echo, writing } from "./idle-function.ts";
import type { Row, Sides } from "./row.ts";

const IN_FLIGHT = 256;
const TEXT = "x".repeat(700);

const common = {
  peerName: "raw JetStream publish + consume + ack, 256 in flight",
  unit: "events/s",
  better: "higher",
} as const;

/** One function between two subjects. */
export const natsHop: Row = {
  ...common,
  id: "nats-hop",
  what: "events of 1 KB per second through a function on NATS: consumed, parsed, decided, announced, acknowledged",
  target: 0.4,
  prepare: () => prepare(echo, 10_000),
};

/** The same with an object read and its status written for every event. */
export const natsHopWithWrite: Row = {
  ...common,
  id: "nats-hop-cr",
  what: "the same, with an object read and its status written for each event",
  target: 0.03,
  prepare: () => prepare(writing, 2_000),
};

async function prepare(identity: FunctionIdentity, count: number): Promise<Sides> {
  const nats = await startNats();
  const connection = await nats.connect();
  const api = await startKubernetesApi({ nats: await nats.connect({ noEcho: true }), storage: "memory" });
  const kube = createKube({ from: "server", url: api.url, token: api.adminToken, ca: api.certificate });
  await kube.create(CustomResourceDefinition, toCrd(HelmCategory), "bench");
  if (identity === writing) {
    await mapLimited(numbers(count), 32, async (number) => {
      const object = {
        apiVersion: apiVersionOf(HelmCategory),
        kind: "HelmCategory",
        metadata: { name: `ctg-${number}` },
        spec: { name: "x" },
      };
      await kube.create(HelmCategory, object, "bench");
    });
  }
  const runtime = {
    kube,
    bus: createNatsBus(connection),
    clock: { now: () => new Date() },
    log: silent,
  } as unknown as Runtime;
  let round = 0;
  return {
    ours: () => hop({ nats, identity, runtime, count, round: round++ }),
    peer: () => raw(nats, { count, round: round++ }),
    async close() {
      kube.close();
      await api.close();
      await nats[Symbol.asyncDispose]();
    },
  };
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, number) => number);
}

interface Hop {
  readonly nats: TestNats;
  readonly identity: FunctionIdentity;
  readonly runtime: Runtime;
  readonly count: number;
  readonly round: number;
}

/** Events wait in the stream; the clock runs from the function's start until all are acknowledged. */
async function hop({ nats, identity, runtime, count, round }: Hop): Promise<number> {
  const connection = await nats.connect();
  const durables = durablesOf(identity);
  await provision(connection, { streams: { storage: "file" }, durables });
  await publishAll(connection, { type: BenchAsked.type, count, round });
  let left = count;
  const done = Promise.withResolvers<void>();
  const started = performance.now();
  const hosted = {
    identity,
    runtime,
    deadLetters: runtime.bus as never,
    log: silent,
    onHandled: ({ outcome }: { readonly outcome: { readonly kind: string } }) => {
      if (outcome.kind !== "done") done.reject(new Error(`an event ended as ${JSON.stringify(outcome)}`));
      left -= 1;
      if (left === 0) done.resolve();
    },
  };
  const serving = serveNats(hosted, connection);
  await done.promise;
  await serving.stop();
  const seconds = (performance.now() - started) / 1000;
  await expectStored(connection, BenchAnswered.type, { count, round });
  await connection.close();
  return count / seconds;
}

interface Batch {
  readonly count: number;
  readonly round: number;
}

/** The same messages by the bare client: published with message ids, consumed and acknowledged at the same time. */
async function raw(nats: TestNats, { count, round }: Batch): Promise<number> {
  const connection = await nats.connect();
  const name = `raw-${round}`;
  await provision(connection, {
    streams: { storage: "file" },
    durables: [{ name, filterSubject: subjectOfType("raw"), ackWaitMs: 30_000 }],
  });
  const consumer = await connection.jetstream().consumers.get(EVENT_STREAM, name);
  const started = performance.now();
  const publishing = publishAll(connection, { type: "raw", count, round });
  let left = count;
  const messages = await consumer.consume({ max_messages: IN_FLIGHT });
  for await (const message of messages) {
    message.ack();
    left -= 1;
    if (left === 0) break;
  }
  await publishing;
  await connection.flush();
  const seconds = (performance.now() - started) / 1000;
  await (await connection.jetstreamManager()).consumers.delete(EVENT_STREAM, name);
  await connection.close();
  return count / seconds;
}

async function publishAll(
  connection: NatsConnection,
  { type, count, round }: Batch & { readonly type: string },
): Promise<void> {
  const js = connection.jetstream({ timeout: 30_000 });
  await mapLimited(numbers(count), IN_FLIGHT, async (number) => {
    const id = `${type}-${round}-${number}`;
    const encoded = encodeNats({ specversion: "1.0", id, source: "/bench", type, data: { number, text: TEXT } });
    const map = headers();
    for (const [name, value] of Object.entries(encoded.headers)) map.set(name, value);
    await js.publish(subjectOfType(type), encoded.payload, { msgID: id, headers: map });
  });
}

/** Speed counts for nothing if an event is missing. */
async function expectStored(connection: NatsConnection, type: string, { count }: Batch): Promise<void> {
  const manager = await connection.jetstreamManager();
  const { state } = await manager.streams.info(EVENT_STREAM, { subjects_filter: subjectOfType(type) });
  const stored = state.subjects?.[subjectOfType(type)] ?? 0;
  if (stored < count) throw new Error(`${stored} of ${count} ${type} were stored`);
}
