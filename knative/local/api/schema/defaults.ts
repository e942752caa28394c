import { builtinDefaults } from "./builtin-defaults.ts";
import {
  clone,
  define,
  entriesOf,
  isList,
  isObject,
  type Json,
  type JsonObject,
  type MutableObject,
  objectOf,
} from "./json.ts";
import type { KindInfo } from "./kinds.ts";
import { itemOf, keepsUnknown, memberOf, resolve, type Schema } from "./schema.ts";

/**
 * The object with the schema's defaults filled in. Nulls that a definition does not allow are replaced by the default or
 * left out, as the API server does when it reads a request or a stored object. The object itself is not changed.
 */
export function applyDefaults(kind: KindInfo, object: Json): Json {
  if (kind.schema === undefined || !isObject(object)) return object;
  const builtin = kind.origin === "builtin";
  if (builtin) return builtinDefaults(kind, objectOf(withDefaults(kind.schema, object, builtin)));
  const { metadata, ...content } = object;
  const filled = objectOf(withDefaults(kind.schema, content, builtin));
  return metadata === undefined ? filled : { ...filled, metadata };
}

function withDefaults(schema: Schema | undefined, value: Json, builtin: boolean): Json {
  if (schema === undefined) return value;
  const node = resolve(schema);
  if (isList(value)) {
    const item = itemOf(node);
    return item === undefined ? value : value.map((one) => withDefaults(item, nullReplaced(item, one), builtin));
  }
  return isObject(value) ? objectWithDefaults(node, value, builtin) : value;
}

function objectWithDefaults(node: Schema, value: JsonObject, builtin: boolean): JsonObject {
  const out: MutableObject = {};
  for (const [key, member] of entriesOf(value)) {
    const schema = memberOf(node, key);
    const usable = member === null ? nullValue(schema, builtin) : member;
    if (usable !== undefined) define(out, key, withDefaults(schema, usable, builtin));
  }
  for (const [key, raw] of Object.entries(node.properties ?? {})) {
    const fallback = defaultOf(raw, builtin);
    if (fallback !== undefined && !Object.hasOwn(out, key))
      define(out, key, withDefaults(raw, clone(fallback), builtin));
  }
  return out;
}

function defaultOf(schema: Schema, builtin: boolean): Json | undefined {
  const fallback = resolve(schema).default;
  return fallback === undefined || (builtin && isZero(fallback)) ? undefined : fallback;
}

/** What becomes of a null: it stays where it is allowed or nothing is known, else it gives way to the default or goes. */
function nullValue(schema: Schema | undefined, builtin: boolean): Json | undefined {
  return schema === undefined || schema.nullable === true ? null : defaultOf(schema, builtin);
}

function nullReplaced(schema: Schema, value: Json): Json {
  return value === null && schema.nullable !== true ? (schema.default ?? null) : value;
}

/** True for Go's zero values: built-in schemas state them as defaults, which says nothing about what the server stores. */
export function isZero(value: Json): boolean {
  return value === "" || value === 0 || value === false || (isObject(value) && Object.keys(value).length === 0);
}

/**
 * The object without the fields that its schema does not know, and the paths of those fields
 * ("spec.foo", "spec.list[0].bar"), sorted. Without a schema everything is kept.
 */
export function prune(kind: KindInfo, object: Json): { readonly object: Json; readonly unknown: readonly string[] } {
  if (kind.schema === undefined) return { object, unknown: [] };
  const unknown: string[] = [];
  const kept = pruned(
    { schema: kind.schema, path: "", lenient: kind.origin === "builtin", open: false, unknown },
    object,
  );
  return { object: kept, unknown: unknown.sort() };
}

/** A value that is no object of its own (a schema's default) without its unknown fields, and their paths. */
export function prunedValue(
  schema: Schema,
  value: Json,
): { readonly object: Json; readonly unknown: readonly string[] } {
  const unknown: string[] = [];
  const object = pruned({ schema, path: "", lenient: false, open: false, unknown }, value);
  return { object, unknown };
}

interface Place {
  readonly schema: Schema | undefined;
  readonly path: string;
  /** Schemas of built-in types leave out what they do not describe (raw JSON); definitions must say so. */
  readonly lenient: boolean;
  /** Inside a list whose parent keeps unknown fields: its items keep theirs too. */
  readonly open: boolean;
  readonly unknown: string[];
}

function pruned(place: Place, value: Json): Json {
  const schema = place.schema === undefined ? undefined : resolve(place.schema);
  const open = place.open || schema?.["x-kubernetes-preserve-unknown-fields"] === true;
  if (isObject(value)) return prunedObject({ ...place, schema, open }, value);
  if (!isList(value)) return value;
  return value.map((item, index) =>
    pruned({ ...place, schema: itemOf(schema), open, path: `${place.path}[${index}]` }, item),
  );
}

function prunedObject(place: Place, value: JsonObject): JsonObject {
  const out: MutableObject = {};
  for (const [key, member] of entriesOf(value)) {
    const path = place.path === "" ? key : `${place.path}.${key}`;
    const next = memberPlace(place, key, path);
    if (next === "drop") place.unknown.push(path);
    else define(out, key, next === "keep" ? member : pruned(next, member));
  }
  return out;
}

const META = new Set(["apiVersion", "kind", "metadata"]);

function memberPlace(place: Place, key: string, path: string): Place | "keep" | "drop" {
  const { schema } = place;
  const known = memberOf(schema, key);
  const root = place.path === "";
  if (META.has(key) && (root || schema?.["x-kubernetes-embedded-resource"] === true)) {
    return key === "metadata" && root && known !== undefined
      ? { ...place, schema: known, path, lenient: true }
      : "keep";
  }
  if (known !== undefined) return { ...place, schema: known, path, open: false };
  return place.open || keepsMember(schema, place.lenient) ? "keep" : "drop";
}

function keepsMember(schema: Schema | undefined, lenient: boolean): boolean {
  if (schema === undefined || !lenient) return lenient || schema?.additionalProperties === true;
  return keepsUnknown(schema);
}
