import type { ResourceDefinition } from "../resource.ts";
import { failureOf } from "./kubernetes-errors.ts";
import type { KubeTransport } from "./kubernetes-http.ts";
import { parseAnswer } from "./kubernetes-list.ts";

/** Finds how a kind is addressed; `undefined` where the server does not serve it. */
export type FindKind = (apiVersion: string, kind: string) => Promise<ResourceDefinition | undefined>;

/** A kind that was not there may have been installed since, so misses are asked again after this time. */
const MISS_MS = 5_000;

const MAX_GROUPS = 500;

type Found = ReadonlyMap<string, ResourceDefinition>;

/** Asks the server's discovery, one call per apiVersion for as long as that answer is good. */
export function kindFinder(transport: KubeTransport): FindKind {
  const asked = new Map<string, { readonly at: number; readonly kinds: Promise<Found> }>();
  const ask = (apiVersion: string): Promise<Found> => {
    if (asked.size >= MAX_GROUPS) asked.clear();
    const kinds = discover(transport, apiVersion);
    asked.set(apiVersion, { at: performance.now(), kinds });
    kinds.catch(() => asked.delete(apiVersion));
    return kinds;
  };
  return async (apiVersion, kind) => {
    const earlier = asked.get(apiVersion);
    const found = (await (earlier?.kinds ?? ask(apiVersion))).get(kind);
    if (found || !earlier || performance.now() - earlier.at < MISS_MS) return found;
    return (await ask(apiVersion)).get(kind);
  };
}

interface ResourceList {
  readonly resources?: readonly ResourceEntry[];
}

interface ResourceEntry {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

async function discover(transport: KubeTransport, apiVersion: string): Promise<Found> {
  const what = `discover ${apiVersion}`;
  const path = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const answer = await transport.send({ what, method: "GET", path });
  if (answer.status === 404) return new Map();
  if (answer.status !== 200) throw failureOf(what, answer);
  const { resources = [] } = parseAnswer(what, answer) as ResourceList;
  const kinds = resources.filter(({ name }) => !name.includes("/")).map((entry) => kindOf(apiVersion, entry));
  return new Map(kinds.reverse().map((kind) => [kind.kind, kind]));
}

function kindOf(apiVersion: string, { name, kind, namespaced }: ResourceEntry): ResourceDefinition {
  const slash = apiVersion.indexOf("/");
  const group = apiVersion.slice(0, Math.max(slash, 0));
  const version = apiVersion.slice(slash + 1);
  return { group, version, kind, plural: name, scope: namespaced ? "Namespaced" : "Cluster" };
}
