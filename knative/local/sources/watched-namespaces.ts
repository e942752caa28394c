import type { Kube } from "../../../shared/adapters/kubernetes.ts";
import type { ResourceDefinition } from "../../../shared/resource.ts";
import type { LabelSelector } from "../eventing/kinds.ts";
import { matchesLabels } from "./label-selector.ts";

/** Which objects a source follows: those of one namespace, and of those only where `includes` says so. */
export interface WatchedNamespaces {
  /** `undefined`: those of all namespaces. */
  readonly namespace?: string | undefined;
  includes(namespace: string | undefined): Promise<boolean>;
}

const NAMESPACE: ResourceDefinition = {
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  scope: "Cluster",
};

const everywhere = async () => true;

/**
 * Reads an ApiServerSource's `namespaceSelector`: without one only its own namespace counts, an empty one means all,
 * any other the namespaces with such labels at the time of a change. Objects of cluster kinds are always followed.
 */
export function watchedNamespaces(
  selector: LabelSelector | undefined,
  own: string,
  kube: Pick<Kube, "get">,
): WatchedNamespaces {
  if (!selector) return { namespace: own, includes: everywhere };
  if (Object.keys(selector.matchLabels).length + selector.matchExpressions.length === 0)
    return { includes: everywhere };
  return {
    async includes(name) {
      if (name === undefined) return true;
      const found = await kube.get(NAMESPACE, name);
      return found !== undefined && matchesLabels(selector, found.metadata.labels ?? {});
    },
  };
}
