import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createKube, type Kube } from "../../../shared/adapters/kubernetes.ts";
import type { WatchEvent } from "../../../shared/ports.ts";
import type { CustomObject, KubeObject, ResourceDefinition } from "../../../shared/resource.ts";
import { startCluster, type TestCluster } from "./cluster.ts";
import { failure } from "./scripted-server.ts";

interface Spec {
  readonly color?: string;
  readonly size?: number;
}
interface Status {
  readonly seen?: string;
}
type WidgetObject = CustomObject<Spec, Status>;

const run = randomUUID().slice(0, 8);
const group = `w${run}.contract.test`;
const Widget: ResourceDefinition<"Widget", WidgetObject> = {
  group,
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  scope: "Namespaced",
};
const Namespace: ResourceDefinition = {
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  scope: "Cluster",
};
const ConfigMap: ResourceDefinition = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  scope: "Namespaced",
};
const Definition: ResourceDefinition = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
};

const namespace = `contract-${run}`;
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { kind: "Widget", plural: "widgets", singular: "widget", listKind: "WidgetList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { color: { type: "string" }, size: { type: "integer" } } },
              status: { type: "object", properties: { seen: { type: "string" } } },
            },
          },
        },
      },
    ],
  },
};

let cluster: TestCluster;
let kube: Kube;

beforeAll(async () => {
  cluster = await startCluster();
  kube = createKube({ from: "kubeconfig", path: cluster.kubeconfig });
  await kube.create(Definition, definition, "contract");
  await kube.create(Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }, "contract");
  const served = async () => expect(await kube.findKind(`${group}/v1`, "Widget")).toBeDefined();
  await vi.waitFor(served, { timeout: 30_000, interval: 200 });
});

