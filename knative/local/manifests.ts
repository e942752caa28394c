import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { parseYamlDocuments } from "../../shared/adapters/yaml.ts";
import type { KubeObject } from "../../shared/resource.ts";
import { ApiServerSource, Broker, PingSource, Service, SinkBinding, Trigger } from "./eventing/kinds.ts";

/** Folder of the generated manifests. */
export const MANIFESTS_FOLDER = join(import.meta.dirname, "../manifests");

/** The manifests by what the laptop does with them. */
export interface Manifests {
  /** What goes into the Kubernetes API: namespaces, definitions, accounts and roles. */
  readonly cluster: readonly KubeObject[];
  readonly brokers: readonly Broker[];
  readonly triggers: readonly Trigger[];
  readonly services: readonly Service[];
  readonly pings: readonly PingSource[];
  readonly watches: readonly ApiServerSource[];
  readonly bindings: readonly SinkBinding[];
  /** Brokers, Triggers, sources and bindings as they are written. */
  readonly eventing: readonly KubeObject[];
}

const KubeHead = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});

/** Kinds that the cluster itself understands, in the order in which they can be created. */
const CLUSTER_KINDS = [
  "Namespace",
  "CustomResourceDefinition",
  "ServiceAccount",
  "ClusterRole",
  "ClusterRoleBinding",
  "Role",
  "RoleBinding",
];

/** Reads every YAML file below `folder`. An object of a kind that nobody here understands is left out. */
export async function readManifests(folder: string = MANIFESTS_FOLDER): Promise<Manifests> {
  const objects = (await Promise.all((await yamlFiles(folder)).map(readObjects))).flat();
  const order = (object: KubeObject) => CLUSTER_KINDS.indexOf(object.kind);
  return {
    cluster: objects.filter((object) => order(object) >= 0).sort((a, b) => order(a) - order(b)),
    brokers: ofKind(objects, ["eventing.knative.dev/v1", "Broker"], Broker),
    triggers: ofKind(objects, ["eventing.knative.dev/v1", "Trigger"], Trigger),
    services: ofKind(objects, ["serving.knative.dev/v1", "Service"], Service),
    pings: ofKind(objects, ["sources.knative.dev/v1", "PingSource"], PingSource),
    watches: ofKind(objects, ["sources.knative.dev/v1", "ApiServerSource"], ApiServerSource),
    bindings: ofKind(objects, ["sources.knative.dev/v1", "SinkBinding"], SinkBinding),
    eventing: objects.filter(({ apiVersion }) => /^(eventing|sources)\.knative\.dev\//.test(apiVersion)),
  };
}

function ofKind<S extends z.ZodType>(
  objects: readonly KubeObject[],
  [apiVersion, kind]: readonly [string, string],
  schema: S,
): z.output<S>[] {
  const matching = objects.filter((object) => object.apiVersion === apiVersion && object.kind === kind);
  return matching.map((object) => {
    const parsed = schema.safeParse(object);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    throw new Error(`${kind} ${object.metadata.name}: ${issue?.path.join(".")}: ${issue?.message}`);
  });
}

async function yamlFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".yaml"));
  return files.map((entry) => join(entry.parentPath, entry.name)).sort();
}

async function readObjects(file: string): Promise<readonly KubeObject[]> {
  const documents = parseYamlDocuments(await readFile(file, "utf8"));
  const heads = documents.filter((document) => KubeHead.safeParse(document).success);
  return heads as readonly KubeObject[];
}
