import { type ASTNode, type Environment, Optional } from "@marcbachmann/cel-js";

/** The name of the macro that stands in for `has`. */
export const PRESENCE = "isPresent";

interface Checker {
  check(node: unknown, context: unknown): unknown;
  getType(name: string): unknown;
}

interface Evaluator {
  run(node: unknown, context: unknown): unknown;
}

interface Macro {
  readonly args: readonly ASTNode[];
}

/**
 * The library's `has` takes only names joined by dots; rules also ask `has(self.list[0].name)`. This macro takes any field selection:
 * what stands before the last dot is evaluated, and its errors are the rule's errors.
 */
export function addPresence(environment: Environment): Environment {
  return environment.registerFunction(`${PRESENCE}(ast): bool`, ({ args }: Macro) => ({
    args,
    async: false,
    typeCheck(checker: Checker, macro: Macro, context: unknown): unknown {
      const [receiver] = selection(macro);
      checker.check(receiver, context);
      return checker.getType("bool");
    },
    evaluate(evaluator: Evaluator, macro: Macro, context: unknown): boolean {
      const [receiver, field] = selection(macro);
      return hasField(evaluator.run(receiver, context), String(field));
    },
  }));
}

function selection({ args: [node] }: Macro): readonly [receiver: unknown, field: unknown] {
  if (node === undefined || (node.op !== "." && node.op !== ".?")) throw new Error("invalid argument to has() macro");
  const [receiver, field] = node.args as readonly unknown[];
  return [receiver, field];
}

function hasField(value: unknown, field: string): boolean {
  if (value instanceof Optional) return value.hasValue() && hasField(value.value(), field);
  if (value instanceof Map) return value.has(field);
  return typeof value === "object" && value !== null && Object.hasOwn(value, field);
}
