import { isIP, isIPv4 } from "node:net";
import { Environment } from "@marcbachmann/cel-js";
import { formatText } from "./cel-format.ts";
import { compilePattern } from "./patterns.ts";
import { ONE, parseQuantity } from "./quantity.ts";

/** A quantity as CEL rules hold it, in billionths. */
class Quantity {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

/** A parsed URL as CEL rules hold it. */
class CelUrl {
  readonly url: URL;
  readonly text: string;
  constructor(url: URL, text: string) {
    this.url = url;
    this.text = text;
  }
}

/** An IP address as CEL rules hold it. */
class CelIp {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

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
    .registerFunction("string.format(list): string", formatText);
}

function replaceSome(text: string, from: string, to: string, limit: bigint): string {
  if (limit < 0n) return text.replaceAll(from, () => to);
  let left = limit;
  return text.replaceAll(from, (found) => (left-- > 0n ? to : found));
}

function findAll(text: string, pattern: string, limit: bigint): readonly string[] {
  const expression = compilePattern(pattern);
  if (expression === undefined) throw new Error(`error parsing regexp: ${pattern}`);
  const found = [...text.matchAll(new RegExp(expression.source, `${expression.flags}g`))].map(([match]) => match);
  return limit < 0n ? found : found.slice(0, Number(limit));
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

function quantity(text: string): Quantity {
  const value = parseQuantity(text);
  if (value === undefined)
    throw new Error("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  return new Quantity(value);
}

function addQuantities(environment: Environment): void {
  const compare = (left: Quantity, right: Quantity): bigint => BigInt(ordered(left.value, right.value));
  environment
    .registerType("kubernetes.Quantity", Quantity)
    .registerFunction("quantity(string): kubernetes.Quantity", quantity)
    .registerFunction("isQuantity(string): bool", (text: string) => parseQuantity(text) !== undefined)
    .registerFunction("kubernetes.Quantity.compareTo(kubernetes.Quantity): int", compare)
    .registerFunction(
      "kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool",
      (left: Quantity, right: Quantity) => left.value > right.value,
    )
    .registerFunction(
      "kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool",
      (left: Quantity, right: Quantity) => left.value < right.value,
    )
    .registerFunction("kubernetes.Quantity.sign(): int", ({ value }: Quantity) => BigInt(ordered(value, 0n)))
    .registerFunction("kubernetes.Quantity.isInteger(): bool", ({ value }: Quantity) => value % ONE === 0n)
    .registerFunction("kubernetes.Quantity.asInteger(): int", ({ value }: Quantity) => value / ONE)
    .registerFunction(
      "kubernetes.Quantity.asApproximateFloat(): double",
      ({ value }: Quantity) => Number(value) / Number(ONE),
    )
    .registerFunction(
      "kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity",
      (left: Quantity, right: Quantity) => new Quantity(left.value + right.value),
    )
    .registerFunction(
      "kubernetes.Quantity.add(int): kubernetes.Quantity",
      (left: Quantity, right: bigint) => new Quantity(left.value + right * ONE),
    )
    .registerFunction(
      "kubernetes.Quantity.sub(kubernetes.Quantity): kubernetes.Quantity",
      (left: Quantity, right: Quantity) => new Quantity(left.value - right.value),
    )
    .registerFunction(
      "kubernetes.Quantity.sub(int): kubernetes.Quantity",
      (left: Quantity, right: bigint) => new Quantity(left.value - right * ONE),
    );
}

/** URLs are absolute, or paths that begin with a slash. */
function parseUrl(text: string): CelUrl | undefined {
  const absolute = text.startsWith("/") ? `none://none${text}` : text;
  const shaped = text.startsWith("/") || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(text);
  return shaped && !/\s/.test(text) && URL.canParse(absolute) ? new CelUrl(new URL(absolute), text) : undefined;
}

function url(text: string): CelUrl {
  const parsed = parseUrl(text);
  if (parsed === undefined)
    throw new Error(
      `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
    );
  return parsed;
}

function relative({ text }: CelUrl): boolean {
  return text.startsWith("/");
}

function queryOf({ url: { searchParams } }: CelUrl): Map<string, readonly string[]> {
  return new Map([...new Set(searchParams.keys())].map((key) => [key, searchParams.getAll(key)]));
}

function addUrls(environment: Environment): void {
  environment
    .registerType("kubernetes.URL", CelUrl)
    .registerFunction("url(string): kubernetes.URL", url)
    .registerFunction("isURL(string): bool", (text: string) => parseUrl(text) !== undefined)
    .registerFunction("kubernetes.URL.getScheme(): string", (one: CelUrl) =>
      relative(one) ? "" : one.url.protocol.slice(0, -1),
    )
    .registerFunction("kubernetes.URL.getHost(): string", (one: CelUrl) => (relative(one) ? "" : one.url.host))
    .registerFunction("kubernetes.URL.getHostname(): string", (one: CelUrl) =>
      relative(one) ? "" : one.url.hostname.replaceAll(/[[\]]/g, ""),
    )
    .registerFunction("kubernetes.URL.getPort(): string", (one: CelUrl) => one.url.port)
    .registerFunction("kubernetes.URL.getEscapedPath(): string", (one: CelUrl) =>
      /^[^:]+:\/\/[^/?#]+$/.test(one.text) ? "" : one.url.pathname,
    )
    .registerFunction("kubernetes.URL.getQuery(): map", queryOf);
}

function ip(text: string): CelIp {
  if (isIP(text) === 0) throw new Error(`IP Address ${JSON.stringify(text)} parse error during conversion from string`);
  return new CelIp(text);
}

function isCidr(text: string): boolean {
  const [address = "", bits = "", ...rest] = text.split("/");
  return (
    rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128) && isIP(address) !== 0
  );
}

function addAddresses(environment: Environment): void {
  environment
    .registerType("net.IP", CelIp)
    .registerFunction("ip(string): net.IP", ip)
    .registerFunction("isIP(string): bool", (text: string) => isIP(text) !== 0)
    .registerFunction("isCIDR(string): bool", isCidr)
    .registerFunction("net.IP.family(): int", ({ text }: CelIp) => BigInt(isIP(text)))
    .registerFunction("net.IP.isLoopback(): bool", ({ text }: CelIp) => text.startsWith("127.") || text === "::1")
    .registerFunction("net.IP.isUnspecified(): bool", ({ text }: CelIp) => text === "0.0.0.0" || text === "::");
}
