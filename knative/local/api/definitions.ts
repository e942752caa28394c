import { type KubeObject, timestamp } from "./object.ts";
import type { Registry } from "./registry.ts";
import { at, type Json, listOf, type MutableObject, objectOf, textOf, textsOf } from "./schema/json.ts";

/** The finalizer that keeps a definition until its objects are gone. */
export const instancesFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** Completes a CustomResourceDefinition: default names, conversion, accepted names, conditions and stored versions. */
export function completeDefinition(registry: Registry, object: KubeObject): KubeObject {
  const spec = specDefaults(objectOf(object["spec"]));
  const conflicts = takenNames(registry, object.metadata.name, spec);
  const status = statusOf(object["status"], spec, conflicts);
  const finalizers = [...new Set([...(object.metadata.finalizers ?? []), instancesFinalizer])];
  const kept = object.metadata.deletionTimestamp === undefined ? finalizers : object.metadata.finalizers;
  const metadata = { ...object.metadata };
  if (kept !== undefined) metadata.finalizers = kept;
  return { ...object, metadata, spec, status };
}

function specDefaults(spec: MutableObject): MutableObject {
  const names = objectOf(spec["names"]);
  const kind = textOf(names["kind"]);
  return {
    conversion: { strategy: "None" },
    ...spec,
    names: { singular: kind.toLowerCase(), listKind: `${kind}List`, ...names },
  };
}

function takenNames(registry: Registry, own: string, spec: MutableObject): string | undefined {
  const group = textOf(spec["group"]);
  const names = objectOf(spec["names"]);
  const others = registry.kinds().filter((kind) => kind.group === group && `${kind.plural}.${kind.group}` !== own);
  for (const other of others) {
    if (other.kind === names["kind"]) return `${JSON.stringify(other.kind)} is already in use`;
    const shared = textsOf(names["shortNames"]).find(
      (name) => other.shortNames.includes(name) || name === other.plural,
    );
    if (shared !== undefined) return `${JSON.stringify(shared)} is already in use`;
  }
  return undefined;
}

function statusOf(before: Json | undefined, spec: MutableObject, conflict: string | undefined): MutableObject {
  const storage = listOf(spec["versions"]).find((version) => at(version, "storage") === true);
  const stored = new Set([...textsOf(at(before, "storedVersions")), textOf(at(storage, "name"))]);
  const conditions = [namesCondition(conflict), establishedCondition(conflict)];
  const others = listOf(at(before, "conditions")).filter((one) => !managed.has(textOf(at(one, "type"))));
  return {
    conditions: [...conditions.map((one) => sameTime(before, one)), ...others],
    acceptedNames:
      conflict === undefined ? (spec["names"] ?? {}) : (at(before, "acceptedNames") ?? { kind: "", plural: "" }),
    storedVersions: [...stored],
  };
}

const managed = new Set(["NamesAccepted", "Established"]);

function namesCondition(conflict: string | undefined): MutableObject {
  if (conflict !== undefined)
    return { type: "NamesAccepted", status: "False", reason: "NameConflict", message: conflict };
  return { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" };
}

function establishedCondition(conflict: string | undefined): MutableObject {
  if (conflict !== undefined)
    return { type: "Established", status: "False", reason: "NotAccepted", message: "not all names are accepted" };
  return {
    type: "Established",
    status: "True",
    reason: "InitialNamesAccepted",
    message: "the initial names have been accepted",
  };
}

// A condition keeps the time of its last change.
function sameTime(before: Json | undefined, condition: MutableObject): MutableObject {
  const old = listOf(at(before, "conditions")).find(
    (one) => at(one, "type") === condition["type"] && at(one, "status") === condition["status"],
  );
  return { ...condition, lastTransitionTime: at(old, "lastTransitionTime") ?? timestamp() };
}
