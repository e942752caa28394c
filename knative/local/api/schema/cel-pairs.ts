import type { ASTNode, Environment } from "@marcbachmann/cel-js";

interface CheckContext {
  forkWithVariable(name: string, type: unknown): CheckContext;
  reuse(context: unknown): CheckContext;
  setIterValue(value: unknown, evaluator: Evaluator): CheckContext;
}

interface Checker {
  check(node: unknown, context: unknown): unknown;
  getType(name: string): unknown;
  createError(code: string, message: string, node: unknown): Error;
}

interface Evaluator {
  run(node: unknown, context: unknown): unknown;
}

interface Called {
  readonly args: readonly ASTNode[];
  readonly receiver: ASTNode;
}

interface Macro extends Called {
  /** The contexts in which the first, and then the second variable is known. */
  outer?: CheckContext;
  inner?: CheckContext;
}

type Pair = readonly [key: unknown, value: unknown];

/** What is asked of the pairs; `run` evaluates one of the expressions after the two variables for a pair. */
type Over = (pairs: readonly Pair[], run: (expression: number, pair: Pair) => unknown) => unknown;

const filtered =
  (hasFilter: boolean, finish: (pairs: readonly Pair[]) => unknown): Over =>
  (pairs, run) => {
    const kept = hasFilter ? pairs.filter((pair) => run(0, pair) === true) : pairs;
    return finish(kept.map((pair) => [pair[0], run(hasFilter ? 1 : 0, pair)] as const));
  };

const listOf = (pairs: readonly Pair[]): unknown => pairs.map(([, value]) => value);
const mergedOf = (pairs: readonly Pair[]): unknown => mapOf(pairs.flatMap(([, entry]) => pairsOf(entry)));

// The library's own maps are objects wherever their keys are texts.
function mapOf(pairs: readonly Pair[]): unknown {
  return pairs.every(([key]) => typeof key === "string")
    ? Object.fromEntries(pairs as [string, unknown][])
    : new Map(pairs);
}

const macros: readonly {
  readonly name: string;
  readonly result: string;
  readonly expressions: number;
  readonly over: Over;
}[] = [
  { name: "all", result: "bool", expressions: 1, over: (pairs, run) => pairs.every((pair) => run(0, pair) === true) },
  { name: "exists", result: "bool", expressions: 1, over: (pairs, run) => pairs.some((pair) => run(0, pair) === true) },
  {
    name: "existsOne",
    result: "bool",
    expressions: 1,
    over: (pairs, run) => pairs.filter((pair) => run(0, pair) === true).length === 1,
  },
  { name: "transformList", result: "list<dyn>", expressions: 1, over: filtered(false, listOf) },
  { name: "transformList", result: "list<dyn>", expressions: 2, over: filtered(true, listOf) },
  { name: "transformMap", result: "map<dyn, dyn>", expressions: 1, over: filtered(false, mapOf) },
  { name: "transformMap", result: "map<dyn, dyn>", expressions: 2, over: filtered(true, mapOf) },
  { name: "transformMapEntry", result: "map<dyn, dyn>", expressions: 1, over: filtered(false, mergedOf) },
  { name: "transformMapEntry", result: "map<dyn, dyn>", expressions: 2, over: filtered(true, mergedOf) },
];

/** The comprehensions of two variables (cel-go's TwoVarComprehensions): index and item of lists, key and value of maps. */
export function addPairs(environment: Environment): void {
  for (const { name, result, expressions, over } of macros) {
    const args = Array.from({ length: expressions + 2 }, () => "ast").join(", ");
    for (const receiver of ["list", "map"]) {
      environment.registerFunction(`${receiver}.${name}(${args}): ${result}`, macroOf(result, over));
    }
  }
}

function macroOf(result: string, over: Over): (called: Called) => object {
  return ({ args, receiver }) => ({
    args,
    receiver,
    async: false,
    typeCheck(checker: Checker, macro: Macro, context: CheckContext): unknown {
      checker.check(macro.receiver, context);
      macro.outer = context.forkWithVariable(variable(checker, args[0]), checker.getType("dyn"));
      macro.inner = macro.outer.forkWithVariable(variable(checker, args[1]), checker.getType("dyn"));
      for (const expression of args.slice(2)) checker.check(expression, macro.inner);
      return checker.getType(result);
    },
    evaluate(evaluator: Evaluator, macro: Macro, context: unknown): unknown {
      const run = (expression: number, [key, value]: Pair): unknown => {
        const outer = macro.outer?.reuse(context).setIterValue(key, evaluator);
        return evaluator.run(args[expression + 2], macro.inner?.reuse(outer).setIterValue(value, evaluator));
      };
      return over(pairsOf(evaluator.run(macro.receiver, context)), run);
    },
  });
}

function variable(checker: Checker, node: ASTNode | undefined): string {
  if (node?.op === "id") return String(node.args);
  throw checker.createError("invalid_macro_argument", "argument must be a simple name", node);
}

function pairsOf(value: unknown): readonly Pair[] {
  if (Array.isArray(value)) return value.map((item, index) => [BigInt(index), item] as const);
  if (value instanceof Map) return [...value];
  return Object.entries(value ?? {});
}
