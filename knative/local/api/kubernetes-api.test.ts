import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type NatsConnection } from "nats";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type Client,
  clientOf,
  eventually,
  expectCode,
  type Loose,
  type Reply,
} from "../../../test/contracts/kubernetes/client.ts";
import { configMap, deployment } from "../../../test/contracts/kubernetes/fixture.ts";
import { binary } from "../../../test/support/binaries.ts";
import { type NatsProcess, startNatsProcess } from "../nats-process.ts";
import { type KubernetesApi, type KubernetesApiOptions, startKubernetesApi } from "./kubernetes-api.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const deployments = "/apis/apps/v1/namespaces/default/deployments";

let folder: string;
let server: NatsProcess;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kubernetes-api-"));
  server = await startServer();
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

function startServer(port = 0): Promise<NatsProcess> {
  return startNatsProcess({ binary: binary("nats-server"), folder, port });
}

interface Started {
  readonly api: KubernetesApi;
  readonly client: Client;
  readonly nats: NatsConnection;
  stop(): Promise<void>;
}

async function start(options: Partial<KubernetesApiOptions> = {}): Promise<Started> {
  const nats = await connect({ servers: server.url, maxReconnectAttempts: -1, reconnectTimeWait: 50, noEcho: true });
  const api = await startKubernetesApi({ nats, ...options });
  const client = clientOf({
    url: api.url,
    ca: api.certificate,
    token: api.adminToken,
    kubeconfig: "",
    close: async () => {},
  });
  let stopped: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    client.close();
    await api.close();
    await nats.close();
  };
  const stop = (): Promise<void> => {
    stopped ??= end();
    return stopped;
  };
  closing.push(stop);
  return { api, client, nats, stop };
}

