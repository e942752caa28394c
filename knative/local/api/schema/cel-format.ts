const VERB = /%%|%(?:\.(\d+))?([sdfexXob])/g;

/** CEL's format(): %s %d %f %e %x %X %o %b %%, with a precision for %f and %e. */
export function formatText(text: string, values: readonly unknown[]): string {
  let next = 0;
  return text.replaceAll(VERB, (whole, precision: string | undefined, verb: string | undefined) => {
    if (whole === "%%" || verb === undefined) return "%";
    if (next >= values.length) throw new Error(`index ${next} out of range`);
    const value = values[next];
    next += 1;
    return verb === "s" ? shownValue(value) : shownNumber(value, verb, precision);
  });
}

function shownNumber(value: unknown, verb: string, precision: string | undefined): string {
  const digits = precision === undefined ? 6 : Number(precision);
  if (verb === "f") return Number(value).toFixed(digits);
  if (verb === "e")
    return Number(value)
      .toExponential(digits)
      .replace(/e([+-])(\d)$/, "e$10$2");
  if (typeof value === "string" && verb.toLowerCase() === "x") return cased(Buffer.from(value).toString("hex"), verb);
  if (typeof value !== "bigint" && typeof value !== "boolean") throw new Error(`wrong type for %${verb}`);
  const radix = { d: 10, b: 2, o: 8 }[verb] ?? 16;
  return cased(BigInt(value).toString(radix), verb);
}

function cased(text: string, verb: string): string {
  return verb === "X" ? text.toUpperCase() : text;
}

function shownValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `[${value.map(quoted).join(", ")}]`;
  if (value instanceof Date) return value.toISOString().replace(".000Z", "Z");
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8");
  if (typeof value !== "object") return String(value);
  if (Object.getPrototypeOf(value) !== Object.prototype && !(value instanceof Map)) return String(value);
  const entries = value instanceof Map ? [...value.entries()] : Object.entries(value);
  const shown = entries.map(([key, member]) => `${quoted(key)}: ${quoted(member)}`).sort();
  return `{${shown.join(", ")}}`;
}

function quoted(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : shownValue(value);
}
