import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { functions, httpFunctions } from "../../functions/index.ts";
import { deployed } from "../../knative/generate/deployed.ts";
import { applyDefaults, prune } from "../../knative/local/api/schema/defaults.ts";
import {
  at,
  clone,
  type Json,
  type JsonObject,
  listOf,
  type MutableObject,
  objectOf,
  textOf,
} from "../../knative/local/api/schema/json.ts";
import { builtinKinds, type KindInfo, kindsOfCrd } from "../../knative/local/api/schema/kinds.ts";
import { validateObject } from "../../knative/local/api/schema/validate.ts";
import { parseYamlDocuments } from "../../shared/adapters/yaml.ts";
import { RETRY } from "../../shared/outcome.ts";
import { knativeProblems } from "./knative-rules.ts";

const KNATIVE = fileURLToPath(new URL("../../../shared/data/crds/", import.meta.url));
const haveDefinitions = existsSync(KNATIVE);
if (!haveDefinitions) console.log(`no Knative definitions at ${KNATIVE}: manifests are checked by the rules only`);

const FOLDER = fileURLToPath(new URL("../../knative/manifests/", import.meta.url));
const manifests = globSync("**/*.yaml", { cwd: FOLDER })
  .filter((file) => file !== "kustomization.yaml")
  .flatMap((file) => documents(`${FOLDER}${file}`).map((object) => ({ file, object })));
const titled = manifests.map(({ file, object }) => [`${file}: ${titleOf(object)}`, object] as const);
const builtins = builtinKinds();

test("no object is written twice", () => {
  const titles = manifests.map(({ object }) => titleOf(object));
  expect(titles).toEqual([...new Set(titles)]);
});

test("kustomization.yaml names every file", () => {
  const [kustomization] = documents(`${FOLDER}kustomization.yaml`);
  const files = [...new Set(manifests.map(({ file }) => file))];
  expect([...listOf(at(kustomization, "resources"))].sort()).toEqual(files.sort());
});

describe("Knative takes them", () => {
  const knative = titled.filter(([, object]) => textOf(object.apiVersion).includes(".knative.dev/"));

  test.each(knative)("%s", (_, object) => {
    expect(knativeProblems(object)).toEqual([]);
  });

  test.runIf(haveDefinitions).each(knative)("%s, by its definition", (_, object) => {
    expect(schemaProblems(knativeKind(object), object)).toEqual([]);
  });
});

describe("Kubernetes takes them", () => {
  const kubernetes = titled.filter(([, { apiVersion }]) =>
    ["v1", "rbac.authorization.k8s.io/v1"].includes(textOf(apiVersion)),
  );

  test.each(kubernetes)("%s", (_, object) => {
    const kind = builtins.find((info) => info.kind === object.kind && apiVersionOf(info) === object.apiVersion);
    expect(kind && schemaProblems(kind, object)).toEqual([]);
  });
});

describe.each(functions.map((identity) => [identity.name, identity.function] as const))("%s", (name, definition) => {
  const service = find("Service", name);
  const triggers = manifests.filter(
    ({ object }) => object.kind === "Trigger" && at(object, "spec", "subscriber", "ref", "name") === name,
  );

  test("time limits nest: function < delivery < Service", () => {
    const delivery = triggers.map(({ object }) => seconds(at(object, "spec", "delivery", "timeout")));
    const limit = Number(at(service, "spec", "template", "spec", "timeoutSeconds"));
    for (const timeout of delivery) {
      expect(timeout).toBeGreaterThan(definition.timeoutMs / 1000);
      expect(limit).toBeGreaterThan(timeout);
    }
    expect(delivery).toHaveLength(definition.on.origin ? 2 : 1);
  });

  test("retries as the outcome table says", () => {
    for (const { object } of triggers) {
      const delivery = objectOf(at(object, "spec", "delivery"));
      expect(delivery.retry).toBe(RETRY.retry);
      expect(seconds(delivery.backoffDelay) * 1000).toBe(RETRY.backoffMs);
      expect(delivery.backoffPolicy).toBe("exponential");
    }
  });
});

describe.each(deployed(functions, httpFunctions).map((each) => [each.name, each] as const))("%s", (name, each) => {
  const { function: definition, visibility } = each;
  const service = find("Service", name);

  test("runs as nobody else, is reached by those it is for and stops when idle", () => {
    expect(at(service, "metadata", "labels", "networking.knative.dev/visibility")).toBe(
      visibility === "public" ? undefined : visibility,
    );
    expect(at(service, "spec", "template", "spec", "serviceAccountName")).toBe(name);
    expect(at(service, "spec", "template", "metadata", "annotations", "autoscaling.knative.dev/min-scale")).toBe("0");
    expect(find("ServiceAccount", name)).toBeDefined();
  });

  /** Secrets and settings are asked for by name. */
  const isListed = (plural: string) => !["/secrets", "/configmaps"].includes(plural);

  test("may do what it declares and nothing else", () => {
    const roles = manifests.filter(
      ({ file, object }) => file === `rbac/${name}.yaml` && textOf(object.kind).endsWith("Role"),
    );
    const granted = roles.flatMap(({ object }) => listOf(object.rules).flatMap(grants)).sort();
    const plurals = (kinds: typeof definition.reads) => kinds.map(({ group, plural }) => `${group}/${plural}`);
    const reads = plurals(definition.reads);
    const writes = plurals(definition.writes);
    const watched = "cached" in definition ? plurals(definition.cached).map((plural) => `${plural} watch`) : [];
    const expected = [...new Set([...reads, ...writes])].flatMap((plural) => [
      `${plural} get`,
      ...(isListed(plural) && reads.includes(plural) ? [`${plural} list`] : []),
      ...(writes.includes(plural) ? writeGrants(plural) : []),
    ]);
    expect(granted).toEqual([...expected, ...watched].sort());
    const installs = manifests.some(
      ({ file, object }) => file === `rbac/${name}.yaml` && at(object, "roleRef", "name") === "openpitrix:installer",
    );
    expect(installs).toBe(definition.uses.includes("helm"));
  });
});

