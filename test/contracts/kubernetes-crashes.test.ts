import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type NatsProcess, startNatsProcess } from "../../knative/local/nats-process.ts";
import { binary } from "../support/binaries.ts";
import { until } from "../support/until.ts";
import { type ApiProcess, startApiProcess } from "./kubernetes/api-process.ts";
import { type Client, clientOf, expectCode, type Loose } from "./kubernetes/client.ts";

const CLIENTS = 8;
const WRITES = 10_000;
const MAPS = "/api/v1/namespaces/default/configmaps";

let folder: string;
let nats: NatsProcess;
let api: ApiProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kubernetes-crashes-"));
  nats = await startNatsProcess({ binary: binary("nats-server"), folder, port: 0 });
  api = await startApiProcess({ natsUrl: nats.url, port: 0, storage: "file" });
});

afterAll(async () => {
  await api?.kill();
  await nats?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** What one object may hold: the last write that was acknowledged, or a later one whose answer never came. */
interface Known {
  revision: number;
  value: number;
  readonly doubtful: Set<number>;
}

interface Writer {
  readonly client: Client;
  readonly known: Map<string, Known>;
  /** Revisions in the order in which they were acknowledged. */
  readonly revisions: number[];
}

/** Creates an object with every second write and changes it with the next; a write without an answer is in doubt. */
async function write({ client, known, revisions }: Writer, name: string, value: number): Promise<void> {
  const own = known.get(name) ?? { revision: 0, value: -1, doubtful: new Set() };
  known.set(name, own);
  const data = { value: String(value) };
  const fresh = value % 2 === 0;
  const sent = fresh
    ? client.post(MAPS, { metadata: { name }, data })
    : client.patch(`${MAPS}/${name}`, "merge", { data });
  const reply = await sent.catch(() => undefined);
  if (reply !== undefined && reply.code < 300) {
    Object.assign(own, { revision: Number(reply.body.metadata.resourceVersion), value });
    own.doubtful.clear();
    revisions.push(own.revision);
    return;
  }
  if (reply === undefined || reply.code === 503) own.doubtful.add(value);
  else expectCode(reply, fresh ? 409 : 404);
  await until("the API is back", () =>
    client.get("/readyz").then(
      ({ code }) => code === 200,
      () => false,
    ),
  );
}

interface Watching {
  /** Revisions that the watch delivered. */
  readonly seen: Set<number>;
  /** What a 410 made it list anew: revisions after the first and up to the second may be missing. */
  readonly gaps: [number, number][];
  stop(): Promise<void>;
}

/** Follows all objects as clients do: list, watch, resume from the last revision, list again after 410. */
async function follow(client: Client): Promise<Watching> {
  const seen = new Set<number>();
  const gaps: [number, number][] = [];
  let last = Number((await client.get(MAPS)).body.metadata.resourceVersion);
  let stopped = false;
  let current: { stop(): void } | undefined;
  const take = async ({ type, object }: Loose): Promise<void> => {
    if (type === "ERROR") {
      expect(object.code).toBe(410);
      const relisted = Number((await client.get(MAPS)).body.metadata.resourceVersion);
      gaps.push([last, relisted]);
      last = relisted;
      return;
    }
    const revision = Number(object.metadata.resourceVersion);
    expect(revision).toBeGreaterThan(last);
    last = revision;
    seen.add(revision);
  };
  const once = async (): Promise<void> => {
    const watch = await client.watch(`${MAPS}?watch=1&resourceVersion=${last}`);
    current = watch;
    if (stopped) watch.stop();
    for (let event = await watch.next(); event !== undefined; event = await watch.next()) await take(event);
  };
  const away = (error: unknown): void => {
    if (error instanceof Error && error.name === "AssertionError") throw error;
  };
  const running = (async () => {
    while (!stopped) {
      await once().catch(away);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    seen,
    gaps,
    async stop() {
      stopped = true;
      current?.stop();
      await running;
    },
  };
}

async function crashApi(): Promise<void> {
  const { port } = new URL(api.cluster.url);
  await api.kill();
  api = await startApiProcess({ natsUrl: nats.url, port: Number(port), storage: "file" });
}

async function crashNats(): Promise<void> {
  const port = Number(new URL(nats.url.replace("nats:", "http:")).port);
  process.kill(nats.pid, "SIGKILL");
  await nats.stop();
  nats = await startNatsProcess({ binary: binary("nats-server"), folder, port });
}

test(`${WRITES} writes by ${CLIENTS} clients survive kill -9 of the API and of nats-server`, {
  timeout: 120_000,
}, async () => {
  const writers = Array.from({ length: CLIENTS }, (): Writer => {
    return { client: clientOf(api.cluster), known: new Map(), revisions: [] };
  });
  const acknowledged = (): number => writers.reduce((sum, { revisions }) => sum + revisions.length, 0);
  const watching = await follow(clientOf(api.cluster));
  const writing = Promise.all(
    writers.map(async (writer, id) => {
      for (let value = 0; value < WRITES / CLIENTS; value += 1)
        await write(writer, `w${id}-${Math.floor(value / 2)}`, value);
    }),
  );
  const crashes = [crashApi, crashNats, () => Promise.all([crashApi(), crashNats()])];
  for (const [index, crash] of crashes.entries()) {
    await until("a quarter more is written", () => acknowledged() > (WRITES / 4) * (index + 1) * 0.9);
    await crash();
  }
  await writing;
  const { items } = expectCode(await clientOf(api.cluster).get(MAPS), 200).body;
  const stored = new Map<string, Loose>(items.map((item: Loose) => [item.metadata.name, item]));
  for (const { known, revisions } of writers) {
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
    for (const [name, own] of known) expectKept(stored.get(name), name, own);
  }
  expect(acknowledged()).toBeGreaterThan(WRITES * 0.9);
  const all = writers.flatMap(({ revisions }) => revisions);
  expect(new Set(all).size).toBe(all.length);
  await until("the watch has seen the last write", () => watching.seen.has(Math.max(...all)));
  await watching.stop();
  const missed = all.filter(
    (revision) =>
      !watching.seen.has(revision) && !watching.gaps.some(([from, to]) => from < revision && revision <= to),
  );
  expect(missed).toEqual([]);
  for (const { client } of writers) client.close();
});

function expectKept(object: Loose, name: string, { revision, value, doubtful }: Known): void {
  if (revision === 0) {
    if (object !== undefined) expect([...doubtful], name).toContain(Number(object.data.value));
    return;
  }
  expect(object, name).toBeDefined();
  const found = { revision: Number(object.metadata.resourceVersion), value: Number(object.data.value) };
  if (doubtful.has(found.value)) expect(found.revision, name).toBeGreaterThan(revision);
  else expect(found, name).toEqual({ revision, value });
}
