import { celErrors } from "./crd-rules.ts";
import { prunedValue } from "./defaults.ts";
import { child, forbidden, invalid, notSupported, required } from "./field-errors.ts";
import { entriesOf, isList, isObject, type Json, type JsonObject, listOf, objectOf, textsOf } from "./json.ts";
import { compilePattern } from "./patterns.ts";
import type { Schema } from "./schema.ts";
import type { FieldError } from "./validate.ts";
import { valueErrors } from "./value-checks.ts";

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];
/** What only the schema itself may say; inside allOf, anyOf, oneOf and not it is forbidden. */
const VALUE_ONLY = ["description", "type", "default", "additionalProperties", "nullable", "title"] as const;
const UNSUPPORTED = ["$ref", "patternProperties", "definitions", "dependencies", "additionalItems", "id"] as const;
const JUNCTORS = ["allOf", "anyOf", "oneOf"] as const;
const MAX_DEPTH = 200;

/** What keeps a schema from being structural, and what is wrong with its defaults, patterns, extensions and rules. */
export function structuralErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const type = schema["type"];
  const wrong =
    type === undefined || type === "object" ? [] : [invalid(child(path, "type"), type, "must be object at the root")];
  const nullable =
    schema["nullable"] === true ? [forbidden(child(path, "nullable"), "nullable cannot be true at the root")] : [];
  return [
    ...wrong,
    ...nullable,
    ...metadataErrors(schema, path),
    ...nodeErrors({ path, depth: 0, correlated: true }, schema),
  ];
}

function metadataErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const declared = objectOf(objectOf(objectOf(schema["properties"])["metadata"])["properties"]);
  if (Object.keys(declared).every((key) => key === "name" || key === "generateName")) return [];
  const text = "must not specify anything other than name and generateName, but metadata is implicitly specified";
  return [forbidden(`${path}.properties[metadata]`, text)];
}

interface Spot {
  readonly path: string;
  readonly depth: number;
  /** False below lists whose items have no key: rules there cannot see what was stored. */
  readonly correlated: boolean;
}

