import { mediaRanges } from "./negotiate.ts";
import { apiVersionOf } from "./object.ts";
import type { Registry } from "./registry.ts";
import type { KindInfo } from "./schema/kinds.ts";

const allVerbs = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

/** What clients may do with a kind. */
export function verbsOf(kind: KindInfo): readonly string[] {
  return kind.verbs ?? allVerbs;
}

interface Subresource {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** The subresources that a kind serves. */
export function subresourcesOf(kind: KindInfo): readonly Subresource[] {
  const { group, version } = kind;
  const changes = ["get", "patch", "update"];
  const parts: Subresource[] = [];
  if (kind.subresources.status) parts.push({ name: "status", group, version, kind: kind.kind, verbs: changes });
  if (kind.subresources.scale !== undefined) {
    parts.push({ name: "scale", group: "autoscaling", version: "v1", kind: "Scale", verbs: changes });
  }
  return [...parts, ...(extra[`${group}/${kind.kind}`] ?? [])];
}

const extra: Readonly<Record<string, readonly Subresource[]>> = {
  "/ServiceAccount": [
    { name: "token", group: "authentication.k8s.io", version: "v1", kind: "TokenRequest", verbs: ["create"] },
  ],
  "/Namespace": [{ name: "finalize", group: "", version: "v1", kind: "Namespace", verbs: ["update"] }],
  "/Pod": [{ name: "eviction", group: "policy", version: "v1", kind: "Eviction", verbs: ["create"] }],
};

/** True when the Accept header prefers the aggregated form of discovery. */
export function wantsAggregated(accept: string | undefined): boolean {
  const first = mediaRanges(accept).find((range) => range.type === "application/json");
  return first?.parameters.get("as") === "APIGroupDiscoveryList" && first.parameters.get("v") === "v2";
}

/** The content type of aggregated discovery. */
export const aggregatedType = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Aggregated discovery: of the core group for `/api`, of all others for `/apis`. */
export function aggregatedDiscovery(registry: Registry, core: boolean): object {
  const items = groupsOf(registry)
    .filter(({ group }) => (group === "") === core)
    .map(({ group, versions }) => ({
      metadata: { name: group === "" ? undefined : group, creationTimestamp: null },
      versions: versions.map(({ version, kinds }) => ({
        version,
        resources: kinds.map(aggregatedResource),
        freshness: "Current",
      })),
    }));
  return { kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2", metadata: {}, items };
}

function aggregatedResource(kind: KindInfo): object {
  const subresources = subresourcesOf(kind).map((part) => ({
    subresource: part.name,
    responseKind: responseKind(kind, part),
    verbs: part.verbs,
  }));
  return {
    resource: kind.plural,
    responseKind: responseKind(kind, kind),
    scope: kind.namespaced ? "Namespaced" : "Cluster",
    singularResource: kind.singular,
    verbs: verbsOf(kind),
    ...(kind.shortNames.length === 0 ? {} : { shortNames: kind.shortNames }),
    ...(kind.categories.length === 0 ? {} : { categories: kind.categories }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}

// Kubernetes' own kinds name a group and version here only where they differ from those of the path.
function responseKind(of: KindInfo, { group, version, kind }: Pick<Subresource, "group" | "version" | "kind">): object {
  const own = of.origin === "builtin" && group === of.group && version === of.version;
  return own ? { group: "", version: "", kind } : { group, version, kind };
}

/** `/api` in its old form. */
export function coreVersions(address: string): object {
  const serverAddressByClientCIDRs = [{ clientCIDR: "0.0.0.0/0", serverAddress: address }];
  return { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs };
}

/** `/apis` in its old form. */
export function groupList(registry: Registry): object {
  const groups = groupsOf(registry).filter(({ group }) => group !== "");
  return { kind: "APIGroupList", apiVersion: "v1", groups: groups.map(groupOf) };
}

/** `/apis/<group>`; undefined when the group is not served. */
export function groupInfo(registry: Registry, name: string): object | undefined {
  const found = groupsOf(registry).find(({ group }) => group === name && name !== "");
  return found === undefined ? undefined : { kind: "APIGroup", apiVersion: "v1", ...groupOf(found) };
}

function groupOf({ group, versions }: Group): object {
  const listed = versions.map(({ version }) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: listed, preferredVersion: listed[0] };
}

/** `/api/v1` and `/apis/<group>/<version>`; undefined when the version is not served. */
export function resourceList(registry: Registry, group: string, version: string): object | undefined {
  const kinds = registry.kinds().filter((kind) => kind.group === group && kind.version === version);
  const [first] = kinds;
  if (first === undefined) return undefined;
  const resources = kinds.flatMap((kind) => [
    plainResource(kind),
    ...subresourcesOf(kind).map((part) => plainPart(kind, part)),
  ]);
  return { kind: "APIResourceList", apiVersion: "v1", groupVersion: apiVersionOf(first), resources };
}

function plainResource(kind: KindInfo): object {
  return {
    name: kind.plural,
    singularName: kind.singular,
    namespaced: kind.namespaced,
    kind: kind.kind,
    verbs: verbsOf(kind),
    ...(kind.shortNames.length === 0 ? {} : { shortNames: kind.shortNames }),
    ...(kind.categories.length === 0 ? {} : { categories: kind.categories }),
  };
}

function plainPart(kind: KindInfo, part: Subresource): object {
  const foreign =
    part.group === kind.group && part.version === kind.version ? {} : { group: part.group, version: part.version };
  return {
    name: `${kind.plural}/${part.name}`,
    singularName: "",
    namespaced: kind.namespaced,
    ...foreign,
    kind: part.kind,
    verbs: part.verbs,
  };
}

interface Group {
  readonly group: string;
  readonly versions: readonly { readonly version: string; readonly kinds: readonly KindInfo[] }[];
}

function groupsOf(registry: Registry): readonly Group[] {
  const groups = Map.groupBy(registry.kinds(), (kind) => kind.group);
  return [...groups].map(([group, kinds]) => ({ group, versions: versionsOf(kinds) }));
}

function versionsOf(kinds: readonly KindInfo[]): Group["versions"] {
  const versions = [...Map.groupBy(kinds, (kind) => kind.version)].map(([version, served]) => ({
    version,
    kinds: served,
  }));
  return versions.sort((left, right) => compareVersions(left.version, right.version));
}

/** Kubernetes' order of versions: v2, v1, v1beta2, v1beta1, v1alpha1, then everything else by name. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [rank(left), rank(right)];
  for (const [index, value] of a.entries()) {
    const difference = (b[index] ?? 0) - value;
    if (difference !== 0) return difference;
  }
  return left < right ? -1 : Number(left > right);
}

function rank(version: string): readonly number[] {
  const [, major, stage, minor] = /^v(\d+)(?:(alpha|beta)(\d+))?$/u.exec(version) ?? [];
  if (major === undefined) return [0, 0, 0];
  return [stage === undefined ? 3 : stage === "beta" ? 2 : 1, Number(major), Number(minor ?? 0)];
}
