const SUFFIXES: Readonly<Record<string, readonly [base: bigint, exponent: number]>> = {
  n: [10n, -9],
  u: [10n, -6],
  m: [10n, -3],
  "": [10n, 0],
  k: [10n, 3],
  M: [10n, 6],
  G: [10n, 9],
  T: [10n, 12],
  P: [10n, 15],
  E: [10n, 18],
  Ki: [2n, 10],
  Mi: [2n, 20],
  Gi: [2n, 30],
  Ti: [2n, 40],
  Pi: [2n, 50],
  Ei: [2n, 60],
};
const SHAPE = /^([+-]?)(\d*)(?:\.(\d*))?(?:([eE])([+-]?\d{1,3})|([numkMGTPE]|[KMGTPE]i)?)$/;
const NANO = 9;
const MAX_LENGTH = 64;

/** A Kubernetes quantity ("1.5Gi", "100m") in billionths, rounded up; undefined when the text is none. */
export function parseQuantity(text: string): bigint | undefined {
  const parts = text.length > MAX_LENGTH ? null : SHAPE.exec(text);
  if (parts === null) return undefined;
  const [, sign = "", whole = "", fraction = "", , exponent, suffix = ""] = parts;
  if (whole === "" && fraction === "") return undefined;
  const [base, power] = exponent === undefined ? (SUFFIXES[suffix] ?? [10n, 0]) : ([10n, Number(exponent)] as const);
  const digits = BigInt(whole + fraction) * (base === 2n ? 2n ** BigInt(power) : 1n);
  const shift = NANO - fraction.length + (base === 10n ? power : 0);
  const value = shift >= 0 ? digits * 10n ** BigInt(shift) : roundedUp(digits, 10n ** BigInt(-shift));
  return sign === "-" ? -value : value;
}

function roundedUp(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor;
}

/** One of whatever a quantity counts, in billionths. */
export const ONE = 10n ** BigInt(NANO);
