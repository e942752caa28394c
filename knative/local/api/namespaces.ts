import { failure, forbidden } from "./errors.ts";
import { type KubeObject, type ObjectMeta, parseObject } from "./object.ts";
import { at } from "./schema/json.ts";
import type { KindInfo } from "./schema/kinds.ts";
import { type Entry, resourceKey } from "./storage.ts";
import { type Backend, subjectOf } from "./target.ts";

/** The storage name of namespaces. */
export const namespacesResource: string = resourceKey("", "namespaces");

// Every new object comes by here, and few namespaces ever change.
const staying = new WeakSet<Entry>();

/** Refuses a new object whose namespace does not exist (404) or is going away (403). */
export function requireNamespace(backend: Backend, kind: KindInfo, metadata: ObjectMeta): void {
  const { namespace, name } = metadata;
  if (!kind.namespaced || namespace === undefined) return;
  const entry = backend.storage.get({ resource: namespacesResource, namespace: "", name: namespace });
  if (entry === undefined) {
    const message = `namespaces ${JSON.stringify(namespace)} not found`;
    throw failure({ code: 404, reason: "NotFound", message, details: { name: namespace, kind: "namespaces" } });
  }
  if (staying.has(entry)) return;
  if (!isTerminating(parseObject(entry.text))) {
    staying.add(entry);
    return;
  }
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const cause = {
    reason: "NamespaceTerminating",
    message: `namespace ${namespace} is being terminated`,
    field: "metadata.namespace",
  };
  throw forbidden(subjectOf(kind, name), why, [cause]);
}

/** True once a namespace was deleted and only waits for its content to go. */
export function isTerminating(namespace: KubeObject): boolean {
  return namespace.metadata.deletionTimestamp !== undefined || at(namespace, "status", "phase") === "Terminating";
}
