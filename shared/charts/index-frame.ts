import { messageOf } from "../errors.ts";
import { IndexError } from "./index-limits.ts";
import { UnusualShape } from "./index-scan.ts";
import { readPlainMapping } from "./plain-yaml.ts";
import { isMapping, own, scalarText } from "./records.ts";

/** What an index says beside its entries. */
export interface IndexFrame {
  readonly apiVersion: string;
  readonly generated?: string;
}

const MAX_VALUES = 10_000;

/** Reads the text of an index without its entries; throws `UnusualShape` where that cannot be read alone. */
export async function readFrameText(text: string): Promise<Readonly<Record<string, unknown>>> {
  const fields = readPlainMapping(text) ?? (await parse(text)) ?? {};
  if (!isMapping(fields)) throw new UnusualShape("what stands before its entries is no mapping");
  return fields;
}

/** What the fields of an index say; throws `IndexError` where it does not say its version. */
export function frameOf(fields: Readonly<Record<string, unknown>>): IndexFrame {
  const apiVersion = scalarText(own(fields, "apiVersion"));
  if (apiVersion === "") throw new IndexError("NoApiVersion", "no API version specified");
  const generated = scalarText(own(fields, "generated"));
  return { apiVersion, ...(generated ? { generated } : {}) };
}

async function parse(text: string): Promise<unknown> {
  // Nearly every index does without the library, and starts faster without it.
  const { parseYaml } = await import("../adapters/yaml.ts");
  try {
    return parseYaml(text, { maxValues: MAX_VALUES });
  } catch (error) {
    throw new UnusualShape(`what stands beside its entries cannot be read alone: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
