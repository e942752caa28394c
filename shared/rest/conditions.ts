/** What a v1 list is narrowed to: key → value, exactly as written. */
export type Conditions = ReadonlyMap<string, string>;

const BAD_KEY = /[\s(){}[\]]/;

/**
 * Reads `conditions`: terms `key=value` separated by commas; `key~value` (fuzzy) is read and has no effect, a term
 * without operator is a key with an empty value. `undefined` for a key with white space or brackets, which is answered
 * with `invalid conditions` (KubeSphere §6.3).
 */
export function conditionsOf(query: URLSearchParams): Conditions | undefined {
  const conditions = new Map<string, string>();
  for (const term of (query.get("conditions") ?? "").split(",").filter((each) => each !== "")) {
    const [, key = "", operator, value = ""] = /^([^=~]*)([=~])?(.*)$/s.exec(term) ?? [];
    if (BAD_KEY.test(key)) return undefined;
    if (operator !== "~") conditions.set(key, value);
  }
  return conditions;
}

/** Long lists of alternatives are taken apart once, not for every object. */
const taken = new WeakMap<Conditions, Map<string, ReadonlySet<string> | undefined>>();

/** The alternatives of a condition that may name several with `|`; `undefined` where it is not set. */
export function alternativesOf(conditions: Conditions, key: string): ReadonlySet<string> | undefined {
  const known = taken.get(conditions) ?? new Map<string, ReadonlySet<string> | undefined>();
  taken.set(conditions, known);
  const value = conditions.get(key);
  if (!known.has(key)) known.set(key, value ? new Set(value.split("|")) : undefined);
  return known.get(key);
}

/** Whether a text is among the alternatives of a condition, or the condition is not set. */
export function meets(conditions: Conditions, key: string, text: string): boolean {
  return alternativesOf(conditions, key)?.has(text) ?? true;
}

/** Whether one of the texts holds the keyword, whatever the case; without a keyword all do. */
export function hasKeyword(conditions: Conditions, ...texts: readonly (string | undefined)[]): boolean {
  const keyword = conditions.get("keyword")?.toLowerCase() ?? "";
  return keyword === "" || texts.some((text) => text?.toLowerCase().includes(keyword));
}
