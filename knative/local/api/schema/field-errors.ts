import type { Json } from "./json.ts";
import type { FieldError } from "./validate.ts";

/** A missing field; the detail may say which of several fields would do. */
export function required(field: string, detail = ""): FieldError {
  return { field, reason: "FieldValueRequired", message: withDetail("Required value", detail) };
}

/** A value that breaks a rule. */
export function invalid(field: string, value: Json | undefined, detail: string): FieldError {
  return { field, reason: "FieldValueInvalid", message: withDetail(`Invalid value: ${shown(value)}`, detail) };
}

/** A value of another type than the schema wants; `actual` names the type that was found. */
export function wrongType(field: string, actual: Json, detail: string): FieldError {
  return { field, reason: "FieldValueTypeInvalid", message: withDetail(`Invalid value: ${shown(actual)}`, detail) };
}

/** A value outside a fixed list. */
export function notSupported(field: string, value: Json, supported: readonly Json[]): FieldError {
  const values = supported.map((one) => JSON.stringify(typeof one === "string" ? one : JSON.stringify(one)));
  const detail = values.length === 0 ? "" : `supported values: ${values.join(", ")}`;
  return { field, reason: "FieldValueNotSupported", message: withDetail(`Unsupported value: ${shown(value)}`, detail) };
}

/** A second appearance of a value that must be unique. */
export function duplicate(field: string, value: Json): FieldError {
  return { field, reason: "FieldValueDuplicate", message: `Duplicate value: ${shown(value)}` };
}

/** A value that is well formed but not allowed here. */
export function forbidden(field: string, detail: string): FieldError {
  return { field, reason: "FieldValueForbidden", message: withDetail("Forbidden", detail) };
}

/** A text or document beyond its limit in bytes. */
export function tooLong(field: string, max: number): FieldError {
  return {
    field,
    reason: "FieldValueTooLong",
    message: `Too long: may not be more than ${max} byte${max === 1 ? "" : "s"}`,
  };
}

/** A list or map with more members than its limit. */
export function tooMany(field: string, actual: number, max: number): FieldError {
  const detail = `must have at most ${max} item${max === 1 ? "" : "s"}`;
  return { field, reason: "FieldValueTooMany", message: `Too many: ${actual}: ${detail}` };
}

/** A path below another: members with a dot, map keys and indexes in brackets. */
export function child(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function withDetail(text: string, detail: string): string {
  return detail === "" ? text : `${text}: ${detail}`;
}

function shown(value: Json | undefined): string {
  return JSON.stringify(value ?? null);
}
