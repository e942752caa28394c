import { setTimeout as delay } from "node:timers/promises";
import type { Kube } from "../../shared/adapters/kubernetes.ts";
import { mapLimited } from "../../shared/concurrency.ts";
import type { KubeObject, ResourceDefinition } from "../../shared/resource.ts";

/** Writes that are under way at once. */
const CONCURRENT = 8;

/** A new definition takes a moment until a cluster serves its kind. */
const SERVED_MS = 60_000;

/** Applies objects in their order, kind by kind, and waits until every kind that was defined is served. */
export async function installManifests(kube: Kube, objects: readonly KubeObject[]): Promise<void> {
  const byKind = Map.groupBy(objects, (object) => `${object.apiVersion} ${object.kind}`);
  for (const group of byKind.values()) {
    await mapLimited(group, CONCURRENT, async (object) => {
      const kind = await served(kube, object.apiVersion, object.kind);
      await kube.apply(kind, object, "laptop");
    });
  }
  const defined = objects.filter((object) => object.kind === "CustomResourceDefinition").map(definedKind);
  await mapLimited(defined, CONCURRENT, ({ apiVersion, kind }) => served(kube, apiVersion, kind));
}

async function served(kube: Kube, apiVersion: string, kind: string): Promise<ResourceDefinition> {
  const deadline = Date.now() + SERVED_MS;
  while (Date.now() < deadline) {
    const found = await kube.findKind(apiVersion, kind);
    if (found) return found;
    await delay(200);
  }
  throw new Error(
    `the cluster serves no ${kind} in ${apiVersion} ${SERVED_MS / 1000} s after its definition was applied`,
  );
}

function definedKind(object: KubeObject): { readonly apiVersion: string; readonly kind: string } {
  const { spec } = object as KubeObject & {
    readonly spec: {
      readonly group: string;
      readonly names: { readonly kind: string };
      readonly versions: readonly { readonly name: string; readonly served: boolean }[];
    };
  };
  const version = spec.versions.find((each) => each.served);
  return { apiVersion: `${spec.group}/${version?.name}`, kind: spec.names.kind };
}
