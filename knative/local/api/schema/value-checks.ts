import { child, invalid, notSupported, required, tooMany, wrongType } from "./field-errors.ts";
import { elementOf } from "./field-walk.ts";
import { isKnownFormat } from "./formats.ts";
import { entriesOf, equal, isList, isObject, type Json, type JsonObject, listOf } from "./json.ts";
import { scalarErrors } from "./scalar-checks.ts";
import { isIntOrString, mapKeysOf, propertyOf, resolve, type Schema } from "./schema.ts";
import type { FieldError } from "./validate.ts";

/** How deep an object may be nested before it is refused. */
const MAX_DEPTH = 500;

/**
 * The node that is checked: the path names it in errors, lenient spares nulls and fields that servers fill in, and what is stored there
 * already (`old`) may stay as it is even when it breaks the schema.
 */
export interface Spot {
  readonly path: string;
  readonly lenient: boolean;
  readonly depth: number;
  readonly old?: Json | undefined;
}

/** What a schema finds wrong with a value, with the texts of Kubernetes' API server. */
export function valueErrors(schema: Schema, value: Json, spot: Spot): readonly FieldError[] {
  const node = resolve(schema);
  if (spot.depth > MAX_DEPTH) return [invalid(spot.path, "", `nested deeper than ${MAX_DEPTH} levels`)];
  if (spot.old !== undefined && equal(spot.old, value)) return [];
  if (value === null) return nullErrors(node, spot);
  return unique([
    ...typeErrors(node, value, spot),
    ...combinationErrors(node, value, spot),
    ...scalarErrors(node, value, spot.path),
    ...(isList(value) ? listErrors(node, value, spot) : []),
    ...enumErrors(node, value, spot),
    ...(isObject(value) ? objectErrors(node, value, spot) : []),
  ]);
}

function unique(errors: readonly FieldError[]): readonly FieldError[] {
  if (errors.length < 2) return errors;
  return [...new Map(errors.map((error) => [`${error.field} ${error.message}`, error])).values()];
}

function nullErrors(node: Schema, spot: Spot): readonly FieldError[] {
  if (spot.lenient || node.nullable === true) return [];
  const errors = node.type === undefined ? [] : [typeError(spot.path, node.type, "null")];
  return [...errors, ...enumErrors(node, null, spot)];
}

function enumErrors(node: Schema, value: Json, spot: Spot): readonly FieldError[] {
  if (node.enum === undefined || node.enum.some((one) => equal(one, value))) return [];
  return [notSupported(spot.path, value, node.enum)];
}

function typeError(path: string, wanted: string, actual: string): FieldError {
  return wrongType(path, actual, `${path} in body must be of type ${wanted}: ${JSON.stringify(actual)}`);
}

