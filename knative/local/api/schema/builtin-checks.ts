import { forbidden, invalid, required } from "./field-errors.ts";
import { at, entriesOf, equal, type Json, objectOf } from "./json.ts";
import type { KindInfo } from "./kinds.ts";
import { configKeyProblems } from "./names.ts";
import { podErrors } from "./pod-checks.ts";
import type { FieldError } from "./validate.ts";

/** What a built-in kind forbids beyond its schema: bad Secret data, and changes of fields that are fixed once set. */
export function builtinErrors(kind: KindInfo, object: Json, old?: Json): readonly FieldError[] {
  const name = `${kind.group}/${kind.kind}`;
  const own = [...(CONTENT[name]?.(object) ?? []), ...podErrors(name, object)];
  return old === undefined ? own : [...own, ...fixedErrors(name, object, old), ...(CHANGE[name]?.(object, old) ?? [])];
}

function keyedData(object: Json, field: string): readonly FieldError[] {
  return entriesOf(objectOf(at(object, field))).flatMap(([key]) =>
    configKeyProblems(key).map((problem) => invalid(`${field}[${key}]`, key, problem)),
  );
}

function selectorErrors(object: Json): readonly FieldError[] {
  const wanted = objectOf(at(object, "spec", "selector", "matchLabels"));
  const labels = objectOf(at(object, "spec", "template", "metadata", "labels"));
  if (at(object, "spec", "selector") === undefined) return [required("spec.selector")];
  const matches = entriesOf(wanted).every(([key, value]) => labels[key] === value);
  return matches
    ? []
    : [invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`")];
}

function deploymentErrors(object: Json): readonly FieldError[] {
  const strategy = at(object, "spec", "strategy");
  const mixed = at(strategy, "type") === "Recreate" && at(strategy, "rollingUpdate") !== undefined;
  const detail = "may not be specified when strategy `type` is 'Recreate'";
  return [...selectorErrors(object), ...(mixed ? [forbidden("spec.strategy.rollingUpdate", detail)] : [])];
}

const CONTENT: Readonly<Record<string, (object: Json) => readonly FieldError[]>> = {
  "/Secret": (object) => keyedData(object, "data"),
  "/ConfigMap": (object) => [...keyedData(object, "data"), ...keyedData(object, "binaryData")],
  "apps/Deployment": deploymentErrors,
  "apps/StatefulSet": selectorErrors,
  "apps/DaemonSet": selectorErrors,
  "apps/ReplicaSet": selectorErrors,
};

/** Fields that keep their first value, by kind. */
const FIXED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "/Secret": [["type"]],
  "apps/Deployment": [["spec", "selector"]],
  "apps/DaemonSet": [["spec", "selector"]],
  "apps/ReplicaSet": [["spec", "selector"]],
  "batch/Job": [
    ["spec", "selector"],
    ["spec", "template"],
    ["spec", "completionMode"],
  ],
  "rbac.authorization.k8s.io/RoleBinding": [["roleRef"]],
  "rbac.authorization.k8s.io/ClusterRoleBinding": [["roleRef"]],
  "storage.k8s.io/StorageClass": [["provisioner"], ["parameters"], ["reclaimPolicy"], ["volumeBindingMode"]],
};

function fixedErrors(name: string, object: Json, old: Json): readonly FieldError[] {
  return (FIXED[name] ?? []).flatMap((path) => {
    const value = at(object, ...path) ?? null;
    const same = equal(value, at(old, ...path) ?? null);
    return same ? [] : [invalid(path.join("."), value, "field is immutable")];
  });
}

function frozenErrors(object: Json, old: Json): readonly FieldError[] {
  if (at(old, "immutable") !== true) return [];
  const fields = ["data", "binaryData", "stringData"].filter((field) => !equal(at(object, field), at(old, field)));
  const errors = fields.map((field) => forbidden(field, "field is immutable when `immutable` is set"));
  return at(object, "immutable") === true
    ? errors
    : [forbidden("immutable", "field is immutable when `immutable` is set"), ...errors];
}

function serviceErrors(object: Json, old: Json): readonly FieldError[] {
  const before = at(old, "spec", "clusterIP");
  const after = at(object, "spec", "clusterIP");
  const released = at(object, "spec", "type") === "ExternalName";
  if (before === undefined || before === "" || released || after === before) return [];
  return [invalid("spec.clusterIPs[0]", after ?? null, "may not change once set")];
}

const MUTABLE_STATEFUL = new Set([
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
]);
const STATEFUL_TEXT =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

function statefulErrors(object: Json, old: Json): readonly FieldError[] {
  return changedKeys(object, old).some((key) => !MUTABLE_STATEFUL.has(key)) ? [forbidden("spec", STATEFUL_TEXT)] : [];
}

const CLAIM_TEXT =
  "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";

function claimErrors(object: Json, old: Json): readonly FieldError[] {
  const changed = changedKeys(object, old).filter((key) => key !== "resources" && key !== "volumeAttributesClassName");
  const bound = changed.filter((key) => !(key === "volumeName" && at(old, "spec", "volumeName") === undefined));
  return bound.length === 0 ? [] : [forbidden("spec", CLAIM_TEXT)];
}

function changedKeys(object: Json, old: Json): readonly string[] {
  const [after, before] = [objectOf(at(object, "spec")), objectOf(at(old, "spec"))];
  const keys = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...keys].filter((key) => !equal(after[key], before[key]));
}

const CHANGE: Readonly<Record<string, (object: Json, old: Json) => readonly FieldError[]>> = {
  "/Secret": frozenErrors,
  "/ConfigMap": frozenErrors,
  "/Service": serviceErrors,
  "apps/StatefulSet": statefulErrors,
  "/PersistentVolumeClaim": claimErrors,
};
