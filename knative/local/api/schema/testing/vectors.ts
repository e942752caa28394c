import { readFileSync } from "node:fs";
import type { Json, JsonObject } from "../json.ts";

/** The cases of a file of recorded answers (see vectors/README.md), in the order of its lines. */
export function casesOf(name: string): readonly JsonObject[] {
  const text = readFileSync(new URL(`../vectors/${name}.ndjson`, import.meta.url), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as JsonObject);
}

/** Errors as one text each, sorted, without repetitions: "field: message". */
export function linesOf(errors: readonly { readonly field: string; readonly message: string }[]): readonly string[] {
  return [...new Set(errors.map((error) => `${error.field}: ${error.message}`))].sort();
}

/** A definition of example.com/v1 Thing with this schema for its spec. */
export function definitionOf(spec: Json): JsonObject {
  const schema = {
    openAPIV3Schema: {
      type: "object",
      properties: { spec, status: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}
