import { child, invalid, notSupported, required, tooLong, tooMany, wrongType } from "./field-errors.ts";
import { formatProblem } from "./formats.ts";
import { entriesOf, equal, isList, isObject, type Json, type JsonObject } from "./json.ts";
import { patternMatches } from "./patterns.ts";
import { isIntOrString, propertyOf, resolve, type Schema } from "./schema.ts";
import type { FieldError } from "./validate.ts";

/** How deep an object may be nested before it is refused. */
const MAX_DEPTH = 500;

/** The node that is checked: the path names it in errors, lenient spares nulls and fields that servers fill in. */
export interface Spot {
  readonly path: string;
  readonly lenient: boolean;
  readonly depth: number;
}

/** What a schema finds wrong with a value, with the texts of Kubernetes' API server. */
export function valueErrors(schema: Schema, value: Json, spot: Spot): readonly FieldError[] {
  const node = resolve(schema);
  if (spot.depth > MAX_DEPTH) return [invalid(spot.path, "", `nested deeper than ${MAX_DEPTH} levels`)];
  if (value === null) return nullErrors(node, spot);
  const wrong = typeErrors(node, value, spot);
  const errors = [...wrong, ...combinationErrors(node, value, spot), ...scalarErrors(node, value, spot.path)];
  if (isList(value)) errors.push(...listErrors(node, value, spot));
  if (node.enum !== undefined && !node.enum.some((one) => equal(one, value))) {
    errors.push(notSupported(spot.path, value, node.enum));
  }
  if (isObject(value)) errors.push(...objectErrors(node, value, spot));
  return unique(errors);
}

function unique(errors: readonly FieldError[]): readonly FieldError[] {
  const seen = new Set<string>();
  return errors.filter((error) => {
    const key = `${error.field} ${error.message}`;
    return seen.has(key) ? false : seen.add(key);
  });
}

function nullErrors(node: Schema, spot: Spot): readonly FieldError[] {
  if (spot.lenient || node.nullable === true) return [];
  const errors = node.type === undefined ? [] : [typeError(spot.path, node.type, "null")];
  const refused = node.enum !== undefined && !node.enum.includes(null);
  return refused ? [...errors, notSupported(spot.path, null, node.enum ?? [])] : errors;
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
  return [typeError(spot.path, node.type, actual)];
}

function scalarErrors(node: Schema, value: Json, path: string): readonly FieldError[] {
  if (typeof value === "string") return textErrors(node, value, path);
  return typeof value === "number" ? numberErrors(node, value, path) : [];
}

function textErrors(node: Schema, value: string, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const length = [...value].length;
  if (node.maxLength !== undefined && length > node.maxLength) errors.push(tooLong(path, node.maxLength));
  else if (node.minLength !== undefined && length < node.minLength) {
    errors.push(invalid(path, value, `${path} in body should be at least ${node.minLength} chars long`));
  } else if (node.pattern !== undefined && !patternMatches(node.pattern, value)) {
    errors.push(invalid(path, value, `${path} in body should match '${node.pattern}'`));
  }
  const format = node.format === undefined ? undefined : formatProblem(node.format, value);
  if (format !== undefined) {
    errors.push(wrongType(path, value, `${path} in body must be of type ${format}: ${JSON.stringify(value)}`));
  }
  return errors;
}

function numberErrors(node: Schema, value: number, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const fail = (detail: string): unknown => errors.push(invalid(path, value, `${path} in body should be ${detail}`));
  const { multipleOf, maximum, minimum } = node;
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) fail(`a multiple of ${multipleOf}`);
  if (maximum !== undefined) {
    if (node.exclusiveMaximum === true) value >= maximum && fail(`less than ${maximum}`);
    else value > maximum && fail(`less than or equal to ${maximum}`);
  }
  if (minimum !== undefined) {
    if (node.exclusiveMinimum === true) value <= minimum && fail(`greater than ${minimum}`);
    else value < minimum && fail(`greater than or equal to ${minimum}`);
  }
  return errors;
}

