import { elementOf, ownershipOf } from "./field-walk.ts";
import { define, entriesOf, isList, isObject, type Json, type JsonObject, type MutableObject } from "./json.ts";
import { itemOf, memberOf, resolve, type Schema } from "./schema.ts";

/** The live value with an applied configuration laid over it: maps and keyed lists are merged, leaves replaced. */
export function mergeApplied(
  schema: Schema | undefined,
  live: Json | undefined,
  applied: Json | undefined,
): Json | undefined {
  if (applied === undefined || live === undefined) return applied ?? live;
  const node = schema === undefined ? undefined : resolve(schema);
  if (isObject(live) && isObject(applied) && ownershipOf(node, live).form === "map")
    return mergeObjects(node, live, applied);
  const ownership = ownershipOf(node, live);
  if (isList(live) && isList(applied) && ownership.form === "list")
    return mergeLists({ node, keys: ownership.keys }, live, applied);
  return applied;
}

function mergeObjects(node: Schema | undefined, live: JsonObject, applied: JsonObject): JsonObject {
  const out: MutableObject = {};
  for (const [key, member] of entriesOf(live)) {
    define(out, key, mergeApplied(memberOf(node, key), member, applied[key]) ?? null);
  }
  for (const [key, member] of entriesOf(applied)) if (!Object.hasOwn(out, key)) define(out, key, member);
  return out;
}

interface KeyedList {
  readonly node: Schema | undefined;
  readonly keys: readonly string[];
}

function mergeLists(list: KeyedList, live: readonly Json[], applied: readonly Json[]): readonly Json[] {
  const name = (item: Json): string => elementOf(list.node, list.keys, item) ?? `?${JSON.stringify(item)}`;
  const before = Map.groupBy(live, name);
  const wanted = new Map(applied.map((item) => [name(item), item]));
  const order = mergedOrder(live.map(name), [...wanted.keys()]);
  return [...new Set(order)].flatMap((element) => {
    const [first, ...twins] = before.get(element) ?? [];
    const item = wanted.get(element);
    if (item === undefined) return first === undefined ? [] : [first, ...twins];
    return [mergeApplied(itemOf(list.node), twins.length === 0 ? first : undefined, item) ?? item];
  });
}

/** The applied order for what is applied; items that only live keep their place among their neighbours. */
function mergedOrder(live: readonly string[], applied: readonly string[]): readonly string[] {
  const shared = applied.filter((element) => live.includes(element));
  const out: string[] = [];
  let [left, right, next] = [0, 0, 0];
  while (left < live.length || right < applied.length) {
    const mine = live[left];
    const theirs = applied[right];
    if (mine !== undefined && mine === theirs) {
      out.push(mine);
      [left, right, next] = [left + 1, right + 1, next + 1];
    } else if (mine !== undefined && !applied.includes(mine)) {
      out.push(mine);
      left += 1;
    } else if (mine !== undefined && (theirs === undefined || shared[next] !== mine)) left += 1;
    else if (theirs !== undefined) {
      out.push(theirs);
      if (shared[next] === theirs) next += 1;
      right += 1;
    }
  }
  return out;
}
