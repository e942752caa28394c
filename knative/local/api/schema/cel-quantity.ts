import type { Environment } from "@marcbachmann/cel-js";
import { ONE, parseQuantity } from "./quantity.ts";

/** A quantity as CEL rules hold it, in billionths. */
class Quantity {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

function quantity(text: string): Quantity {
  const value = parseQuantity(text);
  if (value === undefined)
    throw new Error("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  return new Quantity(value);
}

/** quantity() and what rules ask of quantities. */
export function addQuantities(environment: Environment): void {
  const compare = (left: Quantity, right: Quantity): bigint => sign(left.value - right.value);
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
    .registerFunction("kubernetes.Quantity.sign(): int", ({ value }: Quantity) => sign(value))
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

function sign(value: bigint): bigint {
  if (value === 0n) return 0n;
  return value < 0n ? -1n : 1n;
}
