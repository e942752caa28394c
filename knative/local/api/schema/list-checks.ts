import { child, duplicate, invalid, required } from "./field-errors.ts";
import {
  at,
  canonical,
  entriesOf,
  isList,
  isObject,
  type Json,
  type JsonObject,
  type MutableObject,
  objectOf,
} from "./json.ts";
import { embeddedMetadataErrors } from "./metadata-checks.ts";
import { label1035Problems } from "./names.ts";
import { itemOf, mapKeysOf, memberOf, OBJECT_META, propertyOf, resolve, type Schema } from "./schema.ts";
import type { FieldError } from "./validate.ts";
import { valueErrors } from "./value-checks.ts";

/** What list types (sets, maps by key) and embedded resources forbid in a value; paths follow the value. */
export function structureErrors(schema: Schema | undefined, value: Json, path: string): readonly FieldError[] {
  if (schema === undefined) return [];
  const node = resolve(schema);
  if (isList(value)) return listErrors(node, value, path);
  if (!isObject(value)) return [];
  const embedded = node["x-kubernetes-embedded-resource"] === true ? embeddedErrors(value, path) : [];
  const inside = entriesOf(value).flatMap(([key, member]) => {
    const declared = propertyOf(node, key) !== undefined;
    return structureErrors(memberOf(node, key), member, declared ? child(path, key) : `${path}[${key}]`);
  });
  return [...embedded, ...inside];
}

function listErrors(node: Schema, value: readonly Json[], path: string): readonly FieldError[] {
  const type = node["x-kubernetes-list-type"];
  const inside = value.flatMap((item, index) => structureErrors(itemOf(node), item, `${path}[${index}]`));
  if (type === "set") return [...repeats(value, path), ...inside];
  return type === "map" ? [...mapErrors(node, value, path), ...inside] : inside;
}

function mapErrors(node: Schema, value: readonly Json[], path: string): readonly FieldError[] {
  const wrong = value.findIndex((item) => item !== null && !isObject(item));
  if (wrong >= 0)
    return [invalid(`${path}[${wrong}]`, value[wrong], "must be an object for an array of list-type map")];
  const names = mapKeysOf(node);
  return repeats(
    value.map((item) => keysOf(names, objectOf(item))),
    path,
  );
}

function keysOf(names: readonly string[], item: JsonObject): Json {
  const keys: MutableObject = {};
  for (const name of names) if (item[name] !== undefined) keys[name] = item[name];
  return keys;
}

/** One error per value that appears again, at its second place. */
function repeats(values: readonly Json[], path: string): readonly FieldError[] {
  const seen = new Map<string, number>();
  return values.flatMap((value, index) => {
    const key = canonical(value);
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    return times === 2 ? [duplicate(`${path}[${index}]`, value)] : [];
  });
}

function embeddedErrors(value: JsonObject, path: string): readonly FieldError[] {
  const errors = ["apiVersion", "kind"].flatMap((key) => {
    const text = value[key];
    if (text === undefined) return [required(child(path, key))];
    if (typeof text !== "string") return [invalid(child(path, key), text, "must be a string")];
    return text === "" ? [invalid(child(path, key), text, "must not be empty")] : [];
  });
  const kind = value["kind"];
  const problems = typeof kind === "string" && kind !== "" ? label1035Problems(kind.toLowerCase()) : [];
  const mixed = "may have mixed case, but should otherwise match: ";
  const ofKind = problems.length === 0 ? [] : [invalid(child(path, "kind"), kind, `${mixed}${problems.join(",")}`)];
  const metadata = value["metadata"];
  return [...errors, ...ofKind, ...(metadata === undefined ? [] : metadataErrors(metadata, child(path, "metadata")))];
}

/** Embedded metadata has the types of every object's metadata; the first field of another type is named as Go's decoder names it. */
function metadataErrors(metadata: Json, path: string): readonly FieldError[] {
  const spot = { path: "", lenient: true, depth: 0 };
  const wrong = valueErrors({ $ref: OBJECT_META }, metadata, spot).find(
    (error) => error.reason === "FieldValueTypeInvalid",
  );
  if (wrong !== undefined) {
    const wanted = GO_TYPES[memberOf(resolve({ $ref: OBJECT_META }), wrong.field)?.type ?? ""] ?? "string";
    const place =
      wrong.field === "" ? "value of type v1.ObjectMeta" : `struct field ObjectMeta.${wrong.field} of type ${wanted}`;
    return [invalid(path, metadata, `json: cannot unmarshal ${goType(metadata, wrong.field)} into Go ${place}`)];
  }
  return isObject(metadata) ? embeddedMetadataErrors(metadata, path) : [];
}

const GO_TYPES: Readonly<Record<string, string>> = { object: "map[string]string", integer: "int64", array: "[]string" };

function goType(metadata: Json, field: string): string {
  const value = field === "" ? metadata : at(metadata, ...field.split("."));
  if (typeof value === "boolean") return "bool";
  return isObject(value) ? "object" : isList(value) ? "array" : typeof value;
}
