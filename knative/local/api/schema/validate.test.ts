import { describe, expect, test } from "vitest";
import { applyDefaults, prune } from "./defaults.ts";
import { at, type Json, listOf, objectOf, textOf } from "./json.ts";
import { builtinKinds, type KindInfo, kindsOfCrd } from "./kinds.ts";
import { casesOf, definitionOf, linesOf } from "./testing/vectors.ts";
import { validateCrd, validateObject } from "./validate.ts";

function kindOf(crd: Json): KindInfo {
  const [kind] = kindsOfCrd(crd);
  if (kind === undefined) throw new Error("the definition serves no version");
  return kind;
}

function builtin(name: string): KindInfo {
  const kind = builtinKinds().find((one) => one.kind === name && one.storage);
  if (kind === undefined) throw new Error(`no built-in kind ${name}`);
  return kind;
}

describe("objects of a definition, as Kubernetes answers", () => {
  const [head, ...cases] = casesOf("validate");
  const kind = kindOf(objectOf(head)["crd"] ?? null);
  const read = (object: Json): Json => applyDefaults(kind, prune(kind, object).object);

  test.each(cases.map((one, index) => [index, one] as const))("case %i", (_index, one) => {
    const object = one["object"] ?? null;
    const stored = read(object);
    const old = one["old"] === undefined ? undefined : read(one["old"]);
    const errors = validateObject(kind, stored, old).map((error) => ({
      ...error,
      message: `${error.message} [${error.reason}]`,
    }));
    expect(linesOf(errors)).toEqual(at(one, "want", "errors"));
    expect(stored).toEqual(at(one, "want", "object"));
    expect(prune(kind, object).unknown).toEqual(at(one, "want", "unknown"));
  });
});

describe("definitions, as Kubernetes answers", () => {
  test.each(casesOf("definitions").map((one) => [textOf(one["name"]), one] as const))("%s", (_name, one) => {
    expect(linesOf(validateCrd(one["crd"] ?? null))).toEqual(one["want"]);
  });
});

describe("rules, as Kubernetes answers", () => {
  const [head, ...cases] = casesOf("rules");
  const properties = objectOf(head)["properties"] ?? null;
  const spec = objectOf(objectOf(head)["spec"]);

  test.each(cases.map((one) => [textOf(one["rule"]), one] as const))("%s", (rule, one) => {
    const crd = definitionOf({ type: "object", properties, "x-kubernetes-validations": [{ rule }] });
    const object = {
      apiVersion: "example.com/v1",
      kind: "Thing",
      metadata: { name: "a", namespace: "d", resourceVersion: "1" },
      spec,
    };
    const old = one["old"] === true ? { ...object, spec: { ...spec, i: 6 } } : undefined;
    expect(validateCrd(crd)).toEqual([]);
    expect(linesOf(validateObject(kindOf(crd), object, old)).join(",")).toBe(one["want"]);
  });
});

describe("rules beyond the recorded ones", () => {
  const object = (spec: Json): Json => ({
    apiVersion: "example.com/v1",
    kind: "Thing",
    metadata: { name: "a", namespace: "d" },
    spec,
  });
  const rules = (...list: readonly Json[]): KindInfo =>
    kindOf(
      definitionOf({ type: "object", properties: { size: { type: "integer" } }, "x-kubernetes-validations": list }),
    );

  test("a message expression names the value; a broken one falls back to the message", () => {
    const kind = rules(
      { rule: "self.size < 3", messageExpression: "'size is ' + string(self.size)" },
      { rule: "self.size < 2", message: "too big", messageExpression: "'x' + string(self.size / 0)" },
    );
    expect(linesOf(validateObject(kind, object({ size: 5 })))).toEqual([
      'spec: Invalid value: "object": size is 5',
      'spec: Invalid value: "object": too big',
    ]);
  });

  test("optionalOldSelf runs on create too", () => {
    const kind = rules({
      rule: "oldSelf.hasValue() || self.size == 1",
      optionalOldSelf: true,
      message: "start with 1",
    });
    expect(linesOf(validateObject(kind, object({ size: 2 })))).toEqual(['spec: Invalid value: "object": start with 1']);
    expect(validateObject(kind, object({ size: 2 }), object({ size: 1 }))).toEqual([]);
  });

  test("a rule that is broken already stays silent while the value does not change", () => {
    const kind = rules({ rule: "self.size < 3" });
    expect(validateObject(kind, object({ size: 5 }), object({ size: 5 }))).toEqual([]);
    expect(validateObject(kind, object({ size: 6 }), object({ size: 5 }))).toHaveLength(1);
  });
});

