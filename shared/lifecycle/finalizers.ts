import { remove, replace, type Write } from "../decision.ts";
import type { KubeObject, ResourceDefinition } from "../resource.ts";
import { FINALIZER } from "../resources/labels.ts";

/** The write that takes the store's own finalizer off an object; none where it has none. */
export function freed<K extends keyof typeof FINALIZER, O extends KubeObject>(
  kind: ResourceDefinition<K, O>,
  object: O,
): readonly Write<K>[] {
  const { finalizers = [] } = object.metadata;
  const kept = finalizers.filter((finalizer) => finalizer !== FINALIZER[kind.kind]);
  if (kept.length === finalizers.length) return [];
  return [replace(kind, { ...object, metadata: { ...object.metadata, finalizers: kept } })];
}

/** The writes by which an object goes at once, whoever gave it the store's finalizer. */
export function removed<K extends keyof typeof FINALIZER, O extends KubeObject>(
  kind: ResourceDefinition<K, O>,
  object: O,
): readonly Write<K>[] {
  return [...freed(kind, object), remove(kind, object)];
}

/** Whether an object is being deleted and waits for the store. */
export function isLeaving(kind: ResourceDefinition<keyof typeof FINALIZER>, { metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(FINALIZER[kind.kind]);
}
