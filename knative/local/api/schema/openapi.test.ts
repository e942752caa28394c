import { describe, expect, test } from "vitest";
import { at, entriesOf, isObject, type Json, type JsonObject, objectOf } from "./json.ts";
import { builtinKinds, kindsOfCrd } from "./kinds.ts";
import { openApiV2, openApiV3 } from "./openapi.ts";
import { definitionOf } from "./testing/vectors.ts";

const things = kindsOfCrd(
  definitionOf({
    type: "object",
    description: "What is wanted.",
    properties: { size: { type: "integer", description: "How big." } },
  }),
);
const kinds = [...builtinKinds(), ...things];

function referencesOf(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => referencesOf(item));
  if (!isObject(value)) return [];
  const own = typeof value["$ref"] === "string" ? [value["$ref"]] : [];
  return [...own, ...entriesOf(value).flatMap(([, member]) => referencesOf(member))];
}

function schemaOf(document: Json, reference: string): JsonObject | undefined {
  const found = at(document, ...reference.slice("#/".length).split("/"));
  return isObject(found) ? found : undefined;
}

describe("OpenAPI documents", () => {
  const v2 = openApiV2(kinds);
  const groups = [...new Map(kinds.map((kind) => [`${kind.group}/${kind.version}`, kind])).values()];
  const v3 = groups.map(
    (kind) => [`${kind.group}/${kind.version}`, openApiV3(kinds, kind.group, kind.version)] as const,
  );

  test("name every kind once", () => {
    const named = entriesOf(objectOf(at(v2, "definitions"))).flatMap(([, schema]) => {
      const [only, ...more] = (at(schema, "x-kubernetes-group-version-kind") ?? []) as readonly JsonObject[];
      return only === undefined || more.length > 0
        ? []
        : [`${String(only["group"])}/${String(only["version"])}/${String(only["kind"])}`];
    });
    for (const kind of kinds)
      expect(named.filter((name) => name === `${kind.group}/${kind.version}/${kind.kind}`)).toHaveLength(1);
  });

  test.each([["v2", v2] as const, ...v3])("%s: every reference leads to a schema", (_name, document) => {
    const lost = new Set(referencesOf(document).filter((reference) => schemaOf(document, reference) === undefined));
    expect([...lost]).toEqual([]);
  });

  test("tell clients that writes can be tried and validated", () => {
    const paths = objectOf(at(v2, "paths"));
    const patch = at(paths["/apis/example.com/v1/namespaces/{namespace}/things/{name}"], "patch");
    expect(JSON.stringify(patch)).toContain('"fieldValidation"');
    expect(at(patch, "x-kubernetes-group-version-kind")).toEqual({
      group: "example.com",
      version: "v1",
      kind: "Thing",
    });
  });

  test("carry a definition's descriptions and the merge keys of built-in lists", () => {
    const document = openApiV3(kinds, "example.com", "v1");
    expect(
      at(
        document,
        "components",
        "schemas",
        "com.example.v1.Thing",
        "properties",
        "spec",
        "properties",
        "size",
        "description",
      ),
    ).toBe("How big.");
    const pods = at(
      openApiV3(kinds, "", "v1"),
      "components",
      "schemas",
      "io.k8s.api.core.v1.PodSpec",
      "properties",
      "containers",
    );
    expect(pods).toMatchObject({ "x-kubernetes-patch-merge-key": "name", "x-kubernetes-list-map-keys": ["name"] });
  });

  test("explain built-in fields in Kubernetes' own words, but only in v3", () => {
    const path = ["io.k8s.api.apps.v1.DeploymentSpec", "properties", "replicas", "description"] as const;
    expect(at(openApiV3(kinds, "apps", "v1"), "components", "schemas", ...path)).toContain("Number of desired pods");
    expect(at(v2, "definitions", ...path)).toBeUndefined();
  });
});