afterAll(async () => {
  await kube.remove(Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  await kube.remove(Definition, definition);
  kube.close();
  await cluster.stop();
});

function widget(name: string, spec: Spec = {}, labels: Record<string, string> = {}): WidgetObject {
  return { apiVersion: `${group}/v1`, kind: "Widget", metadata: { name, namespace, labels }, spec };
}

/** The object as it is now; it must be there. */
async function read(name: string): Promise<WidgetObject> {
  const object = await kube.get(Widget, { name, namespace });
  if (object === undefined) throw new Error(`${name} is missing`);
  return object;
}

describe("reading and writing", () => {
  test("what is created can be read; what is missing is undefined", async () => {
    const created = await kube.create(Widget, widget("one", { color: "blue" }), "repo-sync-tick");
    expect(created.metadata.uid).toBeDefined();
    expect((await read("one")).spec).toEqual({ color: "blue" });
    expect(await kube.get(Widget, { name: "nobody", namespace })).toBeUndefined();
    expect(await kube.get(Widget, { name: "one", namespace: "elsewhere" })).toBeUndefined();
  });

  test("a name that is taken is a Conflict", async () => {
    await kube.create(Widget, widget("taken"), "contract");
    const error = await failure(kube.create(Widget, widget("taken"), "contract"));
    expect(error.kind).toBe("Conflict");
    expect(error.message).toContain(`create widgets/${namespace}/taken`);
    expect(error.message).toContain("already exists");
  });

  test("what the schema refuses, and a namespace that is missing, are Invalid", async () => {
    const wrong = { ...widget("wrong"), spec: { size: "large" } } as unknown as KubeObject;
    const refused = await failure(kube.create(Widget, wrong, "contract"));
    expect(refused.kind).toBe("Invalid");
    expect(refused.message).toContain("spec.size");
    const lost = { ...widget("lost"), metadata: { name: "lost", namespace: `gone-${run}` } };
    expect((await failure(kube.create(Widget, lost, "contract"))).kind).toBe("Invalid");
  });

  test("apply creates, changes only what it names, and is the same twice", async () => {
    const first = await kube.apply(Widget, widget("applied", { color: "red", size: 1 }), "release-changed");
    const second = await kube.apply(Widget, widget("applied", { color: "red", size: 1 }), "release-changed");
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    await kube.apply(Widget, widget("applied", { size: 2 }), "somebody-else");
    expect((await read("applied")).spec).toEqual({ color: "red", size: 2 });
    const dropped = await kube.apply(Widget, widget("applied", { size: 3 }), "release-changed");
    expect((dropped as WidgetObject).spec).toEqual({ size: 3 });
  });

  test("apply with a stale resourceVersion is a Conflict", async () => {
    const { metadata } = await kube.create(Widget, widget("stale"), "contract");
    await kube.apply(Widget, widget("stale", { color: "red" }), "contract");
    const late = widget("stale", { color: "blue" });
    const object = { ...late, metadata: { ...late.metadata, resourceVersion: metadata.resourceVersion ?? "" } };
    expect((await failure(kube.apply(Widget, object, "contract"))).kind).toBe("Conflict");
    expect((await read("stale")).spec).toEqual({ color: "red" });
  });

  test("the writer's name stands in the managed fields", async () => {
    const created = await kube.create(Widget, widget("managed", { color: "red" }), "repo-sync-tick");
    const { managedFields = [] } = created.metadata as { readonly managedFields?: readonly { manager: string }[] };
    expect(managedFields.map(({ manager }) => manager)).toEqual(["openpitrix-repo-sync-tick"]);
  });

  test("status and the rest are written apart, each against the version that was read", async () => {
    await kube.create(Widget, { ...widget("split", { color: "red" }), status: { seen: "dropped" } } as KubeObject, "m");
    const before = await read("split");
    expect(before.status).toBeUndefined();
    await kube.replaceStatus(
      Widget,
      { ...before, spec: { color: "ignored" }, status: { seen: "yes" } } as KubeObject,
      "m",
    );
    const after = await read("split");
    expect([after.spec, after.status]).toEqual([{ color: "red" }, { seen: "yes" }]);
    expect((await failure(kube.replaceStatus(Widget, before, "m"))).kind).toBe("Conflict");
    expect((await failure(kube.replace(Widget, before, "m"))).kind).toBe("Conflict");
    await kube.replace(Widget, { ...after, spec: { color: "green" }, status: {} } as KubeObject, "m");
    const last = await read("split");
    expect([last.spec, last.status]).toEqual([{ color: "green" }, { seen: "yes" }]);
  });

  test("a status for an object deleted meanwhile is a Conflict", async () => {
    const created = await kube.create(Widget, widget("deleted"), "m");
    await kube.remove(Widget, created);
    expect((await failure(kube.replaceStatus(Widget, created, "m"))).kind).toBe("Conflict");
  });

  test("delete takes the object that was read and no other", async () => {
    const first = await kube.create(Widget, widget("again"), "m");
    await kube.remove(Widget, first);
    await kube.remove(Widget, first);
    expect(await kube.get(Widget, { name: "again", namespace })).toBeUndefined();
    await kube.create(Widget, widget("again"), "m");
    await kube.remove(Widget, first);
    expect(await kube.get(Widget, { name: "again", namespace })).toBeDefined();
  });

  test("of a hundred writers at once, each conflict is seen: no increment is lost", async () => {
    await kube.create(Widget, widget("counter", { size: 0 }), "m");
    const increment = async (): Promise<void> => {
      for (;;) {
        const object = await read("counter");
        const next = { ...object, spec: { size: (object.spec.size ?? 0) + 1 } };
        const error = await kube.replace(Widget, next, "m").then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (error === undefined) return;
        expect(error).toMatchObject({ kind: "Conflict" });
      }
    };
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        for (let times = 0; times < 10; times++) await increment();
      }),
    );
    expect((await read("counter")).spec.size).toBe(100);
  });

  test("an unserved kind is Unavailable and says what to install", async () => {
    const error = await failure(kube.get({ ...Widget, plural: "gizmos" }, { name: "x", namespace }));
    expect(error.kind).toBe("Unavailable");
    expect(error.message).toContain("install its CustomResourceDefinition");
  });
});

