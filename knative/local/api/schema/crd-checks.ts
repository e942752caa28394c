import { child, duplicate, invalid, notSupported, required } from "./field-errors.ts";
import { at, isObject, type Json, listOf, textOf } from "./json.ts";
import { label1035Problems, labelNameProblems, subdomainProblems } from "./names.ts";
import { structuralErrors } from "./structural-checks.ts";
import type { FieldError } from "./validate.ts";

/** What is wrong with a definition: its names, its versions, and the schema of each version. */
export function crdErrors(crd: Json): readonly FieldError[] {
  const spec = at(crd, "spec");
  return [...identityErrors(crd), ...groupErrors(spec), ...nameErrors(spec), ...versionErrors(spec)];
}

function identityErrors(crd: Json): readonly FieldError[] {
  const wanted = `${textOf(at(crd, "spec", "names", "plural"))}.${textOf(at(crd, "spec", "group"))}`;
  const name = textOf(at(crd, "metadata", "name"));
  return name === wanted ? [] : [invalid("metadata.name", name, `must be spec.names.plural+"."+spec.group`)];
}

function groupErrors(spec: Json | undefined): readonly FieldError[] {
  const group = textOf(at(spec, "group"));
  const scope = at(spec, "scope");
  const errors: FieldError[] = [];
  if (group === "") errors.push(required("spec.group"));
  else if (subdomainProblems(group).length > 0)
    errors.push(...subdomainProblems(group).map((text) => invalid("spec.group", group, text)));
  else if (!group.includes(".")) errors.push(invalid("spec.group", group, "should be a domain with at least one dot"));
  if (scope === undefined) errors.push(required("spec.scope"));
  else if (scope !== "Cluster" && scope !== "Namespaced")
    errors.push(notSupported("spec.scope", scope, ["Cluster", "Namespaced"]));
  return errors;
}

function nameErrors(spec: Json | undefined): readonly FieldError[] {
  const names = at(spec, "names");
  const rules = [
    ["plural", label1035Problems],
    ["kind", (text: string) => label1035Problems(text.toLowerCase())],
    ["singular", label1035Problems],
    ["listKind", (text: string) => label1035Problems(text.toLowerCase())],
  ] as const;
  const errors = rules.flatMap(([key, problems]) => {
    const text = textOf(at(names, key));
    const field = child("spec.names", key);
    if (text === "") return key === "plural" || key === "kind" ? [required(field)] : [];
    return problems(text).map((problem) => invalid(field, text, problem));
  });
  const short = listOf(at(names, "shortNames")).flatMap((name, index) =>
    label1035Problems(textOf(name)).map((problem) => invalid(`spec.names.shortNames[${index}]`, name, problem)),
  );
  const { kind, listKind } = isObject(names) ? names : {};
  const same = kind !== undefined && kind === listKind;
  return [
    ...errors,
    ...short,
    ...(same ? [invalid("spec.names.listKind", listKind, "kind and listKind may not be the same")] : []),
  ];
}

function versionErrors(spec: Json | undefined): readonly FieldError[] {
  const versions = listOf(at(spec, "versions"));
  if (versions.length === 0) return [required("spec.versions", "must have at least one version")];
  const stored = versions.filter((version) => at(version, "storage") === true).length;
  const errors: FieldError[] = [];
  if (stored !== 1)
    errors.push(invalid("spec.versions", versions, "must have exactly one version marked as storage version"));
  const seen = new Set<string>();
  for (const [index, version] of versions.entries()) {
    const path = `spec.versions[${index}]`;
    const name = textOf(at(version, "name"));
    if (seen.has(name)) errors.push(duplicate(child(path, "name"), name));
    seen.add(name);
    errors.push(
      ...labelNameProblems(name).map((problem) => invalid(child(path, "name"), name, problem)),
      ...schemaErrors(spec, version, path),
    );
  }
  return errors;
}

function schemaErrors(spec: Json | undefined, version: Json, path: string): readonly FieldError[] {
  const schema = at(version, "schema", "openAPIV3Schema");
  const field = child(path, "schema.openAPIV3Schema");
  if (!isObject(schema)) return [required(field, "schemas are required")];
  const open = at(spec, "preserveUnknownFields") === true;
  const flag = open
    ? [invalid("spec.preserveUnknownFields", true, "must be false in order to use defaults in the schema")]
    : [];
  return [...flag, ...structuralErrors(schema, field)];
}
