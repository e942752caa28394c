import {
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
  if (directive === "delete") return undefined;
  if (directive === "replace") return plain(patch);
  const out: MutableObject = {};
  for (const [key, value] of entriesOf(retained(original ?? {}, patch))) define(out, key, value);
  for (const [key, value] of entriesOf(patch)) {
    if (!isDirective(key)) setMember(out, key, memberValue({ node, patch, out }, key, value));
  }
  for (const key of orphanedDirectives(patch)) setMember(out, key, memberValue({ node, patch, out }, key, []));
  return out;
}

interface Merge {
  readonly node: Schema | undefined;
  readonly patch: JsonObject;
  readonly out: MutableObject;
}

function memberValue({ node, patch, out }: Merge, key: string, value: Json): Json | undefined {
  if (value === null) return undefined;
  const schema = memberOf(node, key);
  const gone = listOf(patch[`${DELETE_FROM}${key}`]);
  const before = out[key];
  const kept =
    isList(before) && gone.length > 0 ? before.filter((item) => !gone.some((one) => equal(one, item))) : before;
  const merged = mergeValue(schema, kept, value);
  const order = patch[`${ORDER}${key}`];
  return isList(merged) && isList(order) ? ordered(schema, merged, order) : merged;
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
    if (isDirective(key) || value === null) continue;
    define(out, key, isObject(value) ? plain(value) : clone(value));
  }
  return out;
}

function mergeList(node: Schema | undefined, original: readonly Json[], patch: readonly Json[]): readonly Json[] {
  const key = node?.["x-kubernetes-patch-merge-key"];
  const replaces = patch.some((item) => isObject(item) && item[DIRECTIVE] === "replace");
  if (key === undefined) return [...original, ...patch.filter((item) => !original.some((one) => equal(one, item)))];
  const items = patch.filter(isObject).filter((item) => item[DIRECTIVE] !== "replace" || Object.keys(item).length > 1);
  if (replaces) return items.map(plain);
  const out: Json[] = [...original];
  for (const item of items) mergeItem({ out, key, schema: itemOf(node) }, item);
  return out;
}

interface KeyedList {
  readonly out: Json[];
  readonly key: string;
  readonly schema: Schema | undefined;
}

function mergeItem({ out, key, schema }: KeyedList, item: JsonObject): void {
  const place = out.findIndex((one) => isObject(one) && equal(one[key], item[key]));
  const merged = mergeValue(schema, place < 0 ? undefined : out[place], item);
  if (merged === undefined) {
    if (place >= 0) out.splice(place, 1);
  } else if (place < 0) out.push(merged);
  else out[place] = merged;
}

/** Items in the order that the patch asks for; those it does not name keep their place after their neighbours. */
function ordered(schema: Schema | undefined, items: readonly Json[], order: readonly Json[]): readonly Json[] {
  const key = schema?.["x-kubernetes-patch-merge-key"];
  const name = (item: Json | undefined): string =>
    JSON.stringify(key !== undefined && isObject(item) ? item[key] : item);
  const wanted = order.map(name);
  const ranks = new Map<Json, number>();
  let last = -1;
  for (const item of items) {
    const rank = wanted.indexOf(name(item));
    if (rank >= 0) last = rank;
    ranks.set(item, rank >= 0 ? rank : last + 0.5);
  }
  return [...items].sort((left, right) => (ranks.get(left) ?? 0) - (ranks.get(right) ?? 0));
}
