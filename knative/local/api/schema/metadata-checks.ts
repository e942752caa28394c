import { child, forbidden, invalid, required, tooLong } from "./field-errors.ts";
import { at, entriesOf, equal, type Json, type JsonObject, listOf, objectOf, textOf, textsOf } from "./json.ts";
import type { KindInfo } from "./kinds.ts";
import {
  label1035Problems,
  labelNameProblems,
  labelValueProblems,
  pathSegmentProblems,
  qualifiedNameProblems,
  subdomainProblems,
} from "./names.ts";
import type { FieldError } from "./validate.ts";

const MAX_ANNOTATION_BYTES = 262_144;
const IMMUTABLE = ["name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"];

type NameRule = (name: string) => readonly string[];

const NAME_RULES: Readonly<Record<string, NameRule>> = {
  "/Namespace": labelNameProblems,
  "/Service": label1035Problems,
  "rbac.authorization.k8s.io/Role": pathSegmentProblems,
  "rbac.authorization.k8s.io/ClusterRole": pathSegmentProblems,
  "rbac.authorization.k8s.io/RoleBinding": pathSegmentProblems,
  "rbac.authorization.k8s.io/ClusterRoleBinding": pathSegmentProblems,
  "apiregistration.k8s.io/APIService": pathSegmentProblems,
  "certificates.k8s.io/CertificateSigningRequest": pathSegmentProblems,
};

/** What is wrong with an object's metadata on its own, and, for an update, against the object that is stored. */
export function metadataErrors(kind: KindInfo, object: Json, old?: Json): readonly FieldError[] {
  const metadata = objectOf(at(object, "metadata"));
  const shared = [
    ...labelErrors(metadata),
    ...annotationErrors(metadata),
    ...ownerErrors(metadata),
    ...finalizerErrors(metadata),
  ];
  if (old === undefined) return [...nameErrors(kind, metadata), ...namespaceErrors(kind, metadata), ...shared];
  return [...changeErrors(metadata, objectOf(at(old, "metadata"))), ...shared];
}

/** What is wrong with the metadata of an object that is embedded in another, where even the name is optional. */
export function embeddedMetadataErrors(metadata: JsonObject, path: string): readonly FieldError[] {
  const errors = [
    ...labelErrors(metadata),
    ...annotationErrors(metadata),
    ...ownerErrors(metadata),
    ...finalizerErrors(metadata),
  ];
  return errors.map((error) => ({ ...error, field: `${path}${error.field.slice("metadata".length)}` }));
}

function nameErrors(kind: KindInfo, metadata: JsonObject): readonly FieldError[] {
  const rule = NAME_RULES[`${kind.group}/${kind.kind}`] ?? subdomainProblems;
  const [name, prefix] = [textOf(metadata["name"]), textOf(metadata["generateName"])];
  const ofPrefix = prefix === "" ? [] : rule(maskTrailingDash(prefix));
  const errors = ofPrefix.map((problem) => invalid("metadata.generateName", prefix, problem));
  if (name === "") return [...errors, required("metadata.name", "name or generateName is required")];
  return [...errors, ...rule(name).map((problem) => invalid("metadata.name", name, problem))];
}

function maskTrailingDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith("-") ? `${prefix.slice(0, -2)}a` : prefix;
}

function namespaceErrors(kind: KindInfo, metadata: JsonObject): readonly FieldError[] {
  const namespace = textOf(metadata["namespace"]);
  if (!kind.namespaced) return namespace === "" ? [] : [forbidden("metadata.namespace", "not allowed on this type")];
  if (namespace === "") return [required("metadata.namespace")];
  return labelNameProblems(namespace).map((problem) => invalid("metadata.namespace", namespace, problem));
}

function labelErrors(metadata: JsonObject): readonly FieldError[] {
  return entriesOf(objectOf(metadata["labels"])).flatMap(([key, value]) => [
    ...qualifiedNameProblems(key).map((problem) => invalid("metadata.labels", key, problem)),
    ...(typeof value === "string" ? labelValueProblems(value) : []).map((problem) =>
      invalid("metadata.labels", value, problem),
    ),
  ]);
}

function annotationErrors(metadata: JsonObject): readonly FieldError[] {
  const entries = entriesOf(objectOf(metadata["annotations"]));
  const bytes = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(textOf(value)),
    0,
  );
  const errors = entries.flatMap(([key]) =>
    qualifiedNameProblems(key.toLowerCase()).map((problem) => invalid("metadata.annotations", key, problem)),
  );
  return bytes > MAX_ANNOTATION_BYTES ? [...errors, tooLong("metadata.annotations", MAX_ANNOTATION_BYTES)] : errors;
}

function ownerErrors(metadata: JsonObject): readonly FieldError[] {
  const path = "metadata.ownerReferences";
  const owners = listOf(metadata["ownerReferences"]);
  const controllers = owners.filter((owner) => at(owner, "controller") === true);
  const errors = owners.flatMap((owner) => [
    ...(textOf(at(owner, "apiVersion")) === ""
      ? [invalid(child(path, "apiVersion"), "", "version must not be empty")]
      : []),
    ...["kind", "name", "uid"]
      .filter((key) => textOf(at(owner, key)) === "")
      .map((key) => invalid(child(path, key), "", "must not be empty")),
  ]);
  if (controllers.length < 2) return errors;
  const [first, second] = controllers.map((owner) => `${textOf(at(owner, "kind"))}/${textOf(at(owner, "name"))}`);
  const detail = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`;
  return [...errors, invalid(path, owners, detail)];
}

function finalizerErrors(metadata: JsonObject): readonly FieldError[] {
  const finalizers = textsOf(metadata["finalizers"]);
  const errors = finalizers.flatMap((name) =>
    qualifiedNameProblems(name).map((problem) => invalid("metadata.finalizers", name, problem)),
  );
  if (!finalizers.includes("orphan") || !finalizers.includes("foregroundDeletion")) return errors;
  const detail = "finalizer orphan and foregroundDeletion cannot be both set";
  return [...errors, invalid("metadata.finalizers", [...finalizers], detail)];
}

function changeErrors(metadata: JsonObject, old: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const added = textsOf(metadata["finalizers"]).filter((name) => !textsOf(old["finalizers"]).includes(name));
  if (old["deletionTimestamp"] !== undefined && added.length > 0) {
    const names = [...added].sort().map((name) => JSON.stringify(name));
    const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${names.join(", ")}}`;
    errors.push(forbidden("metadata.finalizers", detail));
  }
  for (const key of IMMUTABLE) {
    const value = metadata[key] ?? null;
    if (!equal(value, old[key] ?? null)) errors.push(invalid(child("metadata", key), value, "field is immutable"));
  }
  return errors;
}
