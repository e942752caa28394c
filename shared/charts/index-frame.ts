import { parseYaml } from "../adapters/yaml.ts";
import { messageOf } from "../errors.ts";
import { UnusualShape } from "./index-scan.ts";
import { readPlainMapping } from "./plain-yaml.ts";
import { isMapping } from "./records.ts";

const MAX_VALUES = 10_000;

/** Reads what an index says beside its entries; throws `UnusualShape` where that cannot be read alone. */
export function readFrame(text: string): Readonly<Record<string, unknown>> {
  const frame = readPlainMapping(text) ?? parse(text) ?? {};
  if (!isMapping(frame)) throw new UnusualShape("what stands before its entries is no mapping");
  return frame;
}

function parse(text: string): unknown {
  try {
    return parseYaml(text, { maxValues: MAX_VALUES });
  } catch (error) {
    throw new UnusualShape(`what stands beside its entries cannot be read alone: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
