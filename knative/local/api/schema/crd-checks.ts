import { versionPartErrors } from "./crd-versions.ts";
import { child, invalid, notSupported, required } from "./field-errors.ts";
import { at, equal, isObject, type Json, listOf, textOf, textsOf } from "./json.ts";
import { label1035Problems, subdomainProblems } from "./names.ts";
import type { FieldError } from "./validate.ts";

/** What is wrong with a definition: its names, its versions, and what each version declares. */
export function crdErrors(crd: Json): readonly FieldError[] {
  const spec = at(crd, "spec");
  return [
    ...identityErrors(crd),
    ...groupErrors(spec),
    ...nameErrors(spec),
    ...versionErrors(spec),
    ...conversionErrors(spec),
  ];
}

const APPROVAL = "api-approved.kubernetes.io";

function identityErrors(crd: Json): readonly FieldError[] {
  const group = textOf(at(crd, "spec", "group"));
  const wanted = `${textOf(at(crd, "spec", "names", "plural"))}.${group}`;
  const name = textOf(at(crd, "metadata", "name"));
  const errors = name === wanted ? [] : [invalid("metadata.name", name, 'must be spec.names.plural+"."+spec.group')];
  const guarded = /(^|\.)(k8s|kubernetes)\.io$/.test(group);
  if (!guarded || textOf(at(crd, "metadata", "annotations", APPROVAL)) !== "") return errors;
  const text = `protected groups must have approval annotation "${APPROVAL}", see https://github.com/kubernetes/enhancements/pull/1111`;
  return [...errors, required(`metadata.annotations[${APPROVAL}]`, text)];
}

function groupErrors(spec: Json | undefined): readonly FieldError[] {
  return [...groupNameErrors(textOf(at(spec, "group"))), ...scopeErrors(at(spec, "scope"))];
}

function groupNameErrors(group: string): readonly FieldError[] {
  if (group === "") return [required("spec.group")];
  const problems = subdomainProblems(group);
  if (problems.length > 0) return problems.map((problem) => invalid("spec.group", group, problem));
  return group.includes(".") ? [] : [invalid("spec.group", group, "should be a domain with at least one dot")];
}

function scopeErrors(scope: Json | undefined): readonly FieldError[] {
  const scopes = ["Cluster", "Namespaced"];
  if (scope === undefined) return [required("spec.scope")];
  return scopes.includes(textOf(scope)) ? [] : [notSupported("spec.scope", scope, scopes)];
}

function nameErrors(spec: Json | undefined): readonly FieldError[] {
  const names = at(spec, "names");
  const { kind, listKind } = isObject(names) ? names : {};
  const texts = ["plural", "singular", "kind", "listKind"].flatMap((key) => oneNameErrors(key, textOf(at(names, key))));
  const lists = ["shortNames", "categories"].flatMap((key) => {
    return textsOf(at(names, key)).flatMap((name, index) => {
      return label1035Problems(name).map((problem) => invalid(`spec.names.${key}[${index}]`, name, problem));
    });
  });
  const same = kind !== undefined && kind === listKind;
  return [
    ...texts,
    ...lists,
    ...(same ? [invalid("spec.names.listKind", listKind, "kind and listKind may not be the same")] : []),
  ];
}

function oneNameErrors(key: string, name: string): readonly FieldError[] {
  const field = child("spec.names", key);
  if (name === "") return key === "plural" || key === "kind" ? [required(field)] : [];
  const mixed = key === "kind" || key === "listKind";
  const intro = mixed ? "may have mixed case, but should otherwise match: " : "";
  const problems = label1035Problems(mixed ? name.toLowerCase() : name);
  return problems.length === 0 ? [] : [invalid(field, name, `${intro}${problems.join(",")}`)];
}

function versionErrors(spec: Json | undefined): readonly FieldError[] {
  const versions = listOf(at(spec, "versions"));
  const names = versions.map((version) => textOf(at(version, "name")));
  const stored = versions.filter((version) => at(version, "storage") === true).length;
  const open = at(spec, "preserveUnknownFields") === true;
  const text =
    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return [
    ...(new Set(names).size === names.length
      ? []
      : [invalid("spec.versions", versions, "must contain unique version names")]),
    ...(stored === 1
      ? []
      : [invalid("spec.versions", versions, "must have exactly one version marked as storage version")]),
    ...(open ? [invalid("spec.preserveUnknownFields", true, text)] : []),
    ...versions.flatMap((version, index) => oneVersionErrors(version, `spec.versions[${index}]`)),
    ...partErrors(versions),
  ];
}

function oneVersionErrors(version: Json, path: string): readonly FieldError[] {
  const name = textOf(at(version, "name"));
  const warning = at(version, "deprecationWarning");
  const early = warning !== undefined && at(version, "deprecated") !== true;
  const problems = label1035Problems(name).map((problem) => invalid(child(path, "name"), name, problem));
  return early
    ? [...problems, invalid(child(path, "deprecationWarning"), warning, "can only be set for deprecated versions")]
    : problems;
}

const PARTS = ["schema", "subresources", "additionalPrinterColumns", "selectableFields"] as const;

/** What versions declare; parts that all versions share are reported once, without a version, as the API server does. */
function partErrors(versions: readonly Json[]): readonly FieldError[] {
  const [first, ...others] = versions;
  const shared =
    first !== undefined && others.every((other) => PARTS.every((part) => equal(at(first, part), at(other, part))));
  const missing = versions.flatMap((version, index) => {
    const found = isObject(at(version, "schema", "openAPIV3Schema"));
    return found ? [] : [required(`spec.versions[${index}].schema.openAPIV3Schema`)];
  });
  if (first !== undefined && shared)
    return [...missing, ...versionPartErrors(first, { schema: "spec.validation", parts: "spec" })];
  const own = versions.flatMap((version, index) => {
    const path = `spec.versions[${index}]`;
    return versionPartErrors(version, { schema: child(path, "schema"), parts: path });
  });
  return [...missing, ...own];
}

function conversionErrors(spec: Json | undefined): readonly FieldError[] {
  const conversion = at(spec, "conversion");
  const strategy = at(conversion, "strategy");
  const path = "spec.conversion";
  if (conversion === undefined || strategy === "None") return [];
  if (strategy !== "Webhook") return [notSupported(child(path, "strategy"), strategy ?? "", ["None", "Webhook"])];
  const versions = listOf(at(conversion, "webhook", "conversionReviewVersions"));
  const client = at(conversion, "webhook", "clientConfig");
  return [
    ...(client === undefined
      ? [required(child(path, "webhookClientConfig"), "required when strategy is set to Webhook")]
      : []),
    ...(versions.length === 0 ? [required(child(path, "conversionReviewVersions"))] : []),
  ];
}
