import { Environment } from "@marcbachmann/cel-js";
import { formatText } from "./cel-format.ts";
import { addFormats } from "./cel-formats.ts";
import { addAddresses } from "./cel-network.ts";
import { addPairs } from "./cel-pairs.ts";
import { addPresence } from "./cel-presence.ts";
import { addQuantities } from "./cel-quantity.ts";
import { addVersions } from "./cel-semver.ts";
import { addUrls } from "./cel-urls.ts";
import { compilePattern } from "./patterns.ts";

/** The name of the function that stands in for `matches`: the library's own takes JavaScript's expressions. */
export const FOUND = "isFound";

/** What `sets` names in rules: a place for functions, not a value. */
class Sets {}

/** The functions that Kubernetes' rules may call, on top of CEL's own; `self` and `oldSelf` may be anything. */
export function ruleEnvironment(): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: false,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
  });
  addStrings(environment);
  addLists(environment);
  addQuantities(environment);
  addUrls(environment);
  addAddresses(environment);
  addFormats(environment);
  addVersions(environment);
  addPresence(environment);
  addPairs(environment);
  return environment.registerVariable("self", "dyn").registerVariable("oldSelf", "dyn");
}

function addStrings(environment: Environment): void {
  environment
    .registerFunction("string.replace(string, string): string", (text: string, from: string, to: string) =>
      text.replaceAll(from, () => to),
    )
    .registerFunction("string.replace(string, string, int): string", replaceSome)
    .registerFunction("string.charAt(int): string", (text: string, index: bigint) => [...text][Number(index)] ?? "")
    .registerFunction("string.reverse(): string", (text: string) => [...text].reverse().join(""))
    .registerFunction(
      "string.find(string): string",
      (text: string, pattern: string) => findAll(text, pattern, 1n)[0] ?? "",
    )
    .registerFunction("string.findAll(string): list<string>", (text: string, pattern: string) =>
      findAll(text, pattern, -1n),
    )
    .registerFunction("string.findAll(string, int): list<string>", findAll)
    .registerFunction("string.format(list): string", formatText)
    .registerFunction(`string.${FOUND}(string): bool`, isFound)
    .registerFunction(`${FOUND}(string, string): bool`, isFound);
}

function isFound(text: string, pattern: string): boolean {
  return expressionOf(pattern).test(text);
}

function replaceSome(...[text, from, to, limit]: readonly [string, string, string, bigint]): string {
  if (limit < 0n) return text.replaceAll(from, () => to);
  let left = limit;
  return text.replaceAll(from, (found) => (left-- > 0n ? to : found));
}

function findAll(text: string, pattern: string, limit: bigint): readonly string[] {
  const matcher = expressionOf(pattern).matcher(text);
  const found: string[] = [];
  while ((limit < 0n || found.length < limit) && matcher.find()) found.push(matcher.group() ?? "");
  return found;
}

function expressionOf(pattern: string): NonNullable<ReturnType<typeof compilePattern>> {
  const expression = compilePattern(pattern);
  if (expression === undefined) throw new Error(`error parsing regexp: ${pattern}`);
  return expression;
}

type Comparable = bigint | number | string | boolean;

function ordered(left: Comparable, right: Comparable): number {
  return left < right ? -1 : Number(left > right);
}

function extreme(sign: number): (list: readonly Comparable[]) => Comparable {
  return (list) => {
    if (list.length === 0) throw new Error(`${sign < 0 ? "min" : "max"} called on empty list`);
    return list.reduce((best, item) => (ordered(item, best) * sign > 0 ? item : best));
  };
}

function total(list: readonly (bigint | number)[]): bigint | number {
  return list.reduce(
    (sum, item) => (typeof sum === "bigint" && typeof item === "bigint" ? sum + item : Number(sum) + Number(item)),
    0n,
  );
}

function same(left: unknown, right: unknown): boolean {
  return asText(left) === asText(right);
}

function asText(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? `${part}` : part));
}

function addLists(environment: Environment): void {
  const has = (list: readonly unknown[], item: unknown): boolean => list.some((one) => same(one, item));
  const contains = (list: readonly unknown[], wanted: readonly unknown[]): boolean =>
    wanted.every((item) => has(list, item));
  environment
    .registerFunction("list.isSorted(): bool", (list: readonly Comparable[]) =>
      list.every((item, at) => at === 0 || ordered(list[at - 1] ?? item, item) <= 0),
    )
    .registerFunction("list.sum(): dyn", total)
    .registerFunction("list.min(): dyn", extreme(-1))
    .registerFunction("list.max(): dyn", extreme(1))
    .registerFunction("list.indexOf(dyn): int", (list: readonly unknown[], item: unknown) =>
      BigInt(list.findIndex((one) => same(one, item))),
    )
    .registerFunction("list.lastIndexOf(dyn): int", (list: readonly unknown[], item: unknown) =>
      BigInt(list.findLastIndex((one) => same(one, item))),
    )
    .registerType("sets", Sets)
    .registerConstant("sets", "sets", new Sets())
    .registerFunction(
      "sets.contains(list, list): bool",
      (_: Sets, left: readonly unknown[], right: readonly unknown[]) => contains(left, right),
    )
    .registerFunction(
      "sets.equivalent(list, list): bool",
      (_: Sets, left: readonly unknown[], right: readonly unknown[]) => contains(left, right) && contains(right, left),
    )
    .registerFunction(
      "sets.intersects(list, list): bool",
      (_: Sets, left: readonly unknown[], right: readonly unknown[]) => left.some((item) => has(right, item)),
    );
}
