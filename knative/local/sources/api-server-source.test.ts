import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createKube, type Kube } from "../../../shared/adapters/kubernetes.ts";
import type { Event } from "../../../shared/event.ts";
import type { KubeObject, ResourceDefinition } from "../../../shared/resource.ts";
import { startNats, type TestNats } from "../../../test/support/nats.ts";
import { until } from "../../../test/support/until.ts";
import { type KubernetesApi, startKubernetesApi } from "../api/kubernetes-api.ts";
import { ApiServerSource } from "../eventing/kinds.ts";
import { startApiServerSource } from "./api-server-source.ts";
import type { Running } from "./ping-source.ts";

const kindOf = (kind: string, plural: string, scope: ResourceDefinition["scope"]) =>
  ({ group: "", version: "v1", kind, plural, scope }) as const;
const NAMESPACE = kindOf("Namespace", "namespaces", "Cluster");
const CONFIG_MAP = kindOf("ConfigMap", "configmaps", "Namespaced");

let nats: TestNats;
let api: KubernetesApi;
let kube: Kube;
let running: Running | undefined;

beforeAll(async () => {
  nats = await startNats();
  api = await startKubernetesApi({ nats: await nats.connect(), storage: "memory" });
  kube = createKube({ from: "server", url: api.url, token: api.adminToken, ca: api.certificate });
  for (const [name, labels] of [
    ["own", {}],
    ["red", { colour: "red" }],
    ["blue", { colour: "blue" }],
  ] as const) {
    await create(NAMESPACE, { name, labels });
  }
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
});
afterAll(async () => {
  kube?.close();
  await api?.close();
  await nats?.[Symbol.asyncDispose]();
});

function create(kind: ResourceDefinition, metadata: KubeObject["metadata"]): Promise<KubeObject> {
  return kube.create(kind, { apiVersion: "v1", kind: kind.kind, metadata }, "test");
}

const TO_BROKER = { ref: { apiVersion: "eventing.knative.dev/v1", kind: "Broker", name: "b" } };
const CONFIG_MAPS = { apiVersion: "v1", kind: "ConfigMap" };

const sourceOf = (spec: object) =>
  ApiServerSource.parse({
    metadata: { name: "changes", namespace: "own" },
    spec: { sink: TO_BROKER, resources: [CONFIG_MAPS], ...spec },
  });

/** Starts a source of that spec; gives what it sends. */
async function follow(spec: object): Promise<readonly Event[]> {
  const sent: Event[] = [];
  const failed = (error: unknown) => expect.unreachable(String(error));
  running = await startApiServerSource(sourceOf(spec), {
    kube,
    host: api.url,
    sink: async (event) => void sent.push(event),
    onError: failed,
  });
  return sent;
}

/** Creates a ConfigMap of that name in each namespace, then one that every source follows; waits for its event. */
async function createEverywhere(name: string, sent: readonly Event[]): Promise<readonly string[]> {
  for (const namespace of ["red", "blue", "own"]) await create(CONFIG_MAP, { name, namespace, labels: { take: name } });
  await create(CONFIG_MAP, { name: `${name}-last`, namespace: "red", labels: { take: name } });
  await create(CONFIG_MAP, { name: `${name}-last`, namespace: "own", labels: { take: name } });
  await until("the last event", () => sent.some(({ extensions }) => extensions?.["name"] === `${name}-last`));
  const first = sent.filter(({ extensions }) => extensions?.["name"] === name);
  return first.map(({ extensions }) => String(extensions?.["namespace"])).sort();
}

test("without a namespaceSelector only the source's own namespace is followed", async () => {
  expect(await createEverywhere("alone", await follow({}))).toEqual(["own"]);
});

test("an empty namespaceSelector means all namespaces", async () => {
  expect(await createEverywhere("all", await follow({ namespaceSelector: {} }))).toEqual(["blue", "own", "red"]);
});

test("a namespaceSelector means the namespaces with such labels", async () => {
  const namespaceSelector = { matchLabels: { colour: "red" } };
  expect(await createEverywhere("some", await follow({ namespaceSelector }))).toEqual(["red"]);
});

test("cluster kinds are followed whatever the namespaceSelector says", async () => {
  const sent = await follow({ resources: [{ apiVersion: "v1", kind: "Namespace" }] });
  await create(NAMESPACE, { name: "green" });
  await until("the namespace is told", () => sent.some(({ extensions }) => extensions?.["name"] === "green"));
  expect(sent[0]?.type).toBe("dev.knative.apiserver.ref.add");
});

test("what exists already is passed over, and only what the selector meets is told", async () => {
  await create(CONFIG_MAP, { name: "early", namespace: "own", labels: { take: "yes" } });
  const resources = [{ ...CONFIG_MAPS, selector: { matchLabels: { take: "yes" } } }];
  const sent = await follow({ resources, mode: "Resource" });
  await create(CONFIG_MAP, { name: "skipped", namespace: "own" });
  const taken = await create(CONFIG_MAP, { name: "taken", namespace: "own", labels: { take: "yes" } });
  await kube.remove(CONFIG_MAP, taken);
  await until("the deletion is told", () => sent.length >= 2);
  expect(sent.map(({ type, extensions }) => [type, extensions?.["name"]])).toEqual([
    ["dev.knative.apiserver.resource.add", "taken"],
    ["dev.knative.apiserver.resource.delete", "taken"],
  ]);
  expect(sent[0]?.data).toMatchObject({ kind: "ConfigMap", metadata: { uid: taken.metadata.uid } });
});

test.each([
  [{ filters: [{ exact: { type: "a" } }] }, "ApiServerSource own/changes: filters need a feature flag"],
  [{ owner: { apiVersion: "apps/v1", kind: "Deployment" } }, "ApiServerSource own/changes: owner is not supported"],
  [
    { resources: [{ apiVersion: "v1", kind: "Nope" }] },
    "ApiServerSource own/changes: the cluster serves no Nope in v1",
  ],
])("refuses %j", async (spec, message) => {
  await expect(follow(spec)).rejects.toThrow(message);
});
