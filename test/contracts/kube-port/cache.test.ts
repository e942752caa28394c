import { afterAll, beforeAll, expect, test } from "vitest";
import { createKube, type Kube } from "../../../shared/adapters/kubernetes.ts";
import { type CachedReader, cachedReader } from "../../../shared/adapters/kubernetes-cache.ts";
import { Failure } from "../../../shared/errors.ts";
import { externalResource, type KubeObject } from "../../../shared/resource.ts";
import { until } from "../../support/until.ts";
import { startCluster, type TestCluster } from "./cluster.ts";

interface ConfigMapObject extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}
const ConfigMap = externalResource<"ConfigMap", ConfigMapObject>({
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  scope: "Namespaced",
});

let cluster: TestCluster;
let kube: Kube;
let cache: CachedReader;
const labels = { suite: "cache" };

beforeAll(async () => {
  cluster = await startCluster();
  kube = createKube({ from: "kubeconfig", path: cluster.kubeconfig });
  cache = cachedReader(kube, [ConfigMap]);
});
afterAll(async () => {
  cache?.stop();
  kube?.close();
  await cluster?.stop();
});

const make = (name: string, value: string) => {
  const metadata = { name, namespace: "default", labels };
  return kube.create(
    ConfigMap,
    { apiVersion: "v1", kind: "ConfigMap", metadata, data: { value } } as KubeObject,
    "test",
  );
};
const listed = async () =>
  (await cache.list(ConfigMap, { namespace: "default", labels })).map(
    ({ metadata, data }) => `${metadata.name}=${data?.["value"]}`,
  );

test("a first list is whole, and later ones follow what happens, in the server's order", async () => {
  await make("b", "1");
  await make("a", "1");
  expect(await listed()).toEqual(["a=1", "b=1"]);
  await make("c", "1");
  await until("c is listed", async () => (await listed()).includes("c=1"));
  const [a] = await kube.list(ConfigMap, { namespace: "default", labels });
  if (!a) throw new Error("there is no a");
  await kube.replace(ConfigMap, { ...a, data: { value: "2" } } as KubeObject, "test");
  await until("a has changed", async () => (await listed()).includes("a=2"));
  await kube.remove(ConfigMap, a);
  await until("a is gone", async () => !(await listed()).some((each) => each.startsWith("a=")));
  expect(await cache.list(ConfigMap, { labels: { suite: "other" } })).toEqual([]);
});

test("who reads an object by name finds it so in the next list", async () => {
  await listed();
  const made = await make("fresh", "1");
  await cache.get(ConfigMap, { name: "fresh", namespace: "default" });
  expect(await listed()).toContain("fresh=1");
  const all = await cache.list(ConfigMap);
  await cache.get(ConfigMap, { name: "fresh", namespace: "default" });
  expect(await cache.list(ConfigMap), "what has not changed is the same list").toBe(all);
  await kube.remove(ConfigMap, made);
  await cache.get(ConfigMap, { name: "fresh", namespace: "default" });
  expect(await listed()).not.toContain("fresh=1");
});

/** A cache whose answers to reads by name arrive only when they are let through, though they were given before. */
function slowReader() {
  const through = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const get: Kube["get"] = async (kind, name) => {
    const object = await kube.get(kind, name);
    asked.resolve();
    await through.promise;
    return object;
  };
  return { reader: cachedReader({ ...kube, get }, [ConfigMap]), asked: asked.promise, let: through.resolve };
}
const namesIn = async (reader: CachedReader) =>
  (await reader.list(ConfigMap, { namespace: "default", labels })).map(({ metadata }) => metadata.name);

test("an answer that the watch has overtaken does not bring back what is gone", async () => {
  const made = await make("overtaken", "1");
  const slow = slowReader();
  expect(await namesIn(slow.reader)).toContain("overtaken");
  const read = slow.reader.get(ConfigMap, { name: "overtaken", namespace: "default" });
  await slow.asked;
  await kube.remove(ConfigMap, made);
  await until("it is gone", async () => !(await namesIn(slow.reader)).includes("overtaken"));
  slow.let();
  expect(await read).toMatchObject({ metadata: { name: "overtaken" } });
  expect(await namesIn(slow.reader)).not.toContain("overtaken");
  slow.reader.stop();
});

test("an answer that the watch has overtaken does not take out what was made since", async () => {
  const slow = slowReader();
  expect(await namesIn(slow.reader)).not.toContain("since");
  const read = slow.reader.get(ConfigMap, { name: "since", namespace: "default" });
  await slow.asked;
  await make("since", "1");
  await until("it is there", async () => (await namesIn(slow.reader)).includes("since"));
  slow.let();
  expect(await read).toBeUndefined();
  expect(await namesIn(slow.reader)).toContain("since");
  slow.reader.stop();
});

test("a list that waits when the watch ends fails, since nobody knows what is missing", async () => {
  const ended = cachedReader({ ...kube, watch: async function* () {} }, [ConfigMap]);
  await expect(ended.list(ConfigMap)).rejects.toMatchObject({ kind: "Unavailable" });
});

test("a watch that is refused fails the lists that wait for it, and is begun anew with the next", async () => {
  let refused = 0;
  const once = cachedReader(
    {
      ...kube,
      watch: (kind, options) => {
        if (++refused > 1) return kube.watch(kind, options);
        throw new Failure("Forbidden", "you may not watch");
      },
    },
    [ConfigMap],
  );
  await expect(once.list(ConfigMap)).rejects.toThrow("you may not watch");
  expect((await once.list(ConfigMap, { labels })).length).toBeGreaterThan(0);
  once.stop();
});
