import type { KubeReader, KubeWriter } from "../ports.ts";

/** A Kubernetes client that is loaded at its first call. */
export function lazyKube(kube: () => Promise<KubeReader & KubeWriter>): KubeReader & KubeWriter {
  return {
    get: async (kind, name) => (await kube()).get(kind, name),
    list: async (kind, query) => (await kube()).list(kind, query),
    create: async (kind, object, manager) => (await kube()).create(kind, object, manager),
    apply: async (kind, object, manager) => (await kube()).apply(kind, object, manager),
    replaceStatus: async (kind, object, manager) => (await kube()).replaceStatus(kind, object, manager),
    replace: async (kind, object, manager) => (await kube()).replace(kind, object, manager),
    remove: async (kind, object, asRead) => (await kube()).remove(kind, object, asRead),
  };
}
