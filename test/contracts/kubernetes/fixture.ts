import { afterAll, beforeAll, beforeEach } from "vitest";
import { type Client, clientOf, eventually, expectCode, type Loose } from "./client.ts";
import { type Cluster, type ContractCluster, openCluster } from "./cluster.ts";
import { knownDifference } from "./known-differences.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Definitions carry this label with the run that made them: others may hold the suite against the same cluster. */
const MARK = "contract.openpitrix.io/run";
const run = Math.random().toString(36).slice(2);

/** What the checks of one file share: a client and a namespace of their own. */
export interface Fixture {
  readonly cluster: Cluster;
  readonly client: Client;
  readonly namespace: string;
  /** `/api/v1/namespaces/<own>/<rest>`. */
  core(rest: string): string;
  /** `/apis/<group>/<version>/namespaces/<own>/<rest>`. */
  group(groupVersion: string, rest: string): string;
}

/** Opens a cluster before the checks of a file and cleans up after them; read its members inside checks only. */
export function useCluster(): Fixture {
  const state: { cluster?: ContractCluster; client?: Client; namespace?: string } = {};
  beforeAll(async () => {
    state.cluster = await openCluster();
    state.client = clientOf(state.cluster);
    const created = await state.client.post("/api/v1/namespaces", { metadata: { generateName: "contract-" } });
    state.namespace = expectCode(created, 201).body.metadata.name;
  });
  beforeEach(({ task, skip }) => {
    const reason = knownDifference(ready(state.cluster).side, task);
    if (reason !== undefined) skip(reason);
  });
  afterAll(async () => {
    await state.client?.delete(`/api/v1/namespaces/${state.namespace}`);
    await state.client?.delete(`${DEFINITIONS}?labelSelector=${MARK}%3D${run}`);
    state.client?.close();
    await state.cluster?.close();
  });
  return {
    get cluster() {
      return ready(state.cluster);
    },
    get client() {
      return ready(state.client);
    },
    get namespace() {
      return ready(state.namespace);
    },
    core: (rest) => `/api/v1/namespaces/${ready(state.namespace)}/${rest}`,
    group: (groupVersion, rest) => `/apis/${groupVersion}/namespaces/${ready(state.namespace)}/${rest}`,
  };
}

function ready<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the cluster is only there inside checks");
  return value;
}

let count = 0;

/** A name nobody used before in this run. */
export function fresh(prefix = "x"): string {
  count += 1;
  return `${prefix}-${count}-${Math.random().toString(36).slice(2, 7)}`;
}

/** A ConfigMap. */
export function configMap(name: string, over: Loose = {}): Loose {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    ...over,
    metadata: { name, ...over.metadata },
    data: over.data ?? { key: "value" },
  };
}

/** A Deployment of one container. */
export function deployment(name: string, over: Loose = {}): Loose {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, ...over.metadata },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "registry.example/app:1" }] } },
      ...over.spec,
    },
  };
}

/** The schema of one version of a definition, as most checks want it. */
export interface DefinitionWish {
  readonly spec?: Loose;
  readonly version?: Loose;
  readonly root?: Loose;
  readonly scope?: "Namespaced" | "Cluster";
}

/** A CustomResourceDefinition with a kind nobody else has; its objects have the given spec schema. */
export function definition(wish: DefinitionWish = {}): Loose {
  const plural = `${fresh("thing").replaceAll("-", "")}s`;
  const group = "contract.openpitrix.io";
  const kind = plural.slice(0, 1).toUpperCase() + plural.slice(1, -1);
  const properties = {
    spec: { type: "object", properties: wish.spec ?? {} },
    status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, labels: { [MARK]: run } },
    spec: {
      group,
      scope: wish.scope ?? "Namespaced",
      names: { plural, kind },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties, ...wish.root } },
          ...wish.version,
        },
      ],
    },
  };
}

/** A defined kind, ready for use. */
export interface Defined {
  readonly kind: string;
  readonly plural: string;
  readonly apiVersion: string;
  readonly name: string;
  /** Path of the collection in the own namespace (or of the cluster) plus the rest. */
  path(rest?: string): string;
  object(name: string, over?: Loose): Loose;
}

/** Creates a definition and waits until objects of it are served. */
export async function define(fixture: Fixture, wish: DefinitionWish = {}): Promise<Defined> {
  const { client } = fixture;
  const wanted = definition(wish);
  const created = expectCode(await client.post(DEFINITIONS, wanted), 201).body;
  const { group, names, scope } = created.spec;
  const apiVersion = `${group}/v1`;
  const base = scope === "Cluster" ? `/apis/${apiVersion}/${names.plural}` : fixture.group(apiVersion, names.plural);
  await eventually(
    () => client.get(base),
    ({ code }) => code === 200,
  );
  return {
    kind: names.kind,
    plural: names.plural,
    apiVersion,
    name: created.metadata.name,
    path: (rest = "") => `${base}${rest}`,
    object: (name, over = {}) => ({ apiVersion, kind: names.kind, ...over, metadata: { name, ...over.metadata } }),
  };
}
