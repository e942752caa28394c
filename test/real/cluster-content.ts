import { mapLimited } from "../../shared/concurrency.ts";
import { type Client, clientOf, expectCode, type Loose } from "../contracts/kubernetes/client.ts";
import type { Cluster } from "../contracts/kubernetes/cluster.ts";
import { until } from "../support/until.ts";

/** Objects by "<path of their kind>/<namespace>/<name>". */
export type Content = ReadonlyMap<string, Loose>;

/** Reads everything that a cluster holds, to compare it with what it held before. */
export interface ClusterContent {
  read(): Promise<Content>;
  /** Places of objects that were added, removed or changed in what their author decides; releases' own records and hooks aside. */
  differences(before: Content, after: Content): readonly string[];
  /** Places of objects that were not there before and that an uninstalled release must not leave. */
  residue(before: Content): Promise<readonly string[]>;
  /** Deletes whatever was not there before. */
  clear(before: Content): Promise<void>;
  close(): void;
}

/** Opens a view on all kinds of a cluster. */
export async function openContent(cluster: Cluster): Promise<ClusterContent> {
  const client = clientOf(cluster);
  const read = () => readAll(client);
  const added = async (before: Content) => [...(await read())].filter(([place]) => !before.has(place));
  return {
    read,
    differences,
    residue: async (before) => (await added(before)).filter(([, object]) => !mayStay(object)).map(([place]) => place),
    async clear(before) {
      await mapLimited(await added(before), 8, async ([, object]) => {
        if (object.metadata.deletionTimestamp === undefined) await client.delete(object.path);
      });
      await until("the cluster is empty again", async () => (await added(before)).length === 0);
    },
    close: () => client.close(),
  };
}

const DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

async function readAll(client: Client): Promise<Content> {
  const groups = await Promise.all(["/api", "/apis"].map((path) => client.get(path, { accept: DISCOVERY })));
  const paths = groups.flatMap((reply) => expectCode(reply, 200).body.items.flatMap(collectionsOf));
  const lists = await mapLimited(paths, 8, async (path) => {
    const reply = await client.get(path);
    // The definition of the kind may have gone since.
    if (reply.code === 404) return [];
    return expectCode(reply, 200).body.items.map((item: Loose) => located(path, item));
  });
  return new Map(lists.flat().map((object: Loose) => [object.path, object]));
}

function collectionsOf(group: Loose): readonly string[] {
  const [version] = group.versions;
  const name: string | undefined = group.metadata?.name;
  const root = name === undefined || name === "" ? "/api" : `/apis/${name}`;
  return (version?.resources ?? [])
    .filter(({ verbs }: Loose) => verbs.includes("list"))
    .map(({ resource }: Loose) => `${root}/${version.version}/${resource}`);
}

function located(collection: string, object: Loose): Loose {
  const { name, namespace } = object.metadata;
  const cut = collection.lastIndexOf("/");
  const inside = namespace === undefined ? "" : `/namespaces/${namespace}`;
  return { ...object, path: `${collection.slice(0, cut)}${inside}${collection.slice(cut)}/${name}` };
}

function differences(before: Content, after: Content): readonly string[] {
  const places = new Set([...before.keys(), ...after.keys()]);
  return [...places].filter((place) => decided(before.get(place)) !== decided(after.get(place)));
}

function decided(object: Loose): string {
  if (object === undefined || isHook(object) || object.type === "helm.sh/release.v1") return "";
  const { status: _, metadata, ...rest } = object;
  const { labels, annotations, uid } = metadata;
  return JSON.stringify(sorted({ ...rest, labels, annotations, uid }));
}

function sorted(value: Loose): Loose {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}

/** The namespace and what is born with it, hooks, what a chart asks to keep, and definitions of a crds folder. */
function mayStay(object: Loose): boolean {
  const { annotations = {}, name } = object.metadata;
  if (isHook(object) || annotations["helm.sh/resource-policy"] === "keep") return true;
  if (object.path.startsWith("/api/v1/namespaces/") && object.path.split("/").length === 5) return true;
  if (object.path.endsWith("/serviceaccounts/default")) return true;
  const released = annotations["meta.helm.sh/release-name"] !== undefined;
  return object.path.includes("/customresourcedefinitions/") && !released && name !== undefined;
}

function isHook(object: Loose): boolean {
  return object.metadata.annotations?.["helm.sh/hook"] !== undefined;
}