describe("the rules find what is wrong", () => {
  const trigger = () => clone(find("Trigger", "repo-sync-requested")) as MutableObject;
  const ping = () => clone(find("PingSource", "repo-sync-tick")) as MutableObject;
  const service = () => clone(find("Service", "repo-sync-requested")) as MutableObject;

  test.each<[string, MutableObject, string, Json | undefined]>([
    ["exactly one of broker and brokerRef", trigger(), "spec.broker", undefined],
    ["without filters the Trigger takes every event", trigger(), "spec.filters", []],
    ["one known dialect per filter", trigger(), "spec.filters", [{ exact: { type: "a" }, prefix: { type: "a" } }]],
    ["type: an empty value is skipped with a warning", trigger(), "spec.filters", [{ exact: { type: "" } }]],
    ["an empty filter passes everything", trigger(), "spec.filters", [{ exact: {} }]],
    ["my-type cannot be an attribute", trigger(), "spec.filters", [{ exact: { "my-type": "a" } }]],
    ["subscriber.ref.kind is missing", trigger(), "spec.subscriber.ref.kind", undefined],
    ["delivery.timeout is no ISO 8601 period", trigger(), "spec.delivery.timeout", "30s"],
    ["delivery.backoffPolicy", trigger(), "spec.delivery.backoffPolicy", undefined],
    ["delivery.retryAfterMax is refused unless its feature is on", trigger(), "spec.delivery.retryAfterMax", "PT1M"],
    ["delivery.deadLetterSink needs ref or uri", trigger(), "spec.delivery.deadLetterSink", undefined],
    ["schedule needs five fields, or six with seconds first", ping(), "spec.schedule", "@every 1m"],
    ["data has to be a JSON object", ping(), "spec.data", "[]"],
    ["timeoutSeconds has to be 1 to 600", service(), "spec.template.spec.timeoutSeconds", 601],
    ["exactly one container", service(), "spec.template.spec.containers", []],
    [
      "autoscaling.knative.dev/min-scale belongs on spec.template.metadata",
      service(),
      "metadata.annotations",
      { "autoscaling.knative.dev/min-scale": "0" },
    ],
  ])("%s", (...[problem, object, path, value]) => {
    set(object, path.split("."), value);
    expect(knativeProblems(object as JsonObject)).toEqual([problem]);
  });
});

function set(object: MutableObject, [key = "", ...rest]: readonly string[], value: Json | undefined): void {
  if (rest.length === 0) object[key] = value;
  else set(object[key] as MutableObject, rest, value);
}

function schemaProblems(kind: KindInfo, object: JsonObject): readonly string[] {
  const { unknown } = prune(kind, object);
  const errors = validateObject(kind, applyDefaults(kind, object));
  return [
    ...unknown.map((path) => `${path} is unknown`),
    ...errors.map(({ field, message }) => `${field}: ${message}`),
  ];
}

function knativeKind(object: JsonObject): KindInfo {
  const kinds = globSync("knative-*/*.yaml", { cwd: KNATIVE }).flatMap((file) =>
    documents(`${KNATIVE}${file}`)
      .filter(({ kind }) => kind === "CustomResourceDefinition")
      .flatMap(kindsOfCrd),
  );
  const kind = kinds.find((info) => info.kind === object.kind && apiVersionOf(info) === object.apiVersion);
  if (!kind) throw new Error(`no definition of ${object.kind} in ${KNATIVE}`);
  return kind;
}

function grants(rule: Json): readonly string[] {
  const [group] = listOf(at(rule, "apiGroups"));
  const [plural] = listOf(at(rule, "resources"));
  return listOf(at(rule, "verbs")).map((verb) => `${group}/${plural} ${verb}`);
}

function find(kind: string, name: string): JsonObject {
  const found = manifests.find(({ object }) => object.kind === kind && at(object, "metadata", "name") === name);
  if (!found) throw new Error(`there is no manifest of ${kind} ${name}`);
  return found.object;
}

function seconds(period: Json | undefined): number {
  return Number(/^PT([\d.]+)S$/.exec(textOf(period))?.[1]);
}

function documents(path: string): JsonObject[] {
  return parseYamlDocuments(readFileSync(path, "utf8")).filter((document) => document !== undefined) as JsonObject[];
}

function titleOf(object: JsonObject): string {
  return [object.kind, at(object, "metadata", "namespace"), at(object, "metadata", "name")].join(" ");
}

function apiVersionOf({ group, version }: KindInfo): string {
  return group === "" ? version : `${group}/${version}`;
}

/** A Secret has no status, and none is ever taken away. */
function writeGrants(plural: string): readonly string[] {
  if (plural === "/secrets") return ["create", "patch"].map((verb) => `${plural} ${verb}`);
  const status = ["patch", "update"].map((verb) => `${plural}/status ${verb}`);
  return [...["create", "delete", "patch", "update"].map((verb) => `${plural} ${verb}`), ...status];
}
