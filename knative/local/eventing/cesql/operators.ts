import type { BinaryOperator } from "./expression.ts";
import { cast, failed, integer, type Result, typeOf, type Value, type ValueType, ZERO } from "./value.ts";

type Numbers<T> = (left: number, right: number) => T;

const ARITHMETIC: Partial<Record<BinaryOperator, Numbers<number>>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => Math.trunc(left / right),
  "%": (left, right) => left % right,
};

const COMPARISON: Partial<Record<BinaryOperator, Numbers<boolean>>> = {
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
};

/** Both operands of an operator. */
export interface Operands {
  readonly left: Value;
  readonly right: Value;
}

/** The type that an operator gives. */
export function returnTypeOf(operator: BinaryOperator): ValueType {
  return ARITHMETIC[operator] ? "Integer" : "Boolean";
}

/** What the left operand of AND and OR decides alone; `undefined` where the right one has to be looked at. */
export function shortCircuit(operator: BinaryOperator, left: Value): boolean | undefined {
  const { value, error } = cast(left, "Boolean");
  if (error) return undefined;
  if (operator === "AND" && value === false) return false;
  return operator === "OR" && value === true ? true : undefined;
}

/** Applies an operator. Operands are cast to what it takes; a failed cast gives its zero value and the error. */
export function applyBinary(operator: BinaryOperator, { left, right }: Operands): Result {
  switch (operator) {
    case "=":
      return isEqual(left, right, typeOf(right));
    case "!=":
      return negated(isEqual(left, right, typeOf(right)));
    case "AND":
    case "OR":
    case "XOR":
      return withCast(operator, { left, right }, "Boolean");
    default:
      return withCast(operator, { left, right }, "Integer");
  }
}

/** Whether both are equal as values of `type`: the right operand's for `=`, the left one's for `IN`. */
export function isEqual(left: Value, right: Value, type: ValueType): Result {
  const [a, b] = [cast(left, type), cast(right, type)];
  const error = a.error ?? b.error;
  return error ? { value: false, error } : { value: a.value === b.value };
}

/** The opposite of a Boolean; an error makes it false. */
export function negated({ value, error }: Result): Result {
  return error ? { value: false, error } : { value: value !== true };
}

function withCast(operator: BinaryOperator, operands: Operands, type: ValueType): Result {
  const [left, right] = [cast(operands.left, type), cast(operands.right, type)];
  const error = left.error ?? right.error;
  if (error) return { value: ZERO[returnTypeOf(operator)], error };
  if (type === "Boolean") return { value: applyLogic(operator, left.value === true, right.value === true) };
  return applyToIntegers(operator, Number(left.value), Number(right.value));
}

function applyLogic(operator: BinaryOperator, left: boolean, right: boolean): boolean {
  if (operator === "AND") return left && right;
  return operator === "OR" ? left || right : left !== right;
}

function applyToIntegers(operator: BinaryOperator, left: number, right: number): Result {
  const compare = COMPARISON[operator];
  if (compare) return { value: compare(left, right) };
  if (right === 0 && (operator === "/" || operator === "%")) return failed(0, "math", `${left} ${operator} 0`);
  return integer(ARITHMETIC[operator]?.(left, right) ?? 0);
}
