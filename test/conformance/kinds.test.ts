import { describe, expect, test } from "vitest";
import * as z from "zod";
import { KINDS } from "../../knative/generate/kinds.ts";
import type { Json } from "../../knative/local/api/schema/json.ts";
import { validateCrd } from "../../knative/local/api/schema/validate.ts";
import { toCrd, toStructural } from "../../shared/crd.ts";
import { AnyObject, Timestamp, withDefault } from "../../shared/resource.ts";
import { assertStructural, type JsonSchema } from "../../shared/structural.ts";

const LABEL_PATH = (label: string) => `.metadata.labels.kubesphere\\.io/${label}`;
const READY = '.status.conditions[?(@.type=="Ready")].status';

/** Kind → scope, short name and columns as `kubectl get` shows them (the five old kinds: as KubeSphere 3.4). */
const SHOWN: Record<string, { scope: string; short: string; columns: [string, string][] }> = {
  HelmRepo: {
    scope: "Cluster",
    short: "hrepo",
    columns: [
      ["name", ".spec.name"],
      ["Workspace", LABEL_PATH("workspace")],
      ["url", ".spec.url"],
      ["State", ".status.state"],
    ],
  },
  HelmApplication: {
    scope: "Cluster",
    short: "happ",
    columns: [
      ["application name", ".spec.name"],
      ["workspace", LABEL_PATH("workspace")],
      ["State", ".status.state"],
    ],
  },
  HelmApplicationVersion: {
    scope: "Cluster",
    short: "happver",
    columns: [
      ["application name", ".spec.name"],
      ["State", ".status.state"],
    ],
  },
  HelmPackage: {
    scope: "Cluster",
    short: "hpkg",
    columns: [
      ["Name", ".spec.name"],
      ["Version", ".spec.version"],
      ["Size", ".spec.size"],
      ["Ready", READY],
      ["Lint", '.status.conditions[?(@.type=="Linted")].reason'],
    ],
  },
  HelmRequest: {
    scope: "Cluster",
    short: "hreq",
    columns: [
      ["Release Name", ".spec.name"],
      ["Version", ".spec.appVerId"],
      ["Namespace", ".spec.namespace"],
      ["State", ".status.state"],
    ],
  },
  HelmRelease: {
    scope: "Namespaced",
    short: "hrls",
    columns: [
      ["Release Name", ".spec.name"],
      ["Workspace", LABEL_PATH("workspace")],
      ["Cluster", LABEL_PATH("cluster")],
      ["Namespace", LABEL_PATH("namespace")],
      ["State", ".status.state"],
    ],
  },
  HelmCategory: {
    scope: "Cluster",
    short: "hctg",
    columns: [
      ["name", ".spec.name"],
      ["total", ".status.total"],
    ],
  },
};

test("there are exactly the seven kinds", () => {
  expect(KINDS.map(({ kind }) => kind).sort()).toEqual(Object.keys(SHOWN).sort());
});

describe.each(KINDS.map((kind) => [kind.kind, kind] as const))("%s", (name, kind) => {
  test("is a definition that an API server takes", () => {
    expect(validateCrd(toCrd(kind) as unknown as Json)).toEqual([]);
  });

  test("shows KubeSphere's columns, and its age", () => {
    const shown = SHOWN[name];
    expect(kind.columns.map((column) => [column.name, column.jsonPath])).toEqual([
      ...(shown?.columns ?? []),
      ["Age", ".metadata.creationTimestamp"],
    ]);
    expect([kind.scope, ...kind.shortNames]).toEqual([shown?.scope, shown?.short]);
  });

  test("says what each of its fields means", () => {
    const silent = [...fields("spec", toStructural(kind.spec)), ...fields("status", toStructural(kind.status))]
      .filter(([, field]) => field.description === undefined)
      .map(([path]) => path);
    expect(silent).toEqual([]);
  });
});

describe("schemas become structural", () => {
  const schema = toStructural(
    z.object({
      time: Timestamp,
      iso: z.iso.datetime(),
      count: z.int().max(9).optional(),
      mode: withDefault(z.enum(["a", "b"]), "a").describe("A mode."),
      port: z.union([z.int(), z.string()]).meta({ "x-kubernetes-int-or-string": true }),
      anything: AnyObject,
      map: z.record(z.string(), z.string()),
    }),
  );

  test("without what zod alone understands", () => {
    assertStructural(schema, "x");
    expect(schema.properties).toEqual({
      time: { type: "string", format: "date-time" },
      iso: { type: "string", format: "date-time" },
      count: { type: "integer", maximum: 9 },
      mode: { type: "string", enum: ["a", "b"], default: "a", description: "A mode." },
      port: { "x-kubernetes-int-or-string": true },
      anything: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      map: { type: "object", additionalProperties: { type: "string" } },
    });
    expect(schema.required).toEqual(["time", "iso", "port", "anything", "map"]);
  });

  const shared = z.object({ a: z.string() }).meta({ id: "Shared" });
  test.each<[string, z.ZodType, string]>([
    ["a union", z.object({ a: z.union([z.string(), z.int()]) }), "x.a: keyword anyOf"],
    [
      "a tagged union",
      z.object({ a: z.discriminatedUnion("t", [z.object({ t: z.literal("b") })]) }),
      "x.a: keyword oneOf",
    ],
    [
      "a strict object",
      z.object({ a: z.strictObject({ b: z.string() }) }),
      "x.a: properties and additionalProperties exclude each other",
    ],
    ["a shared schema", z.object({ a: shared, b: shared }), "x: keyword definitions"],
    ["an unknown value", z.object({ a: z.array(z.object({ b: z.unknown() })) }), "x.a[].b: type is undefined"],
    ["base64 text", z.object({ a: z.base64() }), "x.a: keyword contentEncoding"],
    ["a pattern that looks ahead", z.object({ a: z.string().regex(/^(?!no)/) }), "x.a: pattern"],
    ["a tuple", z.object({ a: z.tuple([z.string()]) }), "x.a"],
    [
      "a keyed list with an optional key",
      z.object({
        a: z
          .array(z.object({ k: z.string().optional() }))
          .meta({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] }),
      }),
      "x.a: list map key k has to be required",
    ],
  ])("and %s is refused with its path", (_, bad, message) => {
    expect(() => assertStructural(toStructural(bad), "x")).toThrow(message);
  });
});

function fields(path: string, schema: JsonSchema): [string, JsonSchema][] {
  const inner = schema.type === "array" ? ((schema.items ?? {}) as JsonSchema) : schema;
  const properties = Object.entries((inner.properties ?? {}) as Record<string, JsonSchema>);
  return properties.flatMap(([name, field]) => [
    [`${path}.${name}`, field] as [string, JsonSchema],
    ...fields(`${path}.${name}`, field),
  ]);
}
