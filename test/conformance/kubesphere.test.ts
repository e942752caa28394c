import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { KINDS } from "../../knative/generate/kinds.ts";
import { applyDefaults, prune } from "../../knative/local/api/schema/defaults.ts";
import type { Json } from "../../knative/local/api/schema/json.ts";
import { validateObject } from "../../knative/local/api/schema/validate.ts";
import { parseYamlDocuments } from "../../shared/adapters/yaml.ts";
import type { CrdObject } from "../../shared/crd.ts";
import { toCrd } from "../../shared/crd.ts";
import type { JsonSchema } from "../../shared/structural.ts";
import { kindInfo } from "./kind-info.ts";
import { KUBESPHERE_OBJECTS } from "./kubesphere-objects.ts";
import { NEW_OBJECTS } from "./new-objects.ts";

const FOLDER = fileURLToPath(new URL("../../../shared/data/crds/kubesphere-3.4/", import.meta.url));
const haveDefinitions = existsSync(FOLDER);
if (!haveDefinitions) console.log(`no KubeSphere 3.4 definitions at ${FOLDER}: they are not compared`);

const SAMPLES = [...KUBESPHERE_OBJECTS, ...NEW_OBJECTS];

test.each(KINDS.map((kind) => [kind.kind, kind] as const))(
  "together the samples fill every field of %s",
  (name, kind) => {
    const samples = SAMPLES.filter((object) => object.kind === name) as unknown as Json[];
    const paths = [...fieldsOf(schemaOf(toCrd(kind))).keys()];
    expect(paths.filter((path) => !samples.some((sample) => has(sample, path)))).toEqual([]);
  },
);

describe.each([...KUBESPHERE_OBJECTS, ...NEW_OBJECTS].map((object) => [object.kind, object] as const))(
  "%s",
  (kind, object) => {
    const json = object as unknown as Json;

    test("keeps every field", () => {
      expect(prune(kindInfo(kind), json).unknown).toEqual([]);
    });

    test("is valid as it is", () => {
      expect(validateObject(kindInfo(kind), applyDefaults(kindInfo(kind), json))).toEqual([]);
    });
  },
);

describe.runIf(haveDefinitions)("KubeSphere 3.4's own definitions", () => {
  const cases = KUBESPHERE_OBJECTS.map((object) => [object.kind, object] as const);

  test.each(cases)("%s: every field is here, of the same type, and no more is required", (kind) => {
    const ours = fieldsOf(schemaOf(toCrd(known(kind))));
    const theirs = fieldsOf(schemaOf(definition(kind)));
    const wrong = [...theirs].filter(([path, type]) => ours.get(path)?.replace("*", "") !== type.replace("*", ""));
    expect(wrong).toEqual([]);
    const stricter = [...theirs].filter(([path, type]) => ours.get(path)?.endsWith("*") && !type.endsWith("*"));
    expect(stricter).toEqual([]);
  });

  test.each(cases)("%s: the sample fills every field", (kind, object) => {
    const theirs = [...fieldsOf(schemaOf(definition(kind))).keys()];
    expect(theirs.filter((path) => !has(object as unknown as Json, path))).toEqual([]);
  });

  test.each(cases)("%s: same names and columns", (kind) => {
    const theirs = definition(kind).spec;
    const ours = toCrd(known(kind)).spec;
    const { categories: _, ...names } = ours.names;
    expect(names).toEqual(theirs.names);
    expect(ours.versions[0]?.additionalPrinterColumns).toEqual(theirs.versions[0]?.additionalPrinterColumns);
  });
});

function known(kind: string) {
  const found = KINDS.find((each) => each.kind === kind);
  if (!found) throw new Error(`${kind} is none of our kinds`);
  return found;
}

function definition(kind: string): CrdObject {
  const path = `${FOLDER}application.kubesphere.io_${known(kind).plural}.yaml`;
  const documents = parseYamlDocuments(readFileSync(path, "utf8")) as (CrdObject | undefined)[];
  const found = documents.find((document) => document?.kind === "CustomResourceDefinition");
  if (!found) throw new Error(`${path} holds no definition`);
  return found;
}

/** The part of a definition's schema that spec and status are. */
function schemaOf(crd: CrdObject): JsonSchema {
  const { spec, status } = (crd.spec.versions[0]?.schema.openAPIV3Schema.properties ?? {}) as Record<
    string,
    JsonSchema
  >;
  return { type: "object", properties: { spec, status } };
}

/** Every field by its path: type and format, with * where it is required. */
function fieldsOf(schema: JsonSchema, path = ""): Map<string, string> {
  const required = new Set((schema.required ?? []) as string[]);
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return new Map(
    properties.flatMap(([name, field]) => {
      const own = `${path}.${name}`;
      const text = `${field.type}${field.format ? `/${field.format}` : ""}${required.has(name) ? "*" : ""}`;
      const inner = field.type === "array" ? ((field.items ?? {}) as JsonSchema) : field;
      return [[own, text] as [string, string], ...fieldsOf(inner, own)];
    }),
  );
}

/** Whether an object, or the first item of a list in it, has a value at a path. */
function has(object: Json, path: string): boolean {
  const value = path
    .split(".")
    .slice(1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key] ?? firstOf(at)?.[key], object);
  return value !== undefined;
}

function firstOf(value: unknown): Record<string, unknown> | undefined {
  return Array.isArray(value) ? value[0] : undefined;
}
