import { isList, type Json, type JsonObject } from "./json.ts";
import { itemOf, memberOf, resolve, type Schema } from "./schema.ts";
import { typeName, valueErrors } from "./value-checks.ts";

const MAX_DEPTH = 64;

/** Keywords that say nothing about which values are allowed, or whose meaning is checked here. */
const HARMLESS = new Set([
  "$ref",
  "type",
  "title",
  "description",
  "default",
  "nullable",
  "properties",
  "additionalProperties",
  "required",
  "items",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-map-type",
  "x-kubernetes-patch-merge-key",
  "x-kubernetes-patch-strategy",
  "x-kubernetes-group-version-kind",
  "x-kubernetes-validations",
]);

const plain = new WeakMap<Schema, boolean>();

function isPlain(node: Schema): boolean {
  const known = plain.get(node) ?? Object.keys(node).every((keyword) => HARMLESS.has(keyword));
  plain.set(node, known);
  return known;
}

/**
 * True when valueErrors would find nothing; false says only that it has to look. Most objects are valid, and finding that
 * out without preparing texts of errors costs a fraction.
 */
export function surelyValid(schema: Schema, value: Json, depth = 0): boolean {
  const node = resolve(schema);
  if (value === null || depth > MAX_DEPTH) return false;
  if (typeof value !== "object") return scalarValid(node, value);
  if (!isPlain(node)) return false;
  return isList(value) ? listValid(node, value, depth) : objectValid(node, value, depth);
}

function scalarValid(node: Schema, value: Json): boolean {
  if (!isPlain(node)) return valueErrors(node, value, { path: "", lenient: false, depth: 0 }).length === 0;
  const actual = typeName(value);
  return node.type === undefined || node.type === actual || (node.type === "number" && actual === "integer");
}

function listValid(node: Schema, value: readonly Json[], depth: number): boolean {
  if (node.type !== undefined && node.type !== "array") return false;
  const item = itemOf(node);
  return item === undefined || value.every((one) => surelyValid(item, one, depth + 1));
}

function objectValid(node: Schema, value: JsonObject, depth: number): boolean {
  if (node.type !== undefined && node.type !== "object") return false;
  if (node.required?.some((key) => value[key] === undefined)) return false;
  return Object.keys(value).every((key) => {
    const member = value[key];
    const schema = memberOf(node, key);
    if (member === undefined) return true;
    return schema === undefined ? node.additionalProperties !== false : surelyValid(schema, member, depth + 1);
  });
}
