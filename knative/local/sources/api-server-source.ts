import { setTimeout as delay } from "node:timers/promises";
import type { Kube } from "../../../shared/adapters/kubernetes.ts";
import type { Event } from "../../../shared/event.ts";
import type { ResourceDefinition } from "../../../shared/resource.ts";
import type { ApiServerSource } from "../eventing/kinds.ts";
import { apiServerEvent, type Seen } from "./api-server-event.ts";
import { selectorText } from "./label-selector.ts";
import type { Running, Sink } from "./ping-source.ts";
import { type WatchedNamespaces, watchedNamespaces } from "./watched-namespaces.ts";

/** What a running ApiServerSource needs. */
export interface ApiServerSourceOptions {
  readonly kube: Pick<Kube, "findKind" | "position" | "watch" | "get">;
  /** URL of the API server, which becomes the events' source. */
  readonly host: string;
  readonly sink: Sink;
  readonly onError: (error: unknown) => void;
}

/** Attempts at delivering one event, and the pause after the first, as the Knative adapter has them. */
const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 50;

/** Pause before a watch that the server refused is tried again. */
const WATCH_AGAIN_MS = 5_000;

/**
 * Sends every change of the source's kinds that happens after this call returned; what exists already is passed over in
 * silence, as Knative's adapter does. Throws where a kind is not served, or the source asks for what is not done here.
 */
export async function startApiServerSource(source: ApiServerSource, options: ApiServerSourceOptions): Promise<Running> {
  const abort = new AbortController();
  const { spec, metadata } = source;
  const named = `ApiServerSource ${metadata.namespace}/${metadata.name}`;
  refuseUnknown(source, named);
  const namespaces = watchedNamespaces(spec.namespaceSelector, metadata.namespace, options.kube);
  const kinds = await Promise.all(
    spec.resources.map(async ({ apiVersion, kind, selector }) => {
      const found = await options.kube.findKind(apiVersion, kind);
      if (!found) throw new Error(`${named}: the cluster serves no ${kind} in ${apiVersion}`);
      return { kind: found, labelSelector: selectorText(selector), position: await options.kube.position(found) };
    }),
  );
  const { signal } = abort;
  const loops = kinds.map((watched) => follow({ ...watched, namespaces, spec, signal, ...options }));
  return {
    async stop() {
      abort.abort();
      await Promise.all(loops);
    },
  };
}

/** What Knative has off by default, or what nobody needed here: better refused than passed over. */
function refuseUnknown({ spec }: ApiServerSource, named: string): void {
  if (spec.filters?.length) {
    throw new Error(`${named}: filters need a feature flag that Knative has off by default; filter in the Trigger`);
  }
  if (spec.owner !== undefined) {
    throw new Error(`${named}: owner is not supported here; select by label, or filter in the Trigger`);
  }
}

interface Following extends ApiServerSourceOptions {
  readonly kind: ResourceDefinition;
  readonly labelSelector: string;
  readonly position: string;
  readonly namespaces: WatchedNamespaces;
  readonly spec: Seen["spec"];
  readonly signal: AbortSignal;
}

async function follow(following: Following): Promise<void> {
  const { kube, kind, signal, onError } = following;
  let resourceVersion: string | undefined = following.position;
  while (!signal.aborted) {
    try {
      resourceVersion ??= await kube.position(kind);
      await followFrom(resourceVersion, following);
    } catch (error) {
      if (!signal.aborted) onError(error);
      resourceVersion = undefined;
      await delay(WATCH_AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function followFrom(resourceVersion: string, following: Following): Promise<void> {
  const { kube, kind, namespaces, labelSelector, host, spec, signal } = following;
  const { namespace } = kind.scope === "Namespaced" ? namespaces : {};
  const from = { ...(namespace === undefined ? {} : { namespace }), resourceVersion, labelSelector, signal };
  for await (const change of kube.watch(kind, from)) {
    if (!(await namespaces.includes(change.object.metadata.namespace))) continue;
    await deliver(apiServerEvent(change, { host, plural: kind.plural, spec, now: new Date() }), following);
  }
}

/** Tries a few times, then drops the event: a source gives no more than that, ticks make up for it. */
async function deliver(event: Event, { sink, onError, signal }: Following): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await sink(event);
    } catch (error) {
      if (attempt >= ATTEMPTS || signal.aborted) return onError(error);
      await delay(FIRST_PAUSE_MS * 2 ** (attempt - 1), undefined, { signal }).catch(() => undefined);
    }
  }
}
