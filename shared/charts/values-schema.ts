import type { SchemaDraft } from "../adapters/json-schema.ts";
import { excerpt } from "./excerpt.ts";
import { type Finding, findingIf } from "./finding.ts";
import type { PackageCheck } from "./package.ts";

type Accepted = Extract<PackageCheck, { ok: true }>;

/** Schemas above this are not compiled: the largest of public charts have a quarter of it. */
const MAX_SCHEMA_CHARACTERS = 1024 * 1024;

const SCHEMA_FILE = "values.schema.json";

/** Drafts by what `$schema` says; without a word Helm takes the newest. */
const DRAFTS: readonly (readonly [RegExp, SchemaDraft])[] = [
  [/^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/, "draft-07"],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, "2019-09"],
  [/^https?:\/\/json-schema\.org\/(?:draft\/2020-12\/)?schema#?$/, "2020-12"],
];

/**
 * Whether `values.schema.json` is JSON Schema and the default values satisfy it, as `helm lint` has it. References to
 * other servers are not followed, and formats count only where the draft makes them rules.
 */
export async function lintValuesSchema({ schema, values, files }: Accepted): Promise<readonly Finding[]> {
  if (schema === undefined) return [];
  const size = files.find(({ path }) => path === SCHEMA_FILE)?.bytes ?? 0;
  const draft = draftOf(schema);
  if (size > MAX_SCHEMA_CHARACTERS)
    return notChecked(`it has ${size} bytes, at most ${MAX_SCHEMA_CHARACTERS} are read`);
  if (draft === undefined) return notChecked("its $schema names a draft that is not known here");
  const { checkBySchema } = await import("../adapters/json-schema.ts");
  const verdict = checkBySchema(schema, values ?? {}, draft);
  if (verdict.ok) return [];
  const why = excerpt(verdict.message);
  switch (verdict.fault) {
    case "reference":
      return notChecked(`it refers to ${why}, which is not fetched`);
    case "limit":
      return notChecked(why);
    case "schema":
      return findingIf(true, "error", SCHEMA_FILE, `it is no JSON Schema: ${why}`);
    case "value":
      return findingIf(true, "error", "values.yaml", `the default values break ${SCHEMA_FILE}: ${why}`);
  }
}

function notChecked(why: string): readonly Finding[] {
  return findingIf(true, "warning", SCHEMA_FILE, `values were not checked by it: ${why}`);
}

function draftOf(schema: Readonly<Record<string, unknown>> | boolean): SchemaDraft | undefined {
  const name = typeof schema === "boolean" ? undefined : schema["$schema"];
  if (name === undefined) return "2020-12";
  return DRAFTS.find(([pattern]) => pattern.test(String(name)))?.[1];
}
