import { emptySet, type FieldSet, keep } from "./field-set.ts";
import { ownershipOf, type Part, partsOf } from "./field-walk.ts";
import { equal, isObject, type Json, type JsonObject } from "./json.ts";
import { memberOf, resolve, type Schema } from "./schema.ts";

/** What changed between two values: fields that came, went, or have another value. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Compares two values under a schema, field by field, as ownership sees them. */
export function compare(schema: Schema | undefined, before: Json | undefined, after: Json | undefined): Comparison {
  return compareParts(schema === undefined ? undefined : resolve(schema), [before, after]);
}

type Pair = readonly [before: Json | undefined, after: Json | undefined];

function compareParts(node: Schema | undefined, [before, after]: Pair): Comparison {
  const out: Comparison = { added: emptySet(), modified: emptySet(), removed: emptySet() };
  if (isMap(node, before) && isMap(node, after)) compareMembers(out, node, [before ?? {}, after ?? {}]);
  else compareItems(out, node, [before, after]);
  return out;
}

function isMap(node: Schema | undefined, value: Json | undefined): value is JsonObject | undefined {
  return value === undefined || (isObject(value) && ownershipOf(node, value).form === "map");
}

// Nearly everything consists of maps, and for those no lists of parts need to be made.
function compareMembers(
  out: Comparison,
  node: Schema | undefined,
  [before, after]: readonly [JsonObject, JsonObject],
): void {
  for (const key of Object.keys(before)) comparePart(out, { node, key }, [before[key], ownMember(after, key)]);
  for (const key of Object.keys(after)) {
    if (ownMember(before, key) === undefined) comparePart(out, { node, key }, [undefined, after[key]]);
  }
}

function ownMember(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

interface Member {
  readonly node: Schema | undefined;
  readonly key: string;
}

function comparePart(out: Comparison, { node, key }: Member, pair: Pair): void {
  if (pair[0] !== pair[1]) compareElement(out, { element: `f:${key}`, schema: memberOf(node, key) }, pair);
}

function compareItems(out: Comparison, node: Schema | undefined, [before, after]: Pair): void {
  const left = partMap(node, before);
  const right = partMap(node, after);
  for (const [element, was] of left) compareElement(out, was, [was.value, right.get(element)?.value]);
  for (const [element, is] of right) if (!left.has(element)) compareElement(out, is, [undefined, is.value]);
}

function partMap(node: Schema | undefined, value: Json | undefined): ReadonlyMap<string, Part> {
  return new Map(partsOf(node, value).map((part) => [part.element, part]));
}

const LEAF: FieldSet = { own: true, children: new Map() };

function compareElement(out: Comparison, { element, schema }: Omit<Part, "value">, [before, after]: Pair): void {
  if (before === after) return;
  if (typeof before !== "object" && typeof after !== "object") {
    changeOf(out, [before, after]).children.set(element, LEAF);
    return;
  }
  const node = schema === undefined ? undefined : resolve(schema);
  const below = compareParts(node, [before, after]);
  if (isChanged(node, [before, after])) changeOf(below, [before, after]).own = true;
  keep(out.added, element, below.added);
  keep(out.modified, element, below.modified);
  keep(out.removed, element, below.removed);
}

function changeOf({ added, modified, removed }: Comparison, [before, after]: Pair): FieldSet {
  if (before === undefined) return added;
  return after === undefined ? removed : modified;
}

/** True when the path itself came, went or changed; values that are owned in parts change only through their parts. */
function isChanged(node: Schema | undefined, [before, after]: Pair): boolean {
  if (before === undefined || after === undefined) return true;
  const isLeaf = ownershipOf(node, before).form === "leaf" || ownershipOf(node, after).form === "leaf";
  return isLeaf && !equal(before, after);
}
