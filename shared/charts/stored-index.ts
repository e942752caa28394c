import { deflateSync, inflateSync } from "node:zlib";
import type { ChartEntry } from "./index-file.ts";

/** Above this, what is stored is no index of ours. */
const MAX_JSON_BYTES = 512 * 1024 * 1024;

/** The entries of an index as the `indexes` bucket keeps them, so that every version of every chart still resolves. */
export function encodeEntries(entries: readonly ChartEntry[]): Uint8Array {
  return deflateSync(JSON.stringify(entries), { level: 1 });
}

/** Reads what `encodeEntries` wrote. */
export function decodeEntries(bytes: Uint8Array): readonly ChartEntry[] {
  return JSON.parse(inflateSync(bytes, { maxOutputLength: MAX_JSON_BYTES }).toString("utf8"));
}
