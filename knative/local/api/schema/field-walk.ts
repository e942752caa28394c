import { emptySet, type FieldSet, keep } from "./field-set.ts";
import {
  canonical,
  define,
  entriesOf,
  isList,
  isObject,
  type Json,
  type JsonObject,
  type MutableObject,
} from "./json.ts";
import { itemOf, memberOf, propertyOf, resolve, type Schema } from "./schema.ts";

/** How a value is owned: as one leaf, member by member, or item by item (with the keys that tell items apart; none for sets). */
export type Ownership = { readonly form: "leaf" | "map" } | { readonly form: "list"; readonly keys: readonly string[] };

const LEAF: Ownership = { form: "leaf" };
const MAP: Ownership = { form: "map" };

/** How server-side apply treats a value under its schema; values without a schema are maps, or leaves when they are lists. */
export function ownershipOf(schema: Schema | undefined, value: Json | undefined): Ownership {
  if (isObject(value)) return schema?.["x-kubernetes-map-type"] === "atomic" ? LEAF : MAP;
  return isList(value) && schema !== undefined ? listOwnership(schema) : LEAF;
}

/** Built-in lists that declare no list type follow their strategic merge patch strategy. */
function listOwnership(schema: Schema): Ownership {
  const type = schema["x-kubernetes-list-type"];
  if (type === "map") return { form: "list", keys: schema["x-kubernetes-list-map-keys"] ?? [] };
  if (type === "set") return { form: "list", keys: [] };
  if (type !== undefined || !(schema["x-kubernetes-patch-strategy"] ?? "").startsWith("merge")) return LEAF;
  const key = schema["x-kubernetes-patch-merge-key"];
  return { form: "list", keys: key === undefined ? [] : [key] };
}

/** The path element of a list's item, undefined for items that carry no key or are no scalar of a set. */
export function elementOf(schema: Schema | undefined, keys: readonly string[], item: Json): string | undefined {
  if (keys.length === 0)
    return isObject(item) || isList(item) || item === null ? undefined : `v:${JSON.stringify(item)}`;
  if (!isObject(item)) return undefined;
  const found: MutableObject = {};
  for (const key of keys) {
    const value = item[key] ?? propertyOf(itemOf(schema), key)?.default;
    if (value !== undefined) found[key] = value;
  }
  return Object.keys(found).length === 0 ? undefined : `k:${canonical(found)}`;
}

/** One part of a value: its path element, its schema, itself. */
export interface Part {
  readonly element: string;
  readonly schema: Schema | undefined;
  readonly value: Json;
}

/** The parts of a value that are owned one by one; items that share a key are joined to a list under that key. */
export function partsOf(schema: Schema | undefined, value: Json | undefined): readonly Part[] {
  const node = schema === undefined ? undefined : resolve(schema);
  const ownership = ownershipOf(node, value);
  if (ownership.form === "map" && isObject(value)) {
    return entriesOf(value).map(([key, member]) => ({
      element: `f:${key}`,
      schema: memberOf(node, key),
      value: member,
    }));
  }
  if (ownership.form !== "list" || !isList(value)) return [];
  const parts = new Map<string, Part>();
  for (const item of value) {
    const element = elementOf(node, ownership.keys, item);
    if (element === undefined) continue;
    const twin = parts.get(element);
    parts.set(element, twin === undefined ? { element, schema: itemOf(node), value: item } : joined(twin, item));
  }
  return [...parts.values()];
}

/** Items with the same key have no identity of their own: they are compared and owned together. */
function joined(twin: Part, item: Json): Part {
  return {
    element: twin.element,
    schema: undefined,
    value: [...(isList(twin.value) ? twin.value : [twin.value]), item],
  };
}

/** All fields that a value sets: what an applied configuration claims to own. */
export function fieldsOf(schema: Schema | undefined, value: Json): FieldSet {
  const set = emptySet();
  collect(set, schema, value);
  return set;
}

function collect(set: FieldSet, schema: Schema | undefined, value: Json): void {
  const node = schema === undefined ? undefined : resolve(schema);
  for (const part of partsOf(node, value)) {
    const below = emptySet();
    collect(below, part.schema, part.value);
    below.own = isOwnPath(node, part);
    keep(set, part.element, below);
  }
}

/** Members of structures are owned through what they hold; leaves, empty values, map entries and list items by themselves. */
function isOwnPath(parent: Schema | undefined, part: Part): boolean {
  if (!part.element.startsWith("f:") || propertyOf(parent, part.element.slice(2)) === undefined) return true;
  const ownership = ownershipOf(part.schema, part.value);
  if (ownership.form === "leaf") return true;
  return isObject(part.value) && entriesOf(part.value).length === 0;
}

/** What is taken from a value, and what of it stays as an empty map or list when everything in it is taken. */
export interface Cut {
  readonly fields: FieldSet;
  readonly keep?: FieldSet | undefined;
}

/** The value without the fields of a set; undefined when nothing of it is left. */
export function withoutFields(schema: Schema | undefined, value: Json, cut: Cut): Json | undefined {
  const node = schema === undefined ? undefined : resolve(schema);
  const ownership = ownershipOf(node, value);
  if (cut.fields.children.size === 0) return value;
  if (ownership.form === "map" && isObject(value)) return objectWithout(node, value, cut);
  if (ownership.form !== "list" || !isList(value)) return undefined;
  const kept = value.flatMap((item) => {
    const rest = partWithout(itemOf(node), item, below(cut, elementOf(node, ownership.keys, item) ?? ""));
    return rest === undefined ? [] : [rest];
  });
  return kept.length === 0 && cut.keep?.own !== true ? undefined : kept;
}

function objectWithout(node: Schema | undefined, value: JsonObject, cut: Cut): JsonObject | undefined {
  const out: MutableObject = {};
  for (const [key, member] of entriesOf(value)) {
    const rest = partWithout(memberOf(node, key), member, below(cut, `f:${key}`));
    if (rest !== undefined) define(out, key, rest);
  }
  return Object.keys(out).length === 0 && cut.keep?.own !== true ? undefined : out;
}

function partWithout(schema: Schema | undefined, value: Json, cut: Cut | undefined): Json | undefined {
  if (cut === undefined) return value;
  return cut.fields.own ? undefined : withoutFields(schema, value, cut);
}

function below({ fields, keep }: Cut, element: string): Cut | undefined {
  const part = fields.children.get(element);
  return part === undefined ? undefined : { fields: part, keep: keep?.children.get(element) };
}
