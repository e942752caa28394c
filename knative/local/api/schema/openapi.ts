import { builtinDefinition, builtinDefinitionName } from "./builtin-data.ts";
import { described } from "./descriptions.ts";
import { entriesOf, isList, isObject, type Json, type JsonObject, type MutableObject } from "./json.ts";
import type { KindInfo } from "./kinds.ts";
import { apiVersionOf } from "./managed-entries.ts";

const V2 = "#/definitions/";
const V3 = "#/components/schemas/";
const LIST_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";

/** The OpenAPI v2 document of all kinds: what kubectl and Helm ask for before they apply. */
export function openApiV2(kinds: readonly KindInfo[]): Json {
  const definitions = definitionsOf(kinds, V2);
  return { swagger: "2.0", info: { title: "Kubernetes", version: "v1.34.2" }, paths: pathsOf(kinds, V2), definitions };
}

/** The OpenAPI v3 document of one group and version. */
export function openApiV3(kinds: readonly KindInfo[], group: string, version: string): Json {
  const own = kinds.filter((kind) => kind.group === group && kind.version === version);
  const schemas = definitionsOf(own, V3);
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: "v1.34.2" },
    paths: pathsOf(own, V3),
    components: { schemas },
  };
}

/** The name under which a kind's schema stands in the documents. */
function definitionName(kind: KindInfo): string {
  const builtin = kind.origin === "builtin" ? builtinDefinitionName(kind.group, kind.version, kind.kind) : undefined;
  return builtin ?? `${kind.group.split(".").reverse().join(".")}.${kind.version}.${kind.kind}`;
}

function definitionsOf(kinds: readonly KindInfo[], prefix: string): JsonObject {
  const out: MutableObject = {};
  for (const kind of kinds) {
    for (const [name, schema] of kindDefinitions(kind)) {
      out[name] = rewrite(worded(name, schema, prefix), prefix);
      addReferenced(out, schema, prefix);
    }
  }
  return out;
}

function addReferenced(out: MutableObject, schema: Json, prefix: string): void {
  for (const name of referencesIn(schema)) {
    const definition = builtinDefinition(name) as JsonObject | undefined;
    if (definition === undefined || Object.hasOwn(out, name)) continue;
    out[name] = rewrite(worded(name, definition, prefix), prefix);
    addReferenced(out, definition, prefix);
  }
}

const wordings = new WeakMap<JsonObject, JsonObject>();

/** With descriptions where people read them: `kubectl explain` asks for v3; v2 is fetched before every apply and stays short. */
function worded(name: string, schema: JsonObject, prefix: string): JsonObject {
  if (prefix === V2) return schema;
  const known = wordings.get(schema) ?? described(name, schema);
  wordings.set(schema, known);
  return known;
}

const cachedKinds = new WeakMap<KindInfo, readonly (readonly [string, JsonObject])[]>();

/** The definitions of a kind and its list. */
function kindDefinitions(kind: KindInfo): readonly (readonly [string, JsonObject])[] {
  const known = cachedKinds.get(kind);
  if (known !== undefined) return known;
  const name = definitionName(kind);
  const schema = (kind.schema ?? {
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
  }) as unknown as JsonObject;
  const made = [
    [name, { ...schema, "x-kubernetes-group-version-kind": gvk(kind, kind.kind) }] as const,
    [`${name}List`, listSchema(kind, name)] as const,
  ];
  cachedKinds.set(kind, made);
  return made;
}

function gvk({ group, version }: KindInfo, kind: string): Json {
  return [{ group, version, kind }];
}

function listSchema(kind: KindInfo, name: string): JsonObject {
  const text = { type: "string" };
  return {
    type: "object",
    required: ["items"],
    properties: {
      apiVersion: text,
      kind: text,
      metadata: { $ref: LIST_META },
      items: { type: "array", items: { $ref: name } },
    },
    "x-kubernetes-group-version-kind": gvk(kind, kind.listKind),
  };
}

const references = new WeakMap<object, readonly string[]>();

function referencesIn(schema: Json): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const known = references.get(schema);
  if (known !== undefined) return known;
  const parts = isList(schema) ? schema : entriesOf(schema as JsonObject).map(([, value]) => value);
  const own = isObject(schema) && typeof schema["$ref"] === "string" ? [schema["$ref"]] : [];
  const found = [...new Set([...own, ...parts.flatMap((part) => referencesIn(part))])];
  references.set(schema, found);
  return found;
}

const rewritten: Readonly<Record<string, WeakMap<object, Json>>> = { [V2]: new WeakMap(), [V3]: new WeakMap() };

/** The schema with full references; v2 knows no members beside a reference, v3 wraps it in allOf. */
function rewrite(schema: Json, prefix: string): Json {
  if (typeof schema !== "object" || schema === null) return schema;
  const known = rewritten[prefix]?.get(schema);
  if (known !== undefined) return known;
  const made = isList(schema)
    ? schema.map((item) => rewrite(item, prefix))
    : rewriteObject(schema as JsonObject, prefix);
  rewritten[prefix]?.set(schema, made);
  return made;
}

function rewriteObject(schema: JsonObject, prefix: string): Json {
  const { $ref, ...own } = schema;
  const out: MutableObject = {};
  for (const [key, value] of entriesOf(typeof $ref === "string" ? own : schema)) out[key] = rewrite(value, prefix);
  if (typeof $ref !== "string") return out;
  const reference = { $ref: prefix + $ref };
  if (prefix === V2) {
    const { default: _, allOf: __, ...rest } = out;
    return { ...rest, ...reference };
  }
  return Object.keys(out).length === 0 ? reference : { ...out, allOf: [reference] };
}

function pathsOf(kinds: readonly KindInfo[], prefix: string): JsonObject {
  const out: MutableObject = {};
  for (const kind of kinds) Object.assign(out, kindPaths(kind, prefix));
  return out;
}

function kindPaths(kind: KindInfo, prefix: string): JsonObject {
  const root = kind.group === "" ? `/api/${kind.version}` : `/apis/${apiVersionOf(kind)}`;
  const base = kind.namespaced ? `${root}/namespaces/{namespace}/${kind.plural}` : `${root}/${kind.plural}`;
  const operation = (action: string, parameters: readonly string[]): Json => ({
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": { group: kind.group, version: kind.version, kind: kind.kind },
    parameters: parameters.map((name) => queryParameter(name, prefix)),
    responses: { "200": { description: "OK" } },
  });
  const writing = ["dryRun", "fieldManager", "fieldValidation"];
  return {
    [base]: { get: operation("list", ["limit", "continue"]), post: operation("post", writing) },
    [`${base}/{name}`]: {
      get: operation("get", []),
      put: operation("put", writing),
      patch: operation("patch", [...writing, "force"]),
      delete: operation("delete", ["dryRun"]),
    },
  };
}

function queryParameter(name: string, prefix: string): Json {
  const type = { type: name === "force" ? "boolean" : "string", uniqueItems: true };
  return prefix === V2 ? { name, in: "query", ...type } : { name, in: "query", schema: type };
}
