import type { Kube } from "../adapters/kubernetes.ts";
import type { CachedReader } from "../adapters/kubernetes-cache.ts";
import type { ResourceDefinition } from "../resource.ts";
import type { Runtime } from "../run.ts";
import { lazily } from "./lazy.ts";

/** A runtime that lists some kinds from memory, and what ends that. */
export interface CachedRuntime {
  readonly runtime: Runtime;
  stop(): Promise<void>;
}

/** Keeps lists of these kinds in memory from their first use on; without kinds nothing is changed or loaded. */
export function withCache(
  runtime: Runtime,
  kube: () => Promise<Kube>,
  kinds: readonly ResourceDefinition[],
): CachedRuntime {
  if (kinds.length === 0) return { runtime, stop: async () => {} };
  let opened: Promise<CachedReader> | undefined;
  const reader = lazily(() => {
    opened = import("../adapters/kubernetes-cache.ts").then(async ({ cachedReader }) =>
      cachedReader(await kube(), kinds),
    );
    return opened;
  });
  return {
    runtime: {
      ...runtime,
      kube: {
        ...runtime.kube,
        get: async (kind, name) => (await reader()).get(kind, name),
        list: async (kind, query) => (await reader()).list(kind, query),
      },
    },
    stop: async () => (await opened?.catch(() => undefined))?.stop(),
  };
}
