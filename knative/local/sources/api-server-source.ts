import { setTimeout as delay } from "node:timers/promises";
import type { Kube } from "../../../shared/adapters/kubernetes.ts";
import type { Event } from "../../../shared/event.ts";
import type { ResourceDefinition } from "../../../shared/resource.ts";
import type { ApiServerSource } from "../eventing/kinds.ts";
import { apiServerEvent, type Seen } from "./api-server-event.ts";
import { selectorText } from "./label-selector.ts";
import type { Running, Sink } from "./ping-source.ts";

/** What a running ApiServerSource needs. */
export interface ApiServerSourceOptions {
  readonly kube: Pick<Kube, "findKind" | "position" | "watch">;
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
 * silence, as Knative's adapter does. Throws where a kind is not served.
 */
export async function startApiServerSource(source: ApiServerSource, options: ApiServerSourceOptions): Promise<Running> {
  const abort = new AbortController();
  const { spec, metadata } = source;
  const kinds = await Promise.all(
    spec.resources.map(async ({ apiVersion, kind, selector }) => {
      const found = await options.kube.findKind(apiVersion, kind);
      if (!found) throw new Error(`ApiServerSource ${metadata.name}: the cluster serves no ${kind} in ${apiVersion}`);
      return { kind: found, labelSelector: selectorText(selector), position: await options.kube.position(found) };
    }),
  );
  const { signal } = abort;
  const loops = kinds.map((watched) => follow({ ...watched, spec, signal, ...options }));
  return {
    async stop() {
      abort.abort();
      await Promise.all(loops);
    },
  };
}

interface Following extends ApiServerSourceOptions {
  readonly kind: ResourceDefinition;
  readonly labelSelector: string;
  readonly position: string;
  readonly spec: Seen["spec"];
  readonly signal: AbortSignal;
}

async function follow(following: Following): Promise<void> {
  const { kube, kind, labelSelector, host, spec, signal, onError } = following;
  let resourceVersion: string | undefined = following.position;
  while (!signal.aborted) {
    try {
      resourceVersion ??= await kube.position(kind);
      for await (const change of kube.watch(kind, { resourceVersion, labelSelector, signal })) {
        const event = apiServerEvent(change, { host, plural: kind.plural, spec, now: new Date() });
        await deliver(event, following);
      }
    } catch (error) {
      if (!signal.aborted) onError(error);
      resourceVersion = undefined;
      await delay(WATCH_AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
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
