import { isDeepStrictEqual } from "node:util";

/** Whether two JSON values are the same, whatever the order of their keys; keys that are undefined count as absent. */
export function sameJson(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(plain(a), plain(b));
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
