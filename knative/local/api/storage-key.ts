import type { ObjectId } from "./storage.ts";

const clusterScope = "_";
// A subject token must not be empty, so dots are kept only between other characters.
const unsafe = /[^-_A-Za-z0-9.]|^\.|\.$|\.(?=\.)/gu;

/** The KV key of an object: readable, and safe for names such as `system:node` that the key alphabet excludes. */
export function keyOf(id: ObjectId): string {
  const namespace = id.namespace === "" ? clusterScope : escapeName(id.namespace);
  return `${id.resource}/${namespace}/${escapeName(id.name)}`;
}

/** Reads a key back; undefined for keys that keyOf never writes. */
export function idOf(key: string): ObjectId | undefined {
  const [group, plural, namespace, name, more] = key.split("/");
  if (group === undefined || plural === undefined || namespace === undefined || name === undefined) return undefined;
  if (more !== undefined) return undefined;
  return {
    resource: `${group}/${plural}`,
    namespace: namespace === clusterScope ? "" : unescapeName(namespace),
    name: unescapeName(name),
  };
}

function escapeName(name: string): string {
  return name.replace(unsafe, (found) =>
    [...Buffer.from(found)].map((byte) => `=${byte.toString(16).padStart(2, "0")}`).join(""),
  );
}

function unescapeName(text: string): string {
  if (!text.includes("=")) return text;
  return decodeURIComponent(text.replace(/=([0-9a-f]{2})/g, "%$1"));
}
