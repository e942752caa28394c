import { Failure } from "../errors.ts";
import type { ObjectName } from "../ports.ts";
import { type ResourceDefinition, subjectOf } from "../resource.ts";

/** Path of all objects of a kind, or of those in one namespace. */
export function collectionPath(kind: ResourceDefinition, namespace?: string): string {
  const root = kind.group === "" ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  const scope = kind.scope === "Namespaced" && namespace !== undefined ? `/namespaces/${segment(kind, namespace)}` : "";
  return `${root}${scope}/${kind.plural}`;
}

/** Path of one object. Fails with `Invalid` for a name that no object can have, or where the namespace is missing. */
export function objectPath(kind: ResourceDefinition, { name, namespace }: ObjectName): string {
  if (kind.scope === "Namespaced" && namespace === undefined) {
    throw new Failure("Invalid", `${kind.plural}/${name}: ${kind.kind} lives in a namespace; say which`);
  }
  return `${collectionPath(kind, namespace)}/${segment(kind, name)}`;
}

/** Verb and object as errors name them: `get helmreleases/shop/web`. */
export function deed(verb: string, kind: ResourceDefinition, { name, namespace }: ObjectName): string {
  const scoped = kind.scope === "Namespaced" && namespace !== undefined;
  return `${verb} ${subjectOf(kind, scoped ? { name, namespace } : { name })}`;
}

/** The rule of the API server for path segments; it keeps names from reaching other objects. */
function segment(kind: ResourceDefinition, name: string): string {
  if (name === "" || name === "." || name === ".." || /[/%]/.test(name) || name.length > 253) {
    const shown = JSON.stringify(name.slice(0, 80));
    throw new Failure("Invalid", `${kind.plural}: ${shown} cannot be the name of an object`);
  }
  return encodeURIComponent(name);
}
