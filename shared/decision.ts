import type { Announcement } from "./event.ts";
import type { HistoryRecord } from "./history-port.ts";
import type { Bucket } from "./ports.ts";
import type { KubeObject, ObjectMeta, ObjectOf, ResourceDefinition } from "./resource.ts";

/** One write to the cluster; the type parameter is the kind, so that undeclared writes do not compile. */
export interface Write<K extends string = string> {
  readonly verb: "create" | "apply" | "replace" | "replaceStatus" | "remove";
  readonly kind: ResourceDefinition<K>;
  readonly object: KubeObject;
  /** The owner's uid is filled in at commit, when it is known. */
  readonly owner?: { readonly kind: ResourceDefinition; readonly name: string };
  /** Written only after every other write of the decision, as the mark that the rest is there. */
  readonly last?: true;
  /** Deletes only what has not been changed since. */
  readonly asRead?: true;
}

/** Bytes to keep before any object speaks of them. */
export interface BlobWrite {
  readonly bucket: Bucket;
  readonly key: string;
  readonly bytes: Uint8Array;
}

/** Bytes to give up; with a revision only while nobody has stored them anew. */
export interface BlobGone extends Omit<BlobWrite, "bytes"> {
  readonly revision?: string;
}

/** What a decision commits, in this order: bytes, history, objects, events; last, it gives up bytes that nothing speaks of any more. */
export interface Changes<E extends string, K extends string> {
  readonly blobs?: readonly BlobWrite[];
  readonly write?: readonly Write<K>[];
  readonly record?: readonly HistoryRecord[];
  readonly announce?: readonly Announcement<E>[];
  readonly forget?: readonly BlobGone[];
}

/** What a function decided. */
export type Decision<E extends string = string, K extends string = string> =
  | ({ readonly outcome: "change" } & Changes<E, K>)
  | ({ readonly outcome: "refuse"; readonly reason: string; readonly message: string } & Changes<E, K>)
  | ({ readonly outcome: "wait"; readonly reason: string } & Changes<E, K>);

/** Commits changes; in the target state it writes nothing and announces again. */
export function change<E extends string = never, K extends string = never>(changes: Changes<E, K>): Decision<E, K> {
  return { outcome: "change", ...changes };
}

/** The rules say no: `reason` is a stable CamelCase word, `message` names object, cause and next step. */
export function refuse<E extends string = never, K extends string = never>(
  reason: string,
  message: string,
  changes: Changes<E, K> = {},
): Decision<E, K> {
  return { outcome: "refuse", reason, message, ...changes };
}

/** Too early: commits `changes` and asks for the event again after the Trigger's back-off. */
export function wait<E extends string = never, K extends string = never>(
  reason: string,
  changes: Changes<E, K> = {},
): Decision<E, K> {
  return { outcome: "wait", reason, ...changes };
}

/** The fields of a partial object that server-side apply sends. */
export type AppliedFields<O> = { readonly metadata: ObjectMeta } & {
  readonly [P in Exclude<keyof O, "metadata">]?: Partial<O[P]>;
};

/** Creates an object; a `status` given with it is written right after, since the API server drops it on create. */
export function create<K extends string, O extends KubeObject>(
  kind: ResourceDefinition<K, O>,
  object: Omit<O, "apiVersion" | "kind">,
  owner?: Write["owner"],
): Write<K> {
  return { verb: "create", kind, object: typed(kind, object), ...(owner ? { owner } : {}) };
}

/** Server-side apply of exactly the given fields. With `metadata.resourceVersion` it conflicts on a stale read. */
export function apply<K extends string, O extends KubeObject>(
  kind: ResourceDefinition<K, O>,
  object: AppliedFields<O>,
  owner?: Write["owner"],
): Write<K> {
  return { verb: "apply", kind, object: typed(kind, object), ...(owner ? { owner } : {}) };
}

/** Replaces the status of an object as it was read; conflicts on a stale read. */
export function replaceStatus<K extends string, R extends ResourceDefinition<K>>(
  kind: R & ResourceDefinition<K>,
  object: ObjectOf<R>,
  status: ObjectOf<R> extends { readonly status?: infer S } ? S : never,
): Write<K> {
  const target = object as unknown as KubeObject;
  return { verb: "replaceStatus", kind, object: { ...target, status } as KubeObject };
}

/** Replaces metadata and spec of an object as it was read; conflicts on a stale read. */
export function replace<K extends string, O extends KubeObject>(kind: ResourceDefinition<K, O>, object: O): Write<K> {
  return { verb: "replace", kind, object };
}

/** Server-side apply of labels onto an object as it was read; conflicts if it is another object by now. */
export function label<K extends string>(
  kind: ResourceDefinition<K>,
  { metadata }: KubeObject,
  labels: Readonly<Record<string, string>>,
): Write<K> {
  const { name, namespace, uid } = metadata;
  const identity = { name, ...(namespace === undefined ? {} : { namespace }), ...(uid === undefined ? {} : { uid }) };
  return { verb: "apply", kind, object: typed(kind, { metadata: { ...identity, labels } }) };
}

/** Deletes an object only while it is still as it was read; conflicts otherwise. */
export function removeAsRead<K extends string>(kind: ResourceDefinition<K>, object: KubeObject): Write<K> {
  return { verb: "remove", kind, object, asRead: true };
}

/** Marks a write as the last of its decision: once it is there, all others are. */
export function last<K extends string>(write: Write<K>): Write<K> {
  return { ...write, last: true };
}

/** Deletes an object as it was read: another object of the same name is left alone. */
export function remove<K extends string>(kind: ResourceDefinition<K>, object: KubeObject): Write<K> {
  return { verb: "remove", kind, object };
}

function typed(kind: ResourceDefinition, object: object): KubeObject {
  const apiVersion = kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
  return { apiVersion, kind: kind.kind, ...object } as KubeObject;
}
