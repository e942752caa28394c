/** A value of the CloudEvents SQL type system; numbers are whole and fit into 32 bits. */
export type Value = boolean | number | string;

/** The type of a value. */
export type ValueType = "Boolean" | "Integer" | "String";

/** What can go wrong, in the words of the specification's test kit. */
export type ErrorKind = "parse" | "math" | "cast" | "missingAttribute" | "missingFunction" | "functionEvaluation";

/** Why a value is not what the expression asked for. */
export interface CesqlError {
  readonly kind: ErrorKind;
  readonly message: string;
}

/** Every evaluation has a value; one that failed also has an error, and then mostly the zero value of its type. */
export interface Result {
  readonly value: Value;
  readonly error?: CesqlError;
}

const MAX = 2 ** 31 - 1;
const MIN = -(2 ** 31);

/** The value that stands in where there is none. */
export const ZERO: Readonly<Record<ValueType, Value>> = { Boolean: false, Integer: 0, String: "" };

/** A result that failed. */
export function failed(value: Value, kind: ErrorKind, message: string): Result {
  return { value, error: { kind, message } };
}

/** The type of a value. */
export function typeOf(value: Value): ValueType {
  if (typeof value === "boolean") return "Boolean";
  return typeof value === "number" ? "Integer" : "String";
}

/** Whether a number is a whole one of 32 bits. */
export function isInteger(value: number): boolean {
  return Number.isInteger(value) && value >= MIN && value <= MAX;
}

/** An integer as result; beyond 32 bits the zero value and a `math` error. */
export function integer(value: number): Result {
  // -0 is no value of the type system.
  return isInteger(value) ? { value: value + 0 } : failed(0, "math", `${value} does not fit into 32 bits`);
}

/** Turns a value into another type: text is read, integers are true unless 0, everything can be text. */
export function cast(value: Value, type: ValueType): Result {
  if (typeOf(value) === type) return { value };
  switch (type) {
    case "String":
      return { value: String(value) };
    case "Integer":
      return typeof value === "boolean" ? { value: Number(value) } : readInteger(String(value));
    case "Boolean":
      return typeof value === "number" ? { value: value !== 0 } : readBoolean(String(value));
  }
}

function readInteger(text: string): Result {
  const value = Number(text);
  if (/^[+-]?\d+$/.test(text) && isInteger(value)) return { value: value + 0 };
  return failed(0, "cast", `"${text}" is no integer of 32 bits`);
}

function readBoolean(text: string): Result {
  const lower = text.toLowerCase();
  if (lower === "true" || lower === "false") return { value: lower === "true" };
  return failed(false, "cast", `"${text}" is neither true nor false`);
}
