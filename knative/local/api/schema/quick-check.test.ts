import { expect, test } from "vitest";
import { deployment } from "../../../../test/contracts/kubernetes/fixture.ts";
import { applyDefaults, prune } from "./defaults.ts";
import { type Json, objectOf } from "./json.ts";
import { builtinKinds, type KindInfo, kindsOfCrd } from "./kinds.ts";
import { surelyValid } from "./quick-check.ts";
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
  const sure = objects.filter((object) => surelyValid(schema, object));
  for (const object of sure) expect(valueErrors(schema, object, { path: "", lenient: false, depth: 0 })).toEqual([]);
});

test("is sure of an ordinary workload, and of one with a wrong type not any more", () => {
  const kind = builtinKinds().find((one) => one.kind === "Deployment" && one.storage);
  if (kind === undefined) throw new Error("no Deployments");
  const object = applyDefaults(kind, deployment("web"));
  expect(surelyValid(schemaOf(kind), object)).toBe(true);
  const spec = { ...objectOf(objectOf(object)["spec"]), replicas: "two" };
  expect(surelyValid(schemaOf(kind), { ...objectOf(object), spec })).toBe(false);
});
