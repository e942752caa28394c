import { existsSync, readFileSync } from "node:fs";
import { entriesOf, isObject, type Json, type JsonObject, objectOf } from "./json.ts";

/** Kubernetes' own words on its types stand in the type declarations of the installed client library; they are read from there. */
const MODELS = modelFolder();

function modelFolder(): URL | undefined {
  try {
    return new URL("./gen/models/", import.meta.resolve("@kubernetes/client-node"));
  } catch {
    return undefined;
  }
}

const COMMENT = String.raw`\/\*\*\s*\n((?:\s*\*.*\n)*?)\s*\*\/\s*\n\s*`;
const TYPE = new RegExp(`${COMMENT}export declare class`);
const FIELD = new RegExp(`${COMMENT}'([^']+)'\\??:`, "g");

/** A built-in definition (by its full name) with descriptions of itself and its fields, where the client library has them. */
export function described(name: string, schema: JsonObject): JsonObject {
  const text = sourceOf(name);
  if (text === undefined) return schema;
  const own = TYPE.exec(text)?.[1];
  const fields = new Map([...text.matchAll(FIELD)].map(([, comment = "", field = ""]) => [field, plain(comment)]));
  const properties = entriesOf(objectOf(schema["properties"])).map(
    ([key, value]) => [key, withText(value, fields.get(key))] as const,
  );
  return {
    ...(own === undefined ? {} : { description: plain(own) }),
    ...schema,
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
  };
}

function withText(schema: Json, text: string | undefined): Json {
  return isObject(schema) && text !== undefined ? { description: text, ...schema } : schema;
}

function plain(comment: string): string {
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\*\s?/, "").trim());
  // The declarations escape quotes as in a text.
  return lines
    .join("\n")
    .replaceAll(/\\(["'])/g, "$1")
    .trim();
}

/** The declaration of a definition: V1PodSpec, or with the group's name where several groups have such a type (CoreV1Event). */
function sourceOf(name: string): string | undefined {
  const [kind = "", version = "", group = ""] = name.split(".").reverse();
  const type = capital(version) + kind;
  const files = [`${capital(group)}${type}.d.ts`, `${type}.d.ts`].map((file) => new URL(file, MODELS ?? "file:///"));
  const found = MODELS === undefined ? undefined : files.find((file) => existsSync(file));
  return found === undefined ? undefined : readFileSync(found, "utf8");
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
