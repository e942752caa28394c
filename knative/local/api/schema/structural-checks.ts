import { child, forbidden, invalid, notSupported, required } from "./field-errors.ts";
import { entriesOf, isObject, type Json, type JsonObject, listOf, objectOf } from "./json.ts";
import type { FieldError } from "./validate.ts";

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];
/** What only the schema itself may say; inside allOf, anyOf, oneOf and not it is forbidden. */
const VALUE_ONLY = ["description", "type", "default", "additionalProperties", "nullable", "title"] as const;
const JUNCTORS = ["allOf", "anyOf", "oneOf"] as const;
const MAX_DEPTH = 200;

/** What keeps a schema from being structural: nodes without a type, types inside junctors, broken extensions, wrong defaults. */
export function structuralErrors(schema: JsonObject, path: string): readonly FieldError[] {
  return [...rootErrors(schema, path), ...nodeErrors({ path, depth: 0, root: true }, schema)];
}

function rootErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const type = schema["type"];
  return type === "object" || type === undefined
    ? []
    : [invalid(child(path, "type"), type, "must be object at the root")];
}

interface Spot {
  readonly path: string;
  readonly depth: number;
  readonly root: boolean;
}

function nodeErrors(spot: Spot, node: JsonObject): readonly FieldError[] {
  if (spot.depth > MAX_DEPTH) return [invalid(spot.path, "", `must not be nested deeper than ${MAX_DEPTH} levels`)];
  return [
    ...typeErrors(spot, node),
    ...extensionErrors(spot, node),
    ...junctorErrors(spot, node),
    ...childrenOf(node).flatMap(([step, sub]) =>
      nodeErrors({ path: `${spot.path}.${step}`, depth: spot.depth + 1, root: false }, sub),
    ),
  ];
}

function childrenOf(node: JsonObject): readonly (readonly [string, JsonObject])[] {
  const properties = entriesOf(objectOf(node["properties"])).map(
    ([key, sub]) => [`properties[${key}]`, objectOf(sub)] as const,
  );
  const values = node["additionalProperties"];
  const items = node["items"];
  return [
    ...properties,
    ...(isObject(values) ? [["additionalProperties", values] as const] : []),
    ...(isObject(items) ? [["items", items] as const] : []),
  ];
}

function typeErrors({ path, root }: Spot, node: JsonObject): readonly FieldError[] {
  const type = node["type"];
  const open = node["x-kubernetes-preserve-unknown-fields"] === true || node["x-kubernetes-int-or-string"] === true;
  const errors: FieldError[] = [];
  if (type === undefined || type === "") {
    if (root || !open)
      errors.push(
        required(
          child(path, "type"),
          root ? "must not be empty at the root" : "must not be empty for specified object fields",
        ),
      );
  } else if (typeof type !== "string" || !TYPES.includes(type))
    errors.push(notSupported(child(path, "type"), type, TYPES));
  if (node["properties"] !== undefined && node["additionalProperties"] !== undefined) {
    errors.push(
      forbidden(child(path, "additionalProperties"), "additionalProperties and properties are mutual exclusive"),
    );
  }
  if (type === "array" && !isObject(node["items"])) errors.push(required(child(path, "items"), "must be specified"));
  return errors;
}

function extensionErrors({ path }: Spot, node: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const list = node["x-kubernetes-list-type"];
  const keys = listOf(node["x-kubernetes-list-map-keys"]);
  if (node["x-kubernetes-preserve-unknown-fields"] === false) {
    errors.push(invalid(child(path, "x-kubernetes-preserve-unknown-fields"), false, "must be true or undefined"));
  }
  if (list !== undefined && !["atomic", "set", "map"].includes(String(list))) {
    errors.push(notSupported(child(path, "x-kubernetes-list-type"), list, ["atomic", "map", "set"]));
  }
  if (list === "map" && keys.length === 0) {
    errors.push(
      required(child(path, "x-kubernetes-list-map-keys"), "must not be empty if x-kubernetes-list-type is map"),
    );
  }
  if (list === "map") errors.push(...keyErrors(path, keys, objectOf(node["items"])));
  const map = node["x-kubernetes-map-type"];
  if (map !== undefined && map !== "atomic" && map !== "granular") {
    errors.push(notSupported(child(path, "x-kubernetes-map-type"), map, ["atomic", "granular"]));
  }
  return errors;
}

function keyErrors(path: string, keys: readonly Json[], items: JsonObject): readonly FieldError[] {
  const properties = objectOf(items["properties"]);
  return keys.flatMap((key, index) => {
    if (isObject(properties[String(key)])) return [];
    const field = `${path}.x-kubernetes-list-map-keys[${index}]`;
    return [invalid(field, key, "entries must all be names of item properties")];
  });
}

function junctorErrors({ path }: Spot, node: JsonObject): readonly FieldError[] {
  const parts = JUNCTORS.flatMap((name) =>
    listOf(node[name]).map((part, index) => [`${path}.${name}[${index}]`, part] as const),
  );
  const not = node["not"];
  const all = isObject(not) ? [...parts, [`${path}.not`, not] as const] : parts;
  const free = node["x-kubernetes-int-or-string"] === true;
  return all.flatMap(([place, part]) => (isObject(part) ? valueOnlyErrors(place, part, free) : []));
}

function valueOnlyErrors(path: string, part: JsonObject, free: boolean): readonly FieldError[] {
  const found = VALUE_ONLY.filter((key) => part[key] !== undefined && !(key === "type" && free));
  const own = found.map((key) => forbidden(child(path, key), `must be empty to be structural`));
  return [...own, ...childrenOf(part).flatMap(([step, sub]) => valueOnlyErrors(`${path}.${step}`, sub, free))];
}