describe("built-in kinds", () => {
  const secret = (data: Json, more: Json = {}): Json => ({
    ...objectOf(more),
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "s", namespace: "d" },
    data,
  });

  test("Secret data is base64 under valid keys, its type and frozen data stay", () => {
    const kind = builtin("Secret");
    expect(validateObject(kind, secret({ a: "YQ==" }))).toEqual([]);
    expect(validateObject(kind, secret({ a: "%" })).map((error) => error.field)).toEqual(["data.a"]);
    expect(validateObject(kind, secret({ "a/b": "YQ==" })).map((error) => error.field)).toEqual(["data[a/b]"]);
    expect(linesOf(validateObject(kind, secret({}, { type: "x" }), secret({}, { type: "y" })))).toEqual([
      'type: Invalid value: "x": field is immutable',
    ]);
    const frozen = secret({ a: "YQ==" }, { immutable: true });
    expect(linesOf(validateObject(kind, secret({ a: "Yg==" }, { immutable: true }), frozen))).toEqual([
      "data: Forbidden: field is immutable when `immutable` is set",
    ]);
  });

  test("a Deployment keeps its selector, and the selector matches its template", () => {
    const kind = builtin("Deployment");
    const deployment = (label: string, selector: string): Json => ({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "a", namespace: "d" },
      spec: {
        selector: { matchLabels: { app: selector } },
        template: { metadata: { labels: { app: label } }, spec: { containers: [{ name: "c", image: "i" }] } },
      },
    });
    expect(validateObject(kind, deployment("x", "x"))).toEqual([]);
    expect(validateObject(kind, deployment("x", "y")).map((error) => error.field)).toEqual([
      "spec.template.metadata.labels",
    ]);
    expect(linesOf(validateObject(kind, deployment("y", "y"), deployment("x", "x")))).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"app":"y"}}: field is immutable',
    ]);
  });

  test("pods need containers with images, names that differ, and volumes that exist", () => {
    const pod = (spec: Json): readonly string[] =>
      linesOf(validateObject(builtin("Pod"), { metadata: { name: "p", namespace: "d" }, spec } as Json));
    expect(pod({ containers: [] })).toEqual(["spec.containers: Required value"]);
    expect(
      pod({
        containers: [
          { name: "a", image: "i" },
          { name: "a", image: "i" },
        ],
      }),
    ).toEqual(['spec.containers[1].name: Duplicate value: "a"']);
    expect(pod({ containers: [{ name: "a" }] })).toEqual(["spec.containers[0].image: Required value"]);
    const mounted = { name: "a", image: "i", volumeMounts: [{ name: "v", mountPath: "/v" }] };
    expect(pod({ containers: [mounted] })).toEqual(['spec.containers[0].volumeMounts[0].name: Not found: "v"']);
    expect(pod({ containers: [mounted], volumes: [{ name: "v", emptyDir: {} }] })).toEqual([]);
    const limited = { name: "a", image: "i", resources: { limits: { cpu: "a lot", memory: "1Gi" } } };
    expect(pod({ containers: [limited] }).join()).toMatch(/limits\.cpu: Invalid value: "a lot": .* should match/);
  });

  test("names follow the kind: labels for Services, path segments for RBAC, subdomains elsewhere", () => {
    const named = (kind: string, name: string): readonly string[] => {
      const info = builtin(kind);
      const metadata = info.namespaced ? { name, namespace: "d" } : { name };
      return validateObject(info, { metadata } as Json)
        .filter((error) => error.field === "metadata.name")
        .map((error) => error.reason);
    };
    expect(named("Service", "1st")).toEqual(["FieldValueInvalid"]);
    expect(named("ConfigMap", "1st.part")).toEqual([]);
    expect(named("ConfigMap", "Upper")).toEqual(["FieldValueInvalid"]);
    expect(named("ClusterRole", "system:Node")).toEqual([]);
    expect(named("ClusterRole", "a/b")).toEqual(["FieldValueInvalid"]);
    expect(named("Namespace", "a.b")).toEqual(["FieldValueInvalid"]);
  });

  test("wrong types are named with their path", () => {
    const object = { metadata: { name: "a", namespace: "d" }, spec: { replicas: "two", selector: {}, template: {} } };
    expect(linesOf(validateObject(builtin("Deployment"), object))).toContain(
      'spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"',
    );
  });

  test("objects that are nested without end are refused, not followed", () => {
    let deep: Json = {};
    for (let depth = 0; depth < 2_000; depth += 1) deep = { not: deep };
    const crd = {
      metadata: { name: "things.example.com" },
      spec: { versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: deep } }] },
    };
    expect(
      validateObject(builtin("CustomResourceDefinition"), crd).some((error) => error.message.includes("nested deeper")),
    ).toBe(true);
    expect(listOf(validateCrd(crd) as unknown as Json).length).toBeGreaterThan(0);
  });
});
