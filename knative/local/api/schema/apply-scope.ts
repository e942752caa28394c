import { type FieldSet, fromFieldsV1, intersection, without } from "./field-set.ts";
import { type JsonObject, type MutableObject, objectOf } from "./json.ts";
import type { KindInfo } from "./kinds.ts";

/** What part of an object a write through one endpoint can touch. */
export interface Scope {
  /** The part of a configuration that counts; the rest is taken from the live object. */
  readonly cut: (object: JsonObject) => JsonObject;
  /** The part of a field set that the write can own. */
  readonly owned: (fields: FieldSet) => FieldSet;
}

const STATUS = fromFieldsV1({ "f:status": {} });
const IDENTITY = ["apiVersion", "kind", "metadata"] as const;

/** The scope of a subresource ("status"), or of the object itself, which leaves status alone when status has its own endpoint. */
export function scopeOf(kind: KindInfo, subresource: string | undefined): Scope {
  if (!kind.subresources.status) return { cut: (object) => object, owned: (fields) => fields };
  if (subresource === "status") return { cut: onlyStatus, owned: statusFields };
  return { cut: withoutStatus, owned: (fields) => without(fields, STATUS) };
}

function withoutStatus(object: JsonObject): JsonObject {
  const { status: _, ...rest } = object;
  return rest;
}

function onlyStatus(object: JsonObject): JsonObject {
  const out: MutableObject = {};
  for (const key of IDENTITY) if (object[key] !== undefined) out[key] = object[key];
  const { name, namespace, uid, resourceVersion } = objectOf(object["metadata"]);
  out["metadata"] = { name, namespace, uid, resourceVersion };
  if (object["status"] !== undefined) out["status"] = object["status"];
  return out;
}

function statusFields(fields: FieldSet): FieldSet {
  const status = fields.children.get("f:status");
  const kept: FieldSet = { own: false, children: status === undefined ? new Map() : new Map([["f:status", status]]) };
  return intersection(fields, kept);
}