function isMultiple(value: number, factor: number): boolean {
  const quotient = value / factor;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

function listErrors(node: Schema, value: readonly Json[], spot: Spot): readonly FieldError[] {
  const { items } = node;
  const inside =
    items === undefined
      ? []
      : value.flatMap((item, index) => valueErrors(items, item, below(spot, `${spot.path}[${index}]`)));
  const errors = [...inside];
  const { path } = spot;
  if (node.minItems !== undefined && value.length < node.minItems) {
    errors.push(invalid(path, value.length, `${path} in body should have at least ${node.minItems} items`));
  }
  if (node.maxItems !== undefined && value.length > node.maxItems)
    errors.push(tooMany(path, value.length, node.maxItems));
  if (
    node.uniqueItems === true &&
    value.some((item, index) => value.findIndex((other) => equal(item, other)) < index)
  ) {
    errors.push(invalid(path, "", `${path} in body shouldn't contain duplicates`));
  }
  return errors;
}

function objectErrors(node: Schema, value: JsonObject, spot: Spot): readonly FieldError[] {
  const { path } = spot;
  const entries = entriesOf(value);
  const errors: FieldError[] = [];
  if (node.minProperties !== undefined && entries.length < node.minProperties) {
    errors.push(invalid(path, entries.length, `${path} in body should have at least ${node.minProperties} properties`));
  }
  if (node.maxProperties !== undefined && entries.length > node.maxProperties) {
    errors.push(tooMany(path, entries.length, node.maxProperties));
  }
  for (const [key, member] of entries) errors.push(...memberErrors(node, [key, member], spot));
  for (const key of missingFields(node, value, spot)) errors.push(required(child(path, key)));
  return errors;
}

function memberErrors(node: Schema, [key, member]: readonly [string, Json], spot: Spot): readonly FieldError[] {
  const path = child(spot.path, key);
  const property = propertyOf(node, key);
  if (property !== undefined) return valueErrors(property, member, below(spot, path));
  if (node.additionalProperties === false) {
    return [invalid(spot.path, key, `${spot.path}.${key} in body is a forbidden property`)];
  }
  return typeof node.additionalProperties === "object"
    ? valueErrors(node.additionalProperties, member, below(spot, path))
    : [];
}

function missingFields(node: Schema, value: JsonObject, spot: Spot): readonly string[] {
  if (node.required === undefined || (spot.lenient && /^status(\.|$)/.test(spot.path))) return [];
  return node.required.filter((key) => !Object.hasOwn(value, key) || value[key] === undefined);
}

function below(spot: Spot, path: string): Spot {
  return { path, lenient: spot.lenient, depth: spot.depth + 1 };
}

function combinationErrors(node: Schema, value: Json, spot: Spot): readonly FieldError[] {
  const errors: FieldError[] = [];
  const fail = (text: string): unknown =>
    errors.push(invalid("<nil>", "", `${JSON.stringify(spot.path)} must ${text}`));
  const inside = below(spot, spot.path);
  if (node.anyOf !== undefined && node.anyOf.length > 0) {
    const tries = node.anyOf.map((schema) => valueErrors(schema, value, inside));
    if (!tries.some((found) => found.length === 0)) {
      fail("validate at least one schema (anyOf)");
      errors.push(...closest(tries));
    }
  }
  if (node.oneOf !== undefined && node.oneOf.length > 0 && !isIntOrString(node)) {
    const tries = node.oneOf.map((schema) => valueErrors(schema, value, inside));
    const valid = tries.filter((found) => found.length === 0).length;
    if (valid !== 1)
      fail(
        `validate one and only one schema (oneOf). ${valid === 0 ? "Found none valid" : `Found ${valid} valid alternatives`}`,
      );
    if (valid === 0) errors.push(...closest(tries));
  }
  if (node.allOf !== undefined && node.allOf.length > 0) {
    const tries = node.allOf.map((schema) => valueErrors(schema, value, inside));
    errors.push(...tries.flat());
    const valid = tries.filter((found) => found.length === 0).length;
    if (valid !== tries.length) fail(`validate all the schemas (allOf)${valid === 0 ? ". None validated" : ""}`);
  }
  if (node.not !== undefined && valueErrors(node.not, value, inside).length === 0)
    fail("not validate the schema (not)");
  return errors;
}

function closest(tries: readonly (readonly FieldError[])[]): readonly FieldError[] {
  return tries.reduce((best, found) => (found.length < best.length ? found : best));
}
