import type { FilesResult } from "../adapters/tar.ts";

/** Contents that are handed out at once; charts have a few megabytes of text. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The files of a chart package by their paths below its folder, all or those named; hostile archives are refused. */
export async function packageFiles(bytes: Uint8Array, names?: readonly string[]): Promise<FilesResult> {
  const { readFiles } = await import("../adapters/tar.ts");
  return readFiles(bytes, { maxBytes: MAX_BYTES, ...(names ? { names: new Set(names) } : {}) });
}
