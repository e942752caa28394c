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
  const [known, wanted] = [new Set(live), new Set(applied)];
  const left = live.filter((element, index) => live.indexOf(element) === index);
  const right = [...applied];
  const shared = applied.filter((element) => known.has(element));
  const out: string[] = [];
  while (left.length > 0 || right.length > 0) {
    const { take, keep } = nextTurn({ mine: left[0], theirs: right[0], due: shared[0], wanted });
    const mine = left.splice(0, take === "theirs" ? 0 : 1);
    const theirs = right.splice(0, take === "mine" ? 0 : 1);
    const taken = keep ? [...mine, ...theirs].slice(0, 1) : [];
    shared.splice(0, taken.filter((element) => element === shared[0]).length);
    out.push(...taken);
  }
  return out;
}

interface Heads {
  readonly mine: string | undefined;
  readonly theirs: string | undefined;
  /** The next item that both lists hold, in the applied order. */
  readonly due: string | undefined;
  readonly wanted: ReadonlySet<string>;
}

function nextTurn({ mine, theirs, due, wanted }: Heads): {
  readonly take: "mine" | "theirs" | "both";
  readonly keep: boolean;
} {
  if (mine === undefined) return { take: "theirs", keep: true };
  if (mine === theirs) return { take: "both", keep: true };
  if (!wanted.has(mine)) return { take: "mine", keep: true };
  return theirs === undefined || due !== mine ? { take: "mine", keep: false } : { take: "theirs", keep: true };
}
