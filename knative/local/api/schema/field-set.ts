import { define, entriesOf, isObject, type Json, type JsonObject, type MutableObject } from "./json.ts";

/**
 * A set of field paths as a tree. Keys are path elements in managedFields' notation: "f:name" for members, `k:{"name":"x"}` for
 * items of map lists, `v:"x"` for items of sets. `own` says that the path itself is in the set.
 */
export interface FieldSet {
  own: boolean;
  readonly children: Map<string, FieldSet>;
}

/** An empty set that its maker fills. */
export function emptySet(): FieldSet {
  return { own: false, children: new Map() };
}

/** True when no path is in the set; sets never hold empty subtrees. */
export function isEmpty(set: FieldSet): boolean {
  return !set.own && set.children.size === 0;
}

const NOTHING: FieldSet = emptySet();

/** The paths that are in one of the sets. */
export function union(left: FieldSet, right: FieldSet): FieldSet {
  if (isEmpty(left)) return right;
  if (isEmpty(right)) return left;
  const out: FieldSet = { own: left.own || right.own, children: new Map(left.children) };
  for (const [element, part] of right.children) {
    const mine = left.children.get(element);
    out.children.set(element, mine === undefined ? part : union(mine, part));
  }
  return out;
}

/** The paths of the left set that are not in the right one. */
export function difference(left: FieldSet, right: FieldSet): FieldSet {
  if (isEmpty(right)) return left;
  const out: FieldSet = { own: left.own && !right.own, children: new Map() };
  for (const [element, part] of left.children) {
    const theirs = right.children.get(element);
    keep(out, element, theirs === undefined ? part : difference(part, theirs));
  }
  return out;
}

/** The paths that are in both sets. */
export function intersection(left: FieldSet, right: FieldSet): FieldSet {
  const out: FieldSet = { own: left.own && right.own, children: new Map() };
  for (const [element, part] of left.children) {
    const theirs = right.children.get(element);
    if (theirs !== undefined) keep(out, element, intersection(part, theirs));
  }
  return out;
}

/** Adds a subtree unless it is empty. */
export function keep(set: FieldSet, element: string, part: FieldSet): void {
  if (!isEmpty(part)) set.children.set(element, part);
}

/** The left set without the paths of the right one and everything below them. */
export function without(left: FieldSet, right: FieldSet): FieldSet {
  if (right.own) return emptySet();
  const out: FieldSet = { own: left.own, children: new Map() };
  for (const [element, part] of left.children) {
    const cut = right.children.get(element);
    keep(out, element, cut === undefined ? part : without(part, cut));
  }
  return out;
}

/** True when both sets hold the same paths. */
export function sameSets(left: FieldSet, right: FieldSet): boolean {
  return isEmpty(difference(left, right)) && isEmpty(difference(right, left));
}

/** The set as managedFields' fieldsV1 writes it. */
export function toFieldsV1(set: FieldSet): JsonObject {
  const out: MutableObject = {};
  if (set.own && set.children.size > 0) out["."] = {};
  for (const element of [...set.children.keys()].sort())
    define(out, element, toFieldsV1(set.children.get(element) ?? NOTHING));
  return out;
}

/** The set that a fieldsV1 value describes; what is no path element is left out. */
export function fromFieldsV1(fields: Json | undefined): FieldSet {
  const set = emptySet();
  if (!isObject(fields)) return set;
  for (const element of Object.keys(fields)) {
    const below = fields[element];
    if (below === undefined) continue;
    if (element === ".") set.own = true;
    else if (element[1] === ":" && "fkvi".includes(element.charAt(0))) set.children.set(element, memberSet(below));
  }
  return set;
}

function memberSet(below: Json): FieldSet {
  const set = fromFieldsV1(below);
  if (set.children.size === 0) set.own = true;
  return set;
}

/** The paths of a set as conflicts name them (`.spec.containers[name="a"].image`): at each level what is in the set, then what is below. */
export function pathsOf(set: FieldSet, prefix = ""): readonly string[] {
  const parts = [...set.children.keys()]
    .sort()
    .map((element) => [prefix + elementText(element), set.children.get(element) ?? NOTHING] as const);
  const own = parts.filter(([, part]) => part.own).map(([path]) => path);
  return [...own, ...parts.flatMap(([path, part]) => pathsOf(part, path))];
}

function elementText(element: string): string {
  const text = element.slice(2);
  if (element.startsWith("f:")) return `.${text}`;
  if (element.startsWith("v:")) return `[=${text}]`;
  if (element.startsWith("i:")) return `[${text}]`;
  const keys = JSON.parse(text) as JsonObject;
  return `[${entriesOf(keys)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(",")}]`;
}
