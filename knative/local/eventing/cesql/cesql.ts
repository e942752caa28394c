import { type Attributes, evaluate } from "./evaluate.ts";
import { parse } from "./parse.ts";
import { CesqlSyntaxError } from "./tokens.ts";
import { type CesqlError, cast, type Result } from "./value.ts";

/** A compiled expression: it never throws, and an attribute that an event lacks is an error value. */
export type Evaluator = (attributes: Attributes) => Result;

/** What compiling an expression came to. */
export type Compiled =
  | { readonly ok: true; readonly evaluate: Evaluator }
  | { readonly ok: false; readonly error: CesqlError };

/** Compiles an expression of CloudEvents SQL v1; never throws. */
export function compileCesql(text: string): Compiled {
  try {
    const expression = parse(text);
    return { ok: true, evaluate: (attributes) => evaluate(expression, attributes) };
  } catch (error) {
    if (!(error instanceof CesqlSyntaxError)) throw error;
    return { ok: false, error: { kind: "parse", message: error.message } };
  }
}

/** Whether the result lets an event pass a filter: true without an error, other types cast to Boolean. */
export function isTruthy({ value, error }: Result): boolean {
  return error === undefined && cast(value, "Boolean").value === true;
}
