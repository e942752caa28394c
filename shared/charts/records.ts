/** Whether data from outside is a mapping with text keys, and no list. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value under a key from outside: "constructor" does not find what every object inherits. */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** A single value from outside as text, "" for anything that is no text, number or boolean. */
export function scalarText(value: unknown): string {
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : "";
}

/** A JSON object in UTF-8 from outside; `undefined` for anything else. */
export function parseJsonMapping(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isMapping(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
