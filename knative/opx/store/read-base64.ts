import { readFile, stat } from "node:fs/promises";
import { messageOf } from "../../../shared/errors.ts";
import { UsageError } from "../command.ts";
import { bytes } from "../text.ts";

/** A file in base64, as the API takes bytes. Throws `UsageError` for what cannot be read or is too large. */
export async function readBase64(file: string, maxBytes: number): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size <= maxBytes) return (await readFile(file)).toString("base64");
    throw new Error(`${bytes(size)} are too many; the store takes at most ${bytes(maxBytes)}`);
  } catch (error) {
    throw new UsageError(`${file}: ${messageOf(error)}`);
  }
}
