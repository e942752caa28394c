import type { LikePattern } from "./like-pattern.ts";
import type { Value } from "./value.ts";

/** Operators between two operands. */
export type BinaryOperator = "AND" | "OR" | "XOR" | "=" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "%";

/** A parsed expression; attribute names are in lower case, function names in upper case. */
export type Expression =
  | { readonly kind: "literal"; readonly value: Value }
  | { readonly kind: "attribute"; readonly name: string }
  | { readonly kind: "exists"; readonly name: string }
  | { readonly kind: "not" | "negate"; readonly operand: Expression }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "like"; readonly operand: Expression; readonly pattern: LikePattern }
  | { readonly kind: "in"; readonly operand: Expression; readonly set: readonly Expression[] }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Expression[] };
