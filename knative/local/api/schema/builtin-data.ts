import { readFileSync } from "node:fs";
import { at, type JsonObject, textOf } from "./json.ts";
import type { Schema } from "./schema.ts";

function linesOf(name: string): readonly string[] {
  return readFileSync(new URL(`./data/${name}`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

const QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity";
/** What the API server's decoder takes as a quantity; the published schema does not say it. */
const QUANTITY_PATTERN = "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$";
const NAME = /^\{"name":"([^"]+)"/;
let lines: Map<string, string> | undefined;
const parsed = new Map<string, Schema>();

function definitionLines(): Map<string, string> {
  lines ??= new Map(linesOf("definitions.ndjson").map((line) => [NAME.exec(line)?.[1] ?? "", line]));
  return lines;
}

/** The schema of a built-in definition by its full name (io.k8s.api.core.v1.Pod); parsed on first use, then shared. */
export function builtinDefinition(name: string): Schema | undefined {
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const line = definitionLines().get(name);
  if (line === undefined) return undefined;
  const { schema } = JSON.parse(line) as { readonly schema: Schema };
  const made = name === QUANTITY ? { ...schema, pattern: QUANTITY_PATTERN } : schema;
  parsed.set(name, made);
  return made;
}

/** The names of all built-in definitions. */
function builtinDefinitionNames(): readonly string[] {
  return [...definitionLines().keys()];
}

/** The resources that discovery lists for the built-in groups, as the data file has them. */
export function builtinResources(): readonly JsonObject[] {
  return linesOf("resources.ndjson").map((line) => JSON.parse(line) as JsonObject);
}

let byKind: Map<string, string> | undefined;

/** The name of the definition that describes a group, version and kind, undefined when there is none. */
export function builtinDefinitionName(group: string, version: string, kind: string): string | undefined {
  byKind ??= indexKinds();
  return byKind.get(`${group}/${version}/${kind}`);
}

function indexKinds(): Map<string, string> {
  const index = new Map<string, string>();
  for (const name of builtinDefinitionNames()) {
    const kinds = (builtinDefinition(name) as JsonObject | undefined)?.["x-kubernetes-group-version-kind"];
    if (!Array.isArray(kinds) || kinds.length !== 1) continue;
    const [only] = kinds;
    index.set(`${textOf(at(only, "group"))}/${textOf(at(only, "version"))}/${textOf(at(only, "kind"))}`, name);
  }
  return index;
}
