import { expect, test } from "vitest";
import { deployment } from "../../../../test/contracts/kubernetes/fixture.ts";
import { applyDefaults, prune } from "./defaults.ts";
import { type Json, objectOf } from "./json.ts";
import { builtinKinds, type KindInfo, kindsOfCrd } from "./kinds.ts";
import { surelySettled, surelyValid } from "./quick-check.ts";
import { casesOf } from "./testing/vectors.ts";
import { valueErrors } from "./value-checks.ts";

function schemaOf({ schema }: KindInfo): NonNullable<KindInfo["schema"]> {
  if (schema === undefined) throw new Error("no schema");
  return schema;
}

test("is never sure of an object in which a full check finds something", () => {
  const [head, ...cases] = casesOf("validate");
  const [kind] = kindsOfCrd(objectOf(head)["crd"] ?? null);
  if (kind === undefined) throw new Error("the definition serves no version");
  const schema = schemaOf(kind);
  const objects = cases.map((one): Json => applyDefaults(kind, prune(kind, one["object"] ?? null).object));
  const sure = objects.filter((object) => surelyValid(kind, object));
  for (const object of sure) expect(valueErrors(schema, object, { path: "", lenient: false, depth: 0 })).toEqual([]);
});

test("is never sure that nothing is to be pruned or defaulted where something is", () => {
  const [head, ...cases] = casesOf("validate");
  const [kind] = kindsOfCrd(objectOf(head)["crd"] ?? null);
  if (kind === undefined) throw new Error("the definition serves no version");
  const given = cases.map((one): Json => one["object"] ?? null);
  const settled = given.filter((object) => surelySettled(kind, object));
  for (const object of settled) expect(applyDefaults(kind, prune(kind, object).object)).toEqual(object);
});

test("finds that something is missing in, or unknown to, a built-in kind, and that all is there afterwards", () => {
  const kind = builtinKinds().find((one) => one.kind === "Role" && one.storage);
  if (kind === undefined) throw new Error("no Roles");
  const metadata = { name: "a", namespace: "default", managedFields: [{ fieldsV1: { "f:rules": {} } }] };
  const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata, rules: [{ verbs: ["get"] }] };
  expect(surelySettled(kind, role)).toBe(true);
  expect(surelySettled(kind, { ...role, rule: [] })).toBe(false);
  expect(surelySettled(kind, { ...role, metadata: { ...metadata, label: {} } })).toBe(false);
  expect(surelySettled(kind, { ...role, rules: [{ verbs: ["get"], resource: [] }] })).toBe(false);
  expect(surelySettled(kind, { ...role, rules: null })).toBe(false);
});

test("finds that the default of a custom kind is missing, even where it is nothing", () => {
  const count = { type: "integer", default: 0 };
  const schema = { type: "object", properties: { spec: { type: "object", properties: { count } } } };
  const names = { plural: "things", kind: "Thing" };
  const versions = [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }];
  const [kind] = kindsOfCrd({ spec: { group: "example.org", scope: "Namespaced", names, versions } });
  if (kind === undefined) throw new Error("the definition serves no version");
  const thing = { apiVersion: "example.org/v1", kind: "Thing", metadata: { name: "a" } };
  expect(surelySettled(kind, { ...thing, spec: {} })).toBe(false);
  expect(surelySettled(kind, { ...thing, spec: { count: 0 } })).toBe(true);
});

test("is sure of an ordinary workload, and of one with a wrong type not any more", () => {
  const kind = builtinKinds().find((one) => one.kind === "Deployment" && one.storage);
  if (kind === undefined) throw new Error("no Deployments");
  const object = applyDefaults(kind, deployment("web"));
  expect(surelyValid(kind, object)).toBe(true);
  const spec = { ...objectOf(objectOf(object)["spec"]), replicas: "two" };
  expect(surelyValid(kind, { ...objectOf(object), spec })).toBe(false);
});
