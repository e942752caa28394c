import type { Expression } from "./expression.ts";
import { findFunction } from "./functions.ts";
import { matchesLike } from "./like-pattern.ts";
import { applyBinary, isEqual, negated, returnTypeOf, shortCircuit } from "./operators.ts";
import { cast, failed, integer, type Result, typeOf, type Value, ZERO } from "./value.ts";

/** The attribute of that name; `undefined` where the event has none. */
export type Attributes = (name: string) => Value | undefined;

type Of<K extends Expression["kind"]> = Extract<Expression, { readonly kind: K }>;

/** Evaluates an expression; the first error ends it, with the zero value of what failed. Never throws. */
export function evaluate(expression: Expression, attributes: Attributes): Result {
  switch (expression.kind) {
    case "literal":
      return { value: expression.value };
    case "attribute":
      return attribute(expression.name, attributes);
    case "exists":
      return { value: attributes(expression.name) !== undefined };
    case "not":
    case "negate":
      return unary(expression, attributes);
    case "binary":
      return binary(expression, attributes);
    case "like":
      return like(expression, attributes);
    case "in":
      return isIn(expression, attributes);
    case "call":
      return call(expression, attributes);
  }
}

function attribute(name: string, attributes: Attributes): Result {
  const value = attributes(name);
  return value === undefined ? failed(false, "missingAttribute", `the event has no ${name}`) : { value };
}

function unary({ kind, operand }: Of<"not" | "negate">, attributes: Attributes): Result {
  const type = kind === "not" ? "Boolean" : "Integer";
  const { value, error } = evaluate(operand, attributes);
  if (error) return { value: ZERO[type], error };
  const typed = cast(value, type);
  if (typed.error) return typed;
  return kind === "not" ? negated(typed) : integer(-Number(typed.value));
}

function binary({ operator, left, right }: Of<"binary">, attributes: Attributes): Result {
  const zero = ZERO[returnTypeOf(operator)];
  const first = evaluate(left, attributes);
  if (first.error) return { value: zero, error: first.error };
  const decided = shortCircuit(operator, first.value);
  if (decided !== undefined) return { value: decided };
  const second = evaluate(right, attributes);
  if (second.error) return { value: zero, error: second.error };
  return applyBinary(operator, { left: first.value, right: second.value });
}

function like({ operand, pattern }: Of<"like">, attributes: Attributes): Result {
  const { value, error } = evaluate(operand, attributes);
  return error ? { value: false, error } : { value: matchesLike(String(value), pattern) };
}

function isIn({ operand, set }: Of<"in">, attributes: Attributes): Result {
  const wanted = evaluate(operand, attributes);
  if (wanted.error) return { value: false, error: wanted.error };
  for (const element of set) {
    const { value, error } = evaluate(element, attributes);
    const equal = error ? { value: false, error } : isEqual(wanted.value, value, typeOf(wanted.value));
    if (equal.error || equal.value === true) return equal;
  }
  return { value: false };
}

function call({ name, args }: Of<"call">, attributes: Attributes): Result {
  const found = findFunction(name, args.length);
  if (!found) return failed(false, "missingFunction", `there is no function ${name} with ${args.length} arguments`);
  const values: Value[] = [];
  for (const [index, each] of args.entries()) {
    const { value, error } = evaluate(each, attributes);
    if (error) return { value: ZERO[found.returns], error };
    const typed = cast(value, found.parameters[index] ?? found.rest ?? "String");
    if (typed.error) return { value: ZERO[found.returns], error: typed.error };
    values.push(typed.value);
  }
  return found.call(...values);
}