describe("a restart on the same bucket", () => {
  test("finds objects, definitions, tokens and certificate again", async () => {
    const first = await start();
    const created = expectCode(await first.client.post(maps, configMap("kept")), 201).body;
    const crd = {
      metadata: { name: "things.example.io" },
      spec: {
        group: "example.io",
        scope: "Namespaced",
        names: { plural: "things", kind: "Thing" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    };
    expectCode(await first.client.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd), 201);
    const thing = await first.client.post("/apis/example.io/v1/namespaces/default/things", {
      metadata: { name: "one" },
    });
    await first.stop();
    const second = await start();
    expect((await second.client.get(`${maps}/kept`)).body).toEqual(created);
    expect((await second.client.get("/apis/example.io/v1/namespaces/default/things/one")).body).toEqual(thing.body);
    expect([second.api.adminToken, second.api.certificate]).toEqual([first.api.adminToken, first.api.certificate]);
    const later = expectCode(await second.client.post(maps, configMap("later")), 201).body;
    expect(Number(later.metadata.resourceVersion)).toBeGreaterThan(Number(thing.body.metadata.resourceVersion));
  });

  test("lets a watch go on from the last revision, and ends older ones with 410", async () => {
    const first = await start();
    const old = (await first.client.post(maps, configMap("a"))).body.metadata.resourceVersion;
    const newest = (await first.client.post(maps, configMap("b"))).body.metadata.resourceVersion;
    await first.client.get(maps);
    await first.stop();
    const second = await start();
    const expired = await second.client.watch(`${maps}?watch=1&resourceVersion=${old}`);
    expect(await expired.next()).toMatchObject({
      type: "ERROR",
      object: { kind: "Status", reason: "Expired", code: 410 },
    });
    const list = (await second.client.get(maps)).body.metadata.resourceVersion;
    expect(Number(list)).toBeGreaterThanOrEqual(Number(newest));
    const resumed = await second.client.watch(`${maps}?watch=1&resourceVersion=${list}`);
    await second.client.post(maps, configMap("c"));
    expect(await resumed.next()).toMatchObject({ type: "ADDED", object: { metadata: { name: "c" } } });
    resumed.stop();
  });

  test("finishes what deletion began", async () => {
    const first = await start();
    await first.client.post("/api/v1/namespaces", { metadata: { name: "going" } });
    await first.client.post(
      "/api/v1/namespaces/going/configmaps",
      configMap("held", { metadata: { finalizers: ["example.io/x"] } }),
    );
    await first.client.delete("/api/v1/namespaces/going");
    await first.stop();
    const second = await start();
    await second.client.patch("/api/v1/namespaces/going/configmaps/held", "merge", { metadata: { finalizers: null } });
    await eventually(
      () => second.client.get("/api/v1/namespaces/going"),
      (reply) => reply.code === 404,
    );
  });
});

describe("history", () => {
  test("beyond its limit is forgotten: watch and list answer 410", async () => {
    const { client } = await start({ storage: "memory", history: { changes: 5, bytes: 1_000_000 } });
    const page = (await client.post(maps, configMap("a"))).body.metadata.resourceVersion;
    await client.post(maps, configMap("b"));
    const token = (await client.get(`${maps}?limit=1`)).body.metadata.continue;
    for (let count = 0; count < 20; count += 1)
      await client.patch(`${maps}/a`, "merge", { data: { count: String(count) } });
    const watch = await client.watch(`${maps}?watch=1&resourceVersion=${page}`);
    expect(await watch.next()).toMatchObject({ type: "ERROR", object: { code: 410, reason: "Expired" } });
    expect((await client.get(`${maps}?limit=1&continue=${token}`)).body).toMatchObject({
      code: 410,
      reason: "Expired",
    });
    expect((await client.get(`${maps}?resourceVersion=${page}&resourceVersionMatch=Exact`)).code).toBe(410);
  });
});

describe("two servers on one bucket", () => {
  test("see each other's writes and never lose one", async () => {
    const [one, two] = [await start(), await start()];
    const created = (await one.client.post(maps, configMap("shared"))).body;
    await eventually(
      () => two.client.get(`${maps}/shared`),
      (reply) => reply.code === 200,
    );
    // A patch gives up after a few lost races, as a real server's does; its client then tries again.
    const write = async (index: number): Promise<Reply> => {
      const { client } = index % 2 === 0 ? one : two;
      const reply = await client.patch(`${maps}/shared`, "merge", { data: { [`k${index}`]: "v" } });
      return reply.code === 409 ? write(index) : reply;
    };
    const writes = Array.from({ length: 20 }, (_, index) => write(index));
    for (const reply of await Promise.all(writes)) expectCode(reply, 200);
    const { body } = await eventually(
      () => one.client.get(`${maps}/shared`),
      (reply) => Object.keys(reply.body.data).length === 21,
    );
    expect(body.metadata.uid).toBe(created.metadata.uid);
    expect(two.api.adminToken).toBe(one.api.adminToken);
  });
});

describe("kill -9 of nats-server in the middle of writes", () => {
  test("loses nothing that was acknowledged, and revisions only grow", async () => {
    const { client, api } = await start();
    const port = Number(new URL(server.url.replace("nats:", "http:")).port);
    const acknowledged = new Map<string, number>();
    const write = async (name: string): Promise<void> => {
      const reply = await client.post(maps, configMap(name));
      if (reply.code === 201) acknowledged.set(name, Number(reply.body.metadata.resourceVersion));
      else expect([409, 503]).toContain(reply.code);
    };
    const writer = async (id: number): Promise<void> => {
      for (let count = 0; count < 60; count += 1) await write(`w${id}-${count}`);
    };
    const writing = Promise.all([writer(0), writer(1), writer(2), writer(3)]);
    await eventually(
      () => client.get(maps),
      () => acknowledged.size > 20,
    );
    process.kill(server.pid, "SIGKILL");
    server = await startServer(port);
    await writing;
    const items: Loose[] = (await client.get(maps)).body.items;
    const stored = new Map(items.map(({ metadata }) => [metadata.name, Number(metadata.resourceVersion)]));
    for (const [name, revision] of acknowledged) expect(stored.get(name), name).toBe(revision);
    expect(new Set(stored.values()).size).toBe(stored.size);
    expect(api.writes()).toBeGreaterThan(acknowledged.size);
    const last = Math.max(...stored.values());
    const next = expectCode(await client.post(maps, configMap("after")), 201).body;
    expect(Number(next.metadata.resourceVersion)).toBeGreaterThan(last);
  });
});

describe("the stage", () => {
  const ready =
    (name: string) =>
    (reply: Loose): boolean =>
      reply.body.status?.readyReplicas === 2 && reply.body.metadata.name === name;

  test("marks workloads ready, again after every change of their spec", async () => {
    const { client } = await start({ stage: { delayMs: 20 } });
    await client.post(deployments, deployment("web", { spec: { replicas: 2 } }));
    const first = await eventually(() => client.get(`${deployments}/web`), ready("web"));
    expect(first.body.status).toMatchObject({ observedGeneration: 1, availableReplicas: 2, updatedReplicas: 2 });
    await client.patch(`${deployments}/web`, "merge", { spec: { replicas: 3 } });
    await eventually(
      () => client.get(`${deployments}/web`),
      ({ body }) => body.status.observedGeneration === 2 && body.status.readyReplicas === 3,
    );
  });

  test("fails what is marked to fail", async () => {
    const { client } = await start({ stage: { delayMs: 20 } });
    await client.post(deployments, deployment("web", { metadata: { annotations: { "openpitrix.io/stage": "fail" } } }));
    const { body } = await eventually(
      () => client.get(`${deployments}/web`),
      (reply) => reply.body.status?.conditions !== undefined,
    );
    expect(body.status.conditions).toContainEqual(
      expect.objectContaining({ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" }),
    );
  });

  test("leaves a status alone that somebody else wrote afterwards", async () => {
    const { client } = await start({ stage: { delayMs: 20 } });
    await client.post(deployments, deployment("web", { spec: { replicas: 2 } }));
    await eventually(() => client.get(`${deployments}/web`), ready("web"));
    const written = await client.patch(`${deployments}/web/status`, "merge", { status: { readyReplicas: 0 } });
    await client.post(deployments, deployment("other", { spec: { replicas: 2 } }));
    await eventually(() => client.get(`${deployments}/other`), ready("other"));
    const { body } = await client.get(`${deployments}/web`);
    expect(body.metadata.resourceVersion).toBe(written.body.metadata.resourceVersion);
  });

  test("does nothing when it is off", async () => {
    const { client, api } = await start();
    await client.post(deployments, deployment("web"));
    await client.post("/api/v1/namespaces", { metadata: { name: "fence" } });
    await eventually(
      () => client.get("/api/v1/namespaces/fence/serviceaccounts/default"),
      (reply) => reply.code === 200,
    );
    expect((await client.get(`${deployments}/web`)).body["status"]).toEqual({});
    expect(api.writes()).toBeGreaterThan(0);
  });
});

describe("limits", () => {
  test("answers 429 with Retry-After beyond four hundred requests at once", async () => {
    const { client } = await start({ storage: "memory" });
    const replies = await Promise.all(
      Array.from({ length: 600 }, (_, index) => client.post(maps, configMap(`many-${index}`))),
    );
    const refused = replies.filter((reply) => reply.code === 429);
    for (const reply of refused)
      expect(reply).toMatchObject({ headers: { "retry-after": "1" }, body: { reason: "TooManyRequests" } });
    expect(replies.filter((reply) => reply.code === 201)).toHaveLength(600 - refused.length);
  });

  test("streams a list of many megabytes that is still one JSON document", async () => {
    const { client } = await start({ storage: "memory" });
    const data = { text: "x".repeat(100_000) };
    for (let index = 0; index < 30; index += 1)
      expectCode(await client.post(maps, configMap(`big-${index}`, { data })), 201);
    const plain = await client.get(maps);
    const zipped = await client.get(maps, { "accept-encoding": "gzip" });
    expect(zipped.headers["content-encoding"]).toBe("gzip");
    expect(plain.body.items).toHaveLength(30);
    expect(zipped.body).toEqual(plain.body);
  });
});
