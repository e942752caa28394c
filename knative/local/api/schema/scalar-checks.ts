import { invalid, tooLong, wrongType } from "./field-errors.ts";
import { formatProblem } from "./formats.ts";
import type { Json } from "./json.ts";
import { patternMatches } from "./patterns.ts";
import type { Schema } from "./schema.ts";
import type { FieldError } from "./validate.ts";

/** What a schema's limits for texts and numbers find wrong with a value; other values have no such limits. */
export function scalarErrors(node: Schema, value: Json, path: string): readonly FieldError[] {
  if (typeof value === "string") return [...textErrors(node, value, path), ...formatErrors(node, value, path)];
  if (typeof value !== "number") return [];
  return numberProblems(node, value).map((problem) => invalid(path, value, `${path} in body should be ${problem}`));
}

/** One limit is enough to refuse a text: length first, then its pattern. */
function textErrors(node: Schema, value: string, path: string): readonly FieldError[] {
  const { maxLength, minLength, pattern } = node;
  if (maxLength !== undefined && lengthOf(value) > maxLength) return [tooLong(path, maxLength)];
  if (minLength !== undefined && lengthOf(value) < minLength) {
    return [invalid(path, value, `${path} in body should be at least ${minLength} chars long`)];
  }
  if (pattern === undefined || patternMatches(pattern, value)) return [];
  return [invalid(path, value, `${path} in body should match '${pattern}'`)];
}

function lengthOf(value: string): number {
  return [...value].length;
}

function formatErrors(node: Schema, value: string, path: string): readonly FieldError[] {
  const format = node.format === undefined ? undefined : formatProblem(node.format, value);
  if (format === undefined) return [];
  return [wrongType(path, value, `${path} in body must be of type ${format}: ${JSON.stringify(value)}`)];
}

function numberProblems(node: Schema, value: number): readonly string[] {
  const { multipleOf } = node;
  const uneven = multipleOf !== undefined && !isMultiple(value, multipleOf);
  return [
    ...(uneven ? [`a multiple of ${multipleOf}`] : []),
    ...upperProblems(node, value),
    ...lowerProblems(node, value),
  ];
}

function upperProblems({ maximum, exclusiveMaximum }: Schema, value: number): readonly string[] {
  if (maximum === undefined) return [];
  if (exclusiveMaximum === true) return value >= maximum ? [`less than ${maximum}`] : [];
  return value > maximum ? [`less than or equal to ${maximum}`] : [];
}

function lowerProblems({ minimum, exclusiveMinimum }: Schema, value: number): readonly string[] {
  if (minimum === undefined) return [];
  if (exclusiveMinimum === true) return value <= minimum ? [`greater than ${minimum}`] : [];
  return value < minimum ? [`greater than or equal to ${minimum}`] : [];
}

function isMultiple(value: number, factor: number): boolean {
  const quotient = value / factor;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}
