import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv, stdout } from "node:process";
import {
  entriesOf,
  isList,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  type MutableObject,
  objectOf,
  textOf,
} from "../json.ts";

const REFERENCE = "#/components/schemas/";

/** Drops prose, shortens references and replaces the one-member allOf around them by the reference itself. */
function distilSchema(schema: Json): Json {
  if (isList(schema)) return schema.map(distilSchema);
  if (!isObject(schema)) return schema;
  const out: MutableObject = {};
  for (const [key, value] of entriesOf(schema)) Object.assign(out, distilMember(key, value));
  return out;
}

function distilMember(key: string, value: Json): JsonObject {
  if (key === "description" && typeof value === "string") return {};
  if (key === "$ref" && typeof value === "string") return { $ref: value.slice(REFERENCE.length) };
  const [only] = listOf(value);
  if (key === "allOf" && isObject(only) && "$ref" in only) return objectOf(distilSchema(only));
  return { [key]: distilSchema(value) };
}

function distilDocument(document: Json, into: Map<string, Json>): void {
  const components = objectOf(objectOf(document)["components"]);
  for (const [name, schema] of entriesOf(objectOf(components["schemas"]))) into.set(name, distilSchema(schema));
}

function distilGroup(group: Json): { readonly name: string; readonly versions: readonly JsonObject[] } {
  const versions = listOf(objectOf(group)["versions"]).map(objectOf);
  const stable = versions.filter((version) => /^v\d+$/.test(textOf(version["version"])));
  return { name: textOf(objectOf(objectOf(group)["metadata"])["name"]), versions: stable };
}

function groupsOf(document: Json): readonly ReturnType<typeof distilGroup>[] {
  return listOf(objectOf(document)["items"]).map(distilGroup);
}

function coreGroup(list: Json): ReturnType<typeof distilGroup> {
  const parts = listOf(objectOf(list)["resources"]).map(objectOf);
  const tops = parts.filter((part) => !textOf(part["name"]).includes("/"));
  const resources = tops.map((top) => ({
    resource: top["name"],
    responseKind: { kind: top["kind"] },
    scope: top["namespaced"] === true ? "Namespaced" : "Cluster",
    shortNames: top["shortNames"],
    singularResource: top["singularName"],
    categories: top["categories"],
    verbs: top["verbs"],
    subresources: parts
      .filter((part) => textOf(part["name"]).startsWith(`${textOf(top["name"])}/`))
      .map(coreSubresource),
  }));
  return { name: "", versions: [{ version: "v1", resources }] };
}

function coreSubresource(part: JsonObject): JsonObject {
  return {
    subresource: textOf(part["name"]).split("/")[1],
    responseKind: { group: part["group"], version: part["version"], kind: part["kind"] },
    verbs: part["verbs"],
  };
}

function documentName(group: string, version: string): string {
  return group === "" ? `api__${version}_openapi.json` : `apis__${group}__${version}_openapi.json`;
}

function main(source: string, target: string): void {
  const read = (...path: readonly string[]): Json => JSON.parse(readFileSync(join(source, "api", ...path), "utf8"));
  const definitions = new Map<string, Json>();
  const resources: Json[] = [];
  for (const group of [
    coreGroup(read("discovery", "api__v1.json")),
    ...groupsOf(read("discovery", "aggregated_v2.json")),
  ]) {
    for (const { version, resources: served } of group.versions) {
      distilDocument(read("openapi-spec", "v3", documentName(group.name, textOf(version))), definitions);
      for (const served_ of listOf(served)) resources.push({ group: group.name, version, ...objectOf(served_) });
    }
  }
  const lines = [...definitions].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, schema]) => ({ name, schema }));
  writeFileSync(join(target, "definitions.ndjson"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  writeFileSync(join(target, "resources.ndjson"), resources.map((line) => `${JSON.stringify(line)}\n`).join(""));
  stdout.write(`${lines.length} definitions, ${resources.length} resources\n`);
}

const [, , source, target = import.meta.dirname] = argv;
if (source === undefined) throw new Error("distil.ts: name the unpacked k8s.io/kubernetes module, see README.md");
main(source, target);