/** The JSON type of a value as schemas name it. */
export function typeName(value: Json): string {
  if (value === null) return "null";
  if (isList(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function typeErrors(node: Schema, value: Json, spot: Spot): readonly FieldError[] {
  const actual = typeName(value);
  if (isIntOrString(node)) {
    return actual === "integer" || actual === "string" ? [] : [typeError(spot.path, "integer,string", actual)];
  }
  if (node.type === undefined || node.type === actual) return [];
  if (node.type === "number" && actual === "integer") return [];
  if (node.type === "string" && node.format !== undefined && isKnownFormat(node.format)) {
    return formattedTypeErrors(node.format, actual, spot.path);
  }
  return [typeError(spot.path, node.type, actual)];
}

const GO_FORMATS: Readonly<Record<string, string>> = { integer: "int64", number: "float64" };

/** Where a text with a format is wanted, the API server compares formats instead of types, and lets lists pass. */
function formattedTypeErrors(format: string, actual: string, path: string): readonly FieldError[] {
  return actual === "array" ? [] : [typeError(path, format, GO_FORMATS[actual] ?? "")];
}

function listErrors(node: Schema, value: readonly Json[], spot: Spot): readonly FieldError[] {
  const { items, minItems, maxItems } = node;
  const { path } = spot;
  const inside = items === undefined ? [] : value.flatMap((item, index) => itemErrors(node, [item, index], spot));
  const tooFew = minItems !== undefined && value.length < minItems;
  const excess = maxItems !== undefined && value.length > maxItems;
  const repeated =
    node.uniqueItems === true && value.some((item, index) => value.findIndex((other) => equal(item, other)) < index);
  return [
    ...inside,
    ...(tooFew ? [invalid(path, value.length, `${path} in body should have at least ${minItems} items`)] : []),
    ...(excess ? [tooMany(path, value.length, maxItems)] : []),
    ...(repeated ? [invalid(path, "", `${path} in body shouldn't contain duplicates`)] : []),
  ];
}

function itemErrors(node: Schema, [item, index]: readonly [Json, number], spot: Spot): readonly FieldError[] {
  const keys = mapKeysOf(node);
  const element = keys.length === 0 || spot.old === undefined ? undefined : elementOf(node, keys, item);
  const old =
    element === undefined ? undefined : listOf(spot.old).find((one) => elementOf(node, keys, one) === element);
  return valueErrors(node.items ?? {}, item, { ...below(spot, `${spot.path}[${index}]`), old });
}

function objectErrors(node: Schema, value: JsonObject, spot: Spot): readonly FieldError[] {
  const { path } = spot;
  const { minProperties, maxProperties } = node;
  const entries = entriesOf(value);
  const tooFew = minProperties !== undefined && entries.length < minProperties;
  const excess = maxProperties !== undefined && entries.length > maxProperties;
  return [
    ...(tooFew
      ? [invalid(path, entries.length, `${path} in body should have at least ${minProperties} properties`)]
      : []),
    ...(excess ? [tooMany(path, entries.length, maxProperties)] : []),
    ...entries.flatMap((entry) => memberErrors(node, entry, spot)),
    ...missingFields(node, value, spot).map((key) => required(child(path, key))),
  ];
}

function memberErrors(node: Schema, [key, member]: readonly [string, Json], spot: Spot): readonly FieldError[] {
  const old = isObject(spot.old) ? spot.old[key] : undefined;
  const path = child(spot.path, key);
  const inside = { ...below(spot, path), old, lenient: spot.lenient || path === "metadata" };
  const property = propertyOf(node, key);
  if (property !== undefined) return valueErrors(property, member, inside);
  if (node.additionalProperties === false) {
    return [invalid(spot.path, key, `${spot.path}.${key} in body is a forbidden property`)];
  }
  return typeof node.additionalProperties === "object" ? valueErrors(node.additionalProperties, member, inside) : [];
}

function missingFields(node: Schema, value: JsonObject, spot: Spot): readonly string[] {
  if (node.required === undefined || (spot.lenient && /^status(\.|$)/.test(spot.path))) return [];
  return node.required.filter((key) => !Object.hasOwn(value, key) || value[key] === undefined);
}

function below(spot: Spot, path: string): Spot {
  return { path, lenient: spot.lenient, depth: spot.depth + 1 };
}

type Tries = readonly (readonly FieldError[])[];

function combinationErrors(node: Schema, value: Json, spot: Spot): readonly FieldError[] {
  const tried = (schemas: readonly Schema[] | undefined): Tries => {
    return (schemas ?? []).map((schema) => valueErrors(schema, value, below(spot, spot.path)));
  };
  const refused = node.not !== undefined && tried([node.not]).every((errors) => errors.length === 0);
  return [
    ...anyErrors(tried(node.anyOf), spot.path),
    ...(isIntOrString(node) ? [] : oneErrors(tried(node.oneOf), spot.path)),
    ...allErrors(tried(node.allOf), spot.path),
    ...(refused ? [mustError(spot.path, "not validate the schema (not)")] : []),
  ];
}

function mustError(path: string, text: string): FieldError {
  return invalid("<nil>", "", `${JSON.stringify(path)} must ${text}`);
}

function successes(tries: Tries): number {
  return tries.filter((errors) => errors.length === 0).length;
}

function anyErrors(tries: Tries, path: string): readonly FieldError[] {
  if (tries.length === 0 || successes(tries) > 0) return [];
  return [mustError(path, "validate at least one schema (anyOf)"), ...closest(tries)];
}

function oneErrors(tries: Tries, path: string): readonly FieldError[] {
  const valid = successes(tries);
  if (tries.length === 0 || valid === 1) return [];
  const found = valid === 0 ? "Found none valid" : `Found ${valid} valid alternatives`;
  return [
    mustError(path, `validate one and only one schema (oneOf). ${found}`),
    ...(valid === 0 ? closest(tries) : []),
  ];
}

function allErrors(tries: Tries, path: string): readonly FieldError[] {
  const valid = successes(tries);
  if (valid === tries.length) return [];
  return [...tries.flat(), mustError(path, `validate all the schemas (allOf)${valid === 0 ? ". None validated" : ""}`)];
}

/** The complaints of the alternative that came closest. */
function closest(tries: Tries): readonly FieldError[] {
  return tries.reduce((best, errors) => (errors.length < best.length ? errors : best));
}
