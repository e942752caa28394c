import { describe, expect, test } from "vitest";
import { objectOf } from "./json.ts";
import { builtinKinds, kindsOfCrd } from "./kinds.ts";
import { definitionOf } from "./testing/vectors.ts";

describe("built-in kinds", () => {
  const of = (name: string) => builtinKinds().find((kind) => kind.kind === name);

  test("all have a schema, a plural and a singular", () => {
    for (const kind of builtinKinds()) {
      expect(kind.schema, kind.kind).toBeDefined();
      expect(kind.plural, kind.kind).not.toBe("");
      expect(kind.singular, kind.kind).not.toBe("");
    }
    expect(builtinKinds().length).toBeGreaterThan(55);
  });

  test("carry what discovery says", () => {
    expect(of("Deployment")).toMatchObject({
      group: "apps",
      plural: "deployments",
      shortNames: ["deploy"],
      categories: ["all"],
      namespaced: true,
    });
    expect(of("Deployment")?.subresources).toEqual({
      status: true,
      scale: {
        specReplicasPath: ".spec.replicas",
        statusReplicasPath: ".status.replicas",
        labelSelectorPath: ".spec.selector",
      },
    });
    expect(of("TokenReview")?.verbs).toEqual(["create"]);
    expect(of("Namespace")?.namespaced).toBe(false);
    expect(of("CustomResourceDefinition")?.shortNames).toEqual(["crd", "crds"]);
  });

  test("of two versions one is stored", () => {
    const scalers = builtinKinds().filter((kind) => kind.kind === "HorizontalPodAutoscaler");
    expect(scalers.map((kind) => [kind.version, kind.storage])).toEqual([
      ["v2", true],
      ["v1", false],
    ]);
  });
});

describe("kinds of a definition", () => {
  const crd = definitionOf({ type: "object" });
  const spec = objectOf(crd["spec"]);
  const version = (more: object) => ({
    name: "v1",
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: "object" } },
    ...more,
  });
  const kinds = (...versions: readonly object[]) =>
    kindsOfCrd({ ...crd, spec: { ...spec, versions: versions as never } });

  test("names that are left out are derived", () => {
    expect(kinds(version({}))[0]).toMatchObject({
      singular: "thing",
      listKind: "ThingList",
      columns: [{ name: "Age" }],
      storage: true,
    });
  });

  test("versions that are not served are left out, deprecated ones warn", () => {
    const found = kinds(
      version({}),
      version({ name: "v2", served: false }),
      version({ name: "v0", storage: false, deprecated: true }),
    );
    expect(found.map((kind) => [kind.version, kind.storage, kind.deprecated])).toEqual([
      ["v1", true, undefined],
      ["v0", false, "example.com/v0 Thing is deprecated"],
    ]);
  });

  test("subresources, columns and selectable fields are taken over", () => {
    const scale = { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" };
    const columns = [{ name: "Size", type: "integer", jsonPath: ".spec.size", priority: 1 }];
    const more = {
      subresources: { status: {}, scale },
      additionalPrinterColumns: columns,
      selectableFields: [{ jsonPath: ".spec.size" }],
    };
    expect(kinds(version(more))[0]).toMatchObject({
      subresources: { status: true, scale },
      columns,
      selectableFields: [".spec.size"],
    });
  });
});
