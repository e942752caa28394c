import type { Subject } from "./errors.ts";
import { fromStored, isRenamed } from "./event-fields.ts";
import { apiVersionOf, type KubeObject, parseObject } from "./object.ts";
import type { Registry } from "./registry.ts";
import type { KindInfo } from "./schema/kinds.ts";
import { type Entry, type ObjectId, resourceKey, type Storage } from "./storage.ts";
import { retypeText } from "./storage-text.ts";

/** What the verbs work on: the objects and the kinds that are served. */
export interface Backend {
  readonly storage: Storage;
  readonly registry: Registry;
}

/** The collection (no name) or the object (name) that a request is about. */
export interface Target {
  readonly kind: KindInfo;
  /** Empty for cluster scope and for all namespaces. */
  readonly namespace: string;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** The place of an object in the store. */
export function idOf(kind: KindInfo, namespace: string, name: string): ObjectId {
  return { resource: resourceKey(kind.group, kind.plural), namespace: kind.namespaced ? namespace : "", name };
}

/** The subject of errors about one object of a kind. */
export function subjectOf(kind: KindInfo, name: string): Subject {
  return { group: kind.group, plural: kind.plural, kind: kind.kind, name };
}

/** An object's text in the version that was asked for. */
export function textIn(kind: KindInfo, entry: Entry): string {
  if (isRenamed(kind)) return JSON.stringify(fromStored(parseObject(entry.text)));
  return retypeText(entry.text, apiVersionOf(kind));
}

/** An object, parsed, in the version that was asked for. */
export function objectIn(kind: KindInfo, entry: Entry): KubeObject {
  return parseObject(textIn(kind, entry));
}

/** An object after a write, and how it is stored now; a dry run stores nothing, and neither does the end of an object. */
export interface Written {
  readonly object: KubeObject;
  readonly entry: Entry | undefined;
}

/** The object of a write with the revision that it got. */
export function stamped({ object, entry }: Written): KubeObject {
  if (entry === undefined) return object;
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(entry.revision) } };
}
