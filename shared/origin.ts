import type { Cause, Event } from "./event.ts";
import type { ResourceDefinition } from "./resource.ts";

/** Namespace in which functions, broker and sources live. */
export const SYSTEM_NAMESPACE = "openpitrix";

/** The Broker that all Triggers listen to and all sources send to. */
export const BROKER = "openpitrix";

const PING_TYPE = "dev.knative.sources.ping";
const CHANGE_PREFIX = "dev.knative.apiserver.";

/** A Knative source whose events mean the same as one of ours: how to tell them, read them and identify them. */
export interface Origin<D> {
  readonly source: PingOrigin | ApiServerOrigin;
  /** Trigger filter that selects these events. */
  readonly filter: { readonly prefix?: Record<string, string>; readonly exact?: Record<string, string> };
  matches(event: Event): boolean;
  read(event: Event): D;
  identify(event: Event): Cause;
}

/** A PingSource: sends an event on a cron schedule (5 fields, optional leading seconds). */
export interface PingOrigin {
  readonly kind: "PingSource";
  readonly name: string;
  readonly schedule: string;
}

/** An ApiServerSource: sends every change of the named kinds. */
export interface ApiServerOrigin {
  readonly kind: "ApiServerSource";
  readonly name: string;
  readonly resources: readonly WatchedResource[];
}

/** A kind that is watched, and which of its objects where not all of them matter. */
export interface WatchedResource {
  readonly kind: ResourceDefinition;
  /** Label that must be absent. */
  readonly withoutLabel?: string;
  /** Labels that must have these values. */
  readonly withLabels?: Readonly<Record<string, string>>;
}

/** Ticks of a PingSource called `name`; data is what the PingSource sends. Two ticks of the same second are one occurrence. */
export function ping<D>(name: string, schedule: string, data: D): Origin<D> {
  const source = `/apis/v1/namespaces/${SYSTEM_NAMESPACE}/pingsources/${name}`;
  return {
    source: { kind: "PingSource", name, schedule },
    filter: { exact: { type: PING_TYPE, source } },
    matches: (event) => event.type === PING_TYPE && event.source === source,
    read: () => data,
    // PingSource ids are random and HA adapters may fire twice, so the second it fired in is the identity.
    identify: (event) => ({ source, id: event.time?.slice(0, 19) ?? event.id }),
  };
}

/** One change of an object as an ApiServerSource reports it: a reference, or the whole object in mode Resource. */
export interface ResourceChange {
  readonly change: "add" | "update" | "delete";
  readonly object: unknown;
}

/**
 * Changes of `resources`, told by an ApiServerSource called `name`. It sends references: a function reads the object as
 * it is now anyway, and a HelmRepo with its index is larger than a broker takes.
 */
export function resourceChanges<D>(
  name: string,
  resources: readonly WatchedResource[],
  read: (change: ResourceChange) => D,
): Origin<D> {
  return {
    source: { kind: "ApiServerSource", name, resources },
    filter: { prefix: { type: CHANGE_PREFIX } },
    matches: (event) => event.type.startsWith(CHANGE_PREFIX),
    read: (event) => {
      const change = event.type.split(".").at(-1);
      return read({ change: change === "add" || change === "delete" ? change : "update", object: event.data });
    },
    // Ids are random, so where the whole object came along its uid and version say which change this is.
    identify: (event) => {
      const { uid, resourceVersion } = metadataOf(event.data);
      return { source: name, id: uid === undefined ? event.id : `${uid}/${resourceVersion}/${event.type}` };
    },
  };
}

function metadataOf(object: unknown): { readonly uid?: string; readonly resourceVersion?: string } {
  const metadata = typeof object === "object" && object !== null && "metadata" in object ? object.metadata : undefined;
  return typeof metadata === "object" && metadata !== null ? metadata : {};
}