describe("listing", () => {
  test("comes whole over several pages, filtered by namespace and labels, each item with its kind", async () => {
    const names = Array.from({ length: 620 }, (_, at) => `page-${String(at).padStart(4, "0")}`);
    const make = (name: string, at: number) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace, labels: { run, parity: at % 2 === 0 ? "even" : "odd" } },
    });
    for (let at = 0; at < names.length; at += 62) {
      const part = names.slice(at, at + 62);
      await Promise.all(part.map((name, offset) => kube.create(ConfigMap, make(name, at + offset), "m")));
    }
    const all = await kube.list(ConfigMap, { namespace, labels: { run } });
    expect(all.map(({ metadata }) => metadata.name)).toEqual(names);
    expect(new Set(all.map(({ kind, apiVersion }) => `${apiVersion} ${kind}`))).toEqual(new Set(["v1 ConfigMap"]));
    expect(await kube.list(ConfigMap, { labels: { run, parity: "odd" } })).toHaveLength(310);
    expect(await kube.list(ConfigMap, { labels: { run }, labelSelector: "parity notin (odd)" })).toHaveLength(310);
    expect(await kube.list(ConfigMap, { namespace: `none-${run}` })).toEqual([]);
  });
});

describe("live objects", () => {
  test("are found by apiVersion and kind alone", async () => {
    await kube.create(Widget, widget("live", { color: "red" }), "m");
    const at = { apiVersion: `${group}/v1`, kind: "Widget", name: "live", namespace };
    expect(await kube.getLive(at)).toMatchObject({ spec: { color: "red" } });
    expect(await kube.getLive({ ...at, apiVersion: "v1", kind: "Namespace", name: namespace })).toMatchObject({
      kind: "Namespace",
    });
    expect(await kube.getLive({ ...at, kind: "Gizmo" })).toBeUndefined();
    expect(await kube.getLive({ ...at, apiVersion: "none.example/v1" })).toBeUndefined();
    expect(await kube.getLive({ ...at, name: "nobody" })).toBeUndefined();
  });
});

describe("watching", () => {
  test("tells what exists and what happens, filtered by label, until it is stopped", async () => {
    const labels = { watched: run };
    await kube.create(Widget, widget("w-old", {}, labels), "m");
    const stop = new AbortController();
    const events: WatchEvent[] = [];
    const watching = (async () => {
      for await (const event of kube.watch(Widget, { namespace, labels, signal: stop.signal })) events.push(event);
    })();
    await expect.poll(() => events.length).toBe(1);
    await kube.create(Widget, widget("w-other"), "m");
    const created = await kube.create(Widget, widget("w-new", {}, labels), "m");
    await kube.replace(Widget, { ...created, spec: { color: "red" } } as KubeObject, "m");
    await kube.remove(Widget, created);
    await expect.poll(() => events.length).toBe(4);
    stop.abort();
    await watching;
    expect(events.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
      "ADDED w-old",
      "ADDED w-new",
      "MODIFIED w-new",
      "DELETED w-new",
    ]);
  });

  test("goes on from a resourceVersion without a gap", async () => {
    const { metadata } = await kube.create(Widget, widget("r-0"), "m");
    for (const at of [1, 2, 3, 4, 5]) await kube.create(Widget, widget(`r-${at}`), "m");
    const names: string[] = [];
    for await (const { object } of kube.watch(Widget, { namespace, resourceVersion: metadata.resourceVersion ?? "" })) {
      names.push(object.metadata.name);
      if (names.length === 5) break;
    }
    expect(names).toEqual(["r-1", "r-2", "r-3", "r-4", "r-5"]);
  });

  test("starts over where the history is gone", async () => {
    const seen: string[] = [];
    for await (const { type } of kube.watch(Widget, { namespace, resourceVersion: "1" })) {
      seen.push(type);
      if (seen.length === 3) break;
    }
    expect(seen).toHaveLength(3);
  });
});
