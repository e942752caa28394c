import {
  canonical,
  clone,
  define,
  entriesOf,
  equal,
  isList,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  type MutableObject,
  textsOf,
} from "./json.ts";
import type { KindInfo } from "./kinds.ts";
import { itemOf, memberOf, resolve, type Schema } from "./schema.ts";

const DIRECTIVE = "$patch";
const RETAIN = "$retainKeys";
const DELETE_FROM = "$deleteFromPrimitiveList/";
const ORDER = "$setElementOrder/";

/**
 * A strategic merge patch applied to an object: lists merge by the schema's merge keys, and the directives $patch, $retainKeys,
 * $deleteFromPrimitiveList and $setElementOrder are followed. Kinds without a schema merge as JSON merge patches do.
 */
export function strategicMerge(kind: KindInfo, original: Json, patch: Json): Json {
  return mergeValue(kind.schema, original, patch) ?? null;
}

function mergeValue(schema: Schema | undefined, original: Json | undefined, patch: Json): Json | undefined {
  const node = schema === undefined ? undefined : resolve(schema);
  if (isObject(patch)) return mergeObject(node, isObject(original) ? original : undefined, patch);
  return isList(patch) && mergesLists(node) ? mergeList(node, listOf(original), patch) : clone(patch);
}

function mergesLists(node: Schema | undefined): boolean {
  return /(^|,)merge(,|$)/.test(node?.["x-kubernetes-patch-strategy"] ?? "");
}

function mergeObject(
  node: Schema | undefined,
  original: JsonObject | undefined,
  patch: JsonObject,
): JsonObject | undefined {
  const directive = patch[DIRECTIVE];
  if (directive === "delete") return {};
  if (directive === "replace" || original === undefined) return plain(patch);
  const out: MutableObject = {};
  for (const [key, value] of entriesOf(retained(original, patch))) define(out, key, value);
  for (const [key, value] of entriesOf(patch)) {
    if (!isDirective(key)) setMember(out, key, memberValue({ node, patch, out }, key, value));
  }
  for (const key of orphanedDirectives(patch)) {
    if (isList(out[key])) setMember(out, key, memberValue({ node, patch, out }, key, []));
  }
  return out;
}

interface Merge {
  readonly node: Schema | undefined;
  readonly patch: JsonObject;
  readonly out: MutableObject;
}

function memberValue({ node, patch, out }: Merge, key: string, value: Json): Json | undefined {
  if (value === null || (isObject(value) && value[DIRECTIVE] !== undefined && out[key] === undefined)) return undefined;
  const schema = memberOf(node, key);
  const gone = listOf(patch[`${DELETE_FROM}${key}`]);
  const before = out[key];
  const kept =
    isList(before) && gone.length > 0 ? before.filter((item) => !gone.some((one) => equal(one, item))) : before;
  const merged = mergeValue(schema, kept, value);
  const order = patch[`${ORDER}${key}`];
  return isList(merged) && isList(order)
    ? ordered(schema, merged, { wanted: order, original: listOf(before) })
    : merged;
}

/** Lists that the patch only deletes from or reorders. */
function orphanedDirectives(patch: JsonObject): readonly string[] {
  const keys = Object.keys(patch).flatMap((key) => {
    const prefix = [DELETE_FROM, ORDER].find((one) => key.startsWith(one));
    return prefix === undefined ? [] : [key.slice(prefix.length)];
  });
  return [...new Set(keys)].filter((key) => !Object.hasOwn(patch, key));
}

function setMember(out: MutableObject, key: string, value: Json | undefined): void {
  if (value === undefined) delete out[key];
  else define(out, key, value);
}

function retained(original: JsonObject, patch: JsonObject): JsonObject {
  if (patch[RETAIN] === undefined) return original;
  const keys = textsOf(patch[RETAIN]);
  return Object.fromEntries(entriesOf(original).filter(([key]) => keys.includes(key)));
}

function isDirective(key: string): boolean {
  return key === DIRECTIVE || key === RETAIN || key.startsWith(DELETE_FROM) || key.startsWith(ORDER);
}

/** A patch's content as data: directives and nulls do not become part of objects. */
function plain(patch: JsonObject): JsonObject {
  const out: MutableObject = {};
  for (const [key, value] of entriesOf(patch)) {
    if (!isDirective(key) && value !== null) define(out, key, plainValue(value));
  }
  return out;
}

function plainValue(value: Json): Json {
  if (isObject(value)) return plain(value);
  return isList(value)
    ? value.filter((item) => !isObject(item) || item[DIRECTIVE] === undefined).map(plainValue)
    : value;
}

function mergeList(node: Schema | undefined, original: readonly Json[], patch: readonly Json[]): readonly Json[] {
  if (patch.some((item) => isObject(item) && item[DIRECTIVE] === "replace")) return listOf(plainValue(patch));
  const key = node?.["x-kubernetes-patch-merge-key"];
  const out: Json[] = [...original];
  for (const item of patch) mergeItem({ out, key, schema: itemOf(node) }, item);
  return ordered(node, out, { wanted: patch, original });
}

interface KeyedList {
  readonly out: Json[];
  readonly key: string | undefined;
  readonly schema: Schema | undefined;
}

function mergeItem({ out, key, schema }: KeyedList, item: Json): void {
  const place = out.findIndex((one) => nameOf(key, one) === nameOf(key, item));
  if (!isObject(item)) {
    if (place < 0) out.push(item);
  } else if (item[DIRECTIVE] === "delete") {
    if (place >= 0) out.splice(place, 1);
  } else out.splice(place < 0 ? out.length : place, 1, mergeValue(schema, out[place], item) ?? null);
}

function nameOf(key: string | undefined, item: Json): string {
  return canonical((key !== undefined && isObject(item) ? item[key] : item) ?? null);
}

interface Order {
  readonly wanted: readonly Json[];
  readonly original: readonly Json[];
}

/** The patch decides the order of what it names; other items stay before a named one when they stood before it. */
function ordered(node: Schema | undefined, items: readonly Json[], { wanted, original }: Order): readonly Json[] {
  const key = node?.["x-kubernetes-patch-merge-key"];
  const name = (item: Json): string => nameOf(key, item);
  const [order, places] = [wanted.map(name), original.map(name)];
  const named = items.filter((item) => order.includes(name(item)));
  named.sort((left, right) => order.indexOf(name(left)) - order.indexOf(name(right)));
  const others = items.filter((item) => !order.includes(name(item)));
  const out: Json[] = [];
  for (const item of named) {
    const place = places.indexOf(name(item));
    while (place >= 0 && others[0] !== undefined && isBefore(places.indexOf(name(others[0])), place))
      out.push(...others.splice(0, 1));
    out.push(item);
  }
  return [...out, ...others];
}

function isBefore(place: number, other: number): boolean {
  return place >= 0 && place < other;
}
