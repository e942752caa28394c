import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { applyDefaults, prune } from "../../knative/local/api/schema/defaults.ts";
import { at, type Json, type JsonObject, objectOf, textOf } from "../../knative/local/api/schema/json.ts";
import { type KindInfo, kindsOfCrd } from "../../knative/local/api/schema/kinds.ts";
import { openApiV2, openApiV3 } from "../../knative/local/api/schema/openapi.ts";
import { validateCrd, validateObject } from "../../knative/local/api/schema/validate.ts";
import { parseYamlDocuments } from "../../shared/adapters/yaml.ts";
import { haveRealData } from "./real-data.ts";

/** Other projects' definitions, beside the checkout: ../shared/data/crds seen from the repository's root. */
const ROOT = fileURLToPath(new URL("../../../shared/data/crds", import.meta.url));
/** What Kubernetes 1.34 answers to an object of each definition: one case per line, recorded from its own validation code. */
const SAMPLES = new URL("./crds.samples.ndjson", import.meta.url);

function definitions(): readonly (readonly [file: string, crd: JsonObject])[] {
  if (!haveRealData) return [];
  const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".yaml"));
  return files.sort().flatMap((file) => {
    const documents = parseYamlDocuments(readFileSync(join(ROOT, file), "utf8")) as readonly Json[];
    const found = documents.map(objectOf).filter((document) => document["kind"] === "CustomResourceDefinition");
    return found.map((crd) => [file, crd] as const);
  });
}

const samples = readFileSync(SAMPLES, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as JsonObject);

function kindOf(crd: JsonObject, object: JsonObject): KindInfo {
  const [, version] = textOf(object["apiVersion"]).split("/");
  const kind = kindsOfCrd(crd).find((one) => one.version === version);
  if (kind === undefined) throw new Error(`${textOf(at(crd, "metadata", "name"))} does not serve ${version}`);
  return kind;
}

describe.skipIf(!haveRealData)("real definitions", () => {
  const all = definitions();
  const byFile = new Map(all);

  test("all 40 of them are there, each with samples", () => {
    expect(all).toHaveLength(40);
    const sampled = new Set(samples.map((sample) => textOf(sample["definition"])));
    expect([...sampled].sort()).toEqual(all.map(([file]) => file).sort());
  });

  test.each(all)("%s is accepted", (_file, crd) => {
    expect(validateCrd(crd)).toEqual([]);
  });

  test("all stand in one OpenAPI document and in that of their group", () => {
    const kinds = all.flatMap(([, crd]) => kindsOfCrd(crd));
    const text = JSON.stringify(openApiV2(kinds));
    for (const kind of kinds) {
      expect(text).toContain(`"kind":"${kind.kind}"`);
      expect(JSON.stringify(openApiV3(kinds, kind.group, kind.version))).toContain(`"kind":"${kind.kind}"`);
    }
  });

  test.each(samples.map((sample, index) => [textOf(sample["definition"]), index, sample] as const))(
    "%s: sample %i is answered as Kubernetes answers",
    (file, _index, sample) => {
      const object = objectOf(sample["object"]);
      const kind = kindOf(byFile.get(file) ?? {}, object);
      const pruned = prune(kind, object);
      const stored = applyDefaults(kind, pruned.object);
      const errors = validateObject(kind, stored).map((error) => `${error.field}: ${error.message}`);
      expect([...new Set(errors)].sort()).toEqual(at(sample, "want", "errors"));
      expect(stored).toEqual(at(sample, "want", "object"));
      expect(pruned.unknown).toEqual(at(sample, "want", "unknown"));
    },
  );
});