function nodeErrors(spot: Spot, node: JsonObject): readonly FieldError[] {
  const { path, depth } = spot;
  if (depth > MAX_DEPTH) return [invalid(path, "", `must not be nested deeper than ${MAX_DEPTH} levels`)];
  const unsupported = UNSUPPORTED.filter((key) => node[key] !== undefined);
  if (unsupported.length > 0) return unsupported.map((key) => forbidden(child(path, key), `${key} is not supported`));
  return [
    ...typeErrors(spot, node),
    ...keywordErrors(spot, node),
    ...listErrors(spot, node),
    ...defaultErrors(spot, node),
    ...celErrors({ path, correlated: spot.correlated }, node),
    ...junctorErrors(path, node),
    ...childrenOf(node).flatMap(([step, sub]) => {
      const correlated = spot.correlated && (step !== "items" || node["x-kubernetes-list-type"] === "map");
      return nodeErrors({ path: `${path}.${step}`, depth: depth + 1, correlated }, sub);
    }),
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

function typeErrors({ path, depth }: Spot, node: JsonObject): readonly FieldError[] {
  const type = node["type"];
  const field = child(path, "type");
  const open = node["x-kubernetes-preserve-unknown-fields"] === true || node["x-kubernetes-int-or-string"] === true;
  if (typeof type === "string" && type !== "") return TYPES.includes(type) ? [] : [notSupported(field, type, TYPES)];
  if (depth === 0) return [required(field, "must not be empty at the root")];
  return open ? [] : [required(field, "must not be empty for specified object fields")];
}

function keywordErrors({ path }: Spot, node: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const pattern = node["pattern"];
  if (node["properties"] !== undefined && isObject(node["additionalProperties"])) {
    errors.push(
      forbidden(child(path, "additionalProperties"), "additionalProperties and properties are mutual exclusive"),
    );
  }
  if (node["type"] === "array" && !isObject(node["items"]))
    errors.push(required(child(path, "items"), "must be specified"));
  if (node["uniqueItems"] === true) {
    errors.push(
      forbidden(
        child(path, "uniqueItems"),
        "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
      ),
    );
  }
  if (typeof pattern === "string" && compilePattern(pattern) === undefined) {
    errors.push(
      invalid(
        child(path, "pattern"),
        pattern,
        `must be a valid regular expression, but isn't: error parsing regexp: \`${pattern}\``,
      ),
    );
  }
  return [...errors, ...flagErrors(path, node)];
}

function flagErrors(path: string, node: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const map = node["x-kubernetes-map-type"];
  const open = node["x-kubernetes-preserve-unknown-fields"];
  if (open === false)
    errors.push(invalid(child(path, "x-kubernetes-preserve-unknown-fields"), false, "must be true or undefined"));
  if (node["x-kubernetes-embedded-resource"] === true && node["properties"] === undefined && open !== true) {
    const text =
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    errors.push(required(child(path, "properties"), text));
  }
  if (map !== undefined && map !== "atomic" && map !== "granular") {
    errors.push(notSupported(child(path, "x-kubernetes-map-type"), map, ["atomic", "granular"]));
  }
  return errors;
}

function listErrors({ path }: Spot, node: JsonObject): readonly FieldError[] {
  const list = node["x-kubernetes-list-type"];
  const field = child(path, "x-kubernetes-list-type");
  if (list === undefined) return [];
  if (node["type"] !== "array") {
    return [invalid(child(path, "type"), node["type"] ?? "", "must be array if x-kubernetes-list-type is specified")];
  }
  if (list === "map") return mapErrors(path, node);
  if (list === "set") return setErrors(path, objectOf(node["items"]));
  return list === "atomic" ? [] : [notSupported(field, list, ["atomic", "set", "map"])];
}

function setErrors(path: string, items: JsonObject): readonly FieldError[] {
  const map = items["x-kubernetes-map-type"] ?? null;
  if (items["type"] !== "object" || map === "atomic") return [];
  const text = "must be atomic as item of a list with x-kubernetes-list-type=set";
  return [invalid(child(path, "items.x-kubernetes-map-type"), map, text)];
}

function mapErrors(path: string, node: JsonObject): readonly FieldError[] {
  const field = child(path, "x-kubernetes-list-map-keys");
  const keys = textsOf(node["x-kubernetes-list-map-keys"]);
  const items = objectOf(node["items"]);
  const properties = objectOf(items["properties"]);
  if (keys.length === 0) return [required(field, "must not be empty if x-kubernetes-list-type is map")];
  if (keys.some((key) => !isObject(properties[key])))
    return [invalid(field, keys, "entries must all be names of item properties")];
  const loose = keys.filter(
    (key) => !listOf(items["required"]).includes(key) && objectOf(properties[key])["default"] === undefined,
  );
  const text = "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
  return loose.map((key) => required(`${path}.items.properties[${key}].default`, text));
}

function defaultErrors({ path }: Spot, node: JsonObject): readonly FieldError[] {
  const fallback = node["default"];
  if (fallback === undefined || fallback === null) return [];
  const field = child(path, "default");
  const schema = node as Schema;
  const { object, unknown } = prunedValue(schema, fallback);
  if (unknown.length > 0) return [invalid(field, fallback, "must not have unknown fields")];
  return valueErrors(schema, object, { path: "", lenient: false, depth: 0 }).map((error) => ({
    ...error,
    field: error.field === "" || error.field === "<nil>" ? field : child(field, error.field),
  }));
}

function junctorErrors(path: string, node: JsonObject): readonly FieldError[] {
  const parts = JUNCTORS.flatMap((name) =>
    listOf(node[name]).map((part, index) => [`${path}.${name}[${index}]`, part] as const),
  );
  const all: readonly (readonly [string, Json | undefined])[] = [...parts, [`${path}.not`, node["not"]]];
  const free = node["x-kubernetes-int-or-string"] === true;
  return all.flatMap(([place, part]) => (isObject(part) && !isList(part) ? valueOnlyErrors(place, part, free) : []));
}

function valueOnlyErrors(path: string, part: JsonObject, free: boolean): readonly FieldError[] {
  const found = VALUE_ONLY.filter((key) => part[key] !== undefined && !(key === "type" && free));
  const own = found.map((key) => forbidden(child(path, key), "must be empty to be structural"));
  return [...own, ...childrenOf(part).flatMap(([step, sub]) => valueOnlyErrors(`${path}.${step}`, sub, free))];
}
