import { evaluate } from "@marcbachmann/cel-js";
import { isDateTime, isGoDuration } from "./formats.ts";
import { entriesOf, isList, isObject, type Json, type JsonObject } from "./json.ts";
import { isIntOrString, itemOf, propertyOf, resolve, type Schema, valuesOf } from "./schema.ts";

const RESERVED = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

/** The value as CEL sees it under its schema: whole numbers as int, dates and durations by format, names escaped. */
export function celValue(schema: Schema | undefined, value: Json): unknown {
  const node = schema === undefined ? undefined : resolve(schema);
  if (isList(value)) return value.map((item) => celValue(itemOf(node), item));
  if (isObject(value)) return celObject(node, value);
  if (typeof value === "number") return celNumber(node, value);
  return typeof value === "string" ? celText(node, value) : value;
}

function celNumber(node: Schema | undefined, value: number): bigint | number {
  const whole = node?.type === "integer" || (node?.type !== "number" && Number.isInteger(value));
  return whole || (node !== undefined && isIntOrString(node)) ? BigInt(Math.trunc(value)) : value;
}

function celText(node: Schema | undefined, value: string): unknown {
  switch (node?.format) {
    case "date-time":
    case "datetime":
      return isDateTime(value) ? new Date(value) : value;
    case "date":
      return Number.isNaN(Date.parse(value)) ? value : new Date(value);
    case "duration":
      return isGoDuration(value) ? evaluate("duration(text)", { text: value }) : value;
    case "byte":
      return new Uint8Array(Buffer.from(value, "base64"));
    default:
      return value;
  }
}

function celObject(node: Schema | undefined, value: JsonObject): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  const values = valuesOf(node);
  for (const [key, member] of entriesOf(value)) {
    const property = propertyOf(node, key);
    const name =
      property === undefined && (values !== undefined || node?.properties === undefined) ? key : escapeName(key);
    // A null counts as absent: has() says false, as in the API server.
    if (name !== undefined && name !== "__proto__" && (member !== null || property === undefined))
      out[name] = celValue(property ?? values, member);
  }
  return out;
}

/** A property's name as rules write it (a-b → a__dash__b), undefined when rules cannot name it. */
export function escapeName(name: string): string | undefined {
  if (!/^[A-Za-z_][-A-Za-z0-9_./]*$/.test(name)) return undefined;
  if (RESERVED.has(name)) return `__${name}__`;
  return name
    .replaceAll("__", "__underscores__")
    .replaceAll("-", "__dash__")
    .replaceAll(".", "__dot__")
    .replaceAll("/", "__slash__");
}
