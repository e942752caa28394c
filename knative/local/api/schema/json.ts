/** Any JSON value, as it arrives in a request body or leaves in an answer. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object; keys that are absent read as undefined. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** A JSON object that its maker still fills in. */
export type MutableObject = { [key: string]: Json | undefined };

/** True for objects, false for lists, null, scalars and nothing. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for lists. */
export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value as an object, or an empty one when it is something else. */
export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The value as a list, or an empty one when it is something else. */
export function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

/** The value as text, or "" when it is something else. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The texts of a list; members that are no text are left out. */
export function textsOf(value: Json | undefined): readonly string[] {
  return listOf(value).filter((item): item is string => typeof item === "string");
}

/** The value at a path of keys, undefined as soon as a step is missing. */
export function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let current = value;
  for (const key of path) {
    if (!isObject(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

/** A deep copy without members that are undefined. */
export function clone<T extends Json>(value: T): T;
export function clone(value: Json): Json {
  if (isList(value)) return value.map((item) => clone(item));
  if (!isObject(value)) return value;
  const copy: MutableObject = {};
  for (const [key, member] of entriesOf(value)) define(copy, key, clone(member));
  return copy;
}

/** The members that are present, in the order in which they were written. */
export function entriesOf(value: JsonObject): readonly (readonly [string, Json])[] {
  const entries = Object.entries(value);
  const present = (entry: [string, Json | undefined]): entry is [string, Json] => entry[1] !== undefined;
  // Filtering copies, and there is hardly ever anything to leave out.
  return entries.every(present) ? entries : entries.filter(present);
}

/** Sets a member even when its key is "__proto__", which plain assignment would lose. */
export function define(target: MutableObject, key: string, value: Json): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else target[key] = value;
}

/** True when two values hold the same data; the order of keys does not matter, absent and undefined are the same. */
export function equal(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (isList(left)) return isList(right) && sameLists(left, right);
  return isObject(left) && isObject(right) && sameObjects(left, right);
}

function sameLists(left: readonly Json[], right: readonly Json[]): boolean {
  return left.length === right.length && left.every((item, index) => equal(item, right[index]));
}

function sameObjects(left: JsonObject, right: JsonObject): boolean {
  const entries = entriesOf(left);
  if (entries.length !== entriesOf(right).length) return false;
  return entries.every(([key, value]) => Object.hasOwn(right, key) && equal(value, right[key]));
}

/** JSON with sorted keys: equal values give equal text, so it serves as a key in sets. */
export function canonical(value: Json): string {
  if (isList(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = [...entriesOf(value)].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(",")}}`;
}
