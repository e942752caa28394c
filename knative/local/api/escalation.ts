import { forbidden, notFound } from "./errors.ts";
import type { KubeObject } from "./object.ts";
import { allowedBy, rbacGroup, rulesFor, rulesOfRole } from "./rbac.ts";
import { at, equal, type Json, listOf, textOf, textsOf } from "./schema/json.ts";
import { type Backend, subjectOf, type Target } from "./target.ts";
import { mastersGroup, type User } from "./user.ts";

/** A write of a role or a binding; `before` is the stored object where there is one. */
export interface Grant {
  readonly user: User;
  readonly object: KubeObject;
  readonly before?: KubeObject;
}

/**
 * Refuses a write with which somebody would hand out more than they hold, unless they may `escalate` the role or
 * `bind` it (Kubernetes' RBAC storage). Throws 403, and 404 for a binding of a role that is not there.
 */
export function refuseEscalation(backend: Backend, target: Target, grant: Grant): void {
  const { kind } = target;
  if (kind.group !== rbacGroup || grant.user.groups.includes(mastersGroup) || collectsOnly(grant)) return;
  if (kind.kind.endsWith("Binding")) refuseBinding(backend, target, grant);
  else refuseRole(backend, target, grant);
}

// Finalizers and owners may always be changed: the garbage collector does that.
function collectsOnly({ object, before }: Grant): boolean {
  return before !== undefined && equal(essence(object), essence(before));
}

function essence({ metadata, ...rest }: KubeObject): Json {
  const { finalizers: _, ownerReferences: _owners, managedFields: _fields, resourceVersion: _v, ...kept } = metadata;
  return { ...rest, metadata: kept } as unknown as Json;
}

function refuseRole(backend: Backend, target: Target, grant: Grant): void {
  const { kind, namespace, name } = target;
  const { user, object, before } = grant;
  const escalate = { verb: "escalate", group: rbacGroup, resource: kind.plural, namespace };
  if (allowedBy(backend.storage, user, name === undefined ? escalate : { ...escalate, name })) return;
  const held = heldBy(backend, user, namespace);
  refuseMissing(target, grant, missingFrom(held, listOf(object["rules"])));
  if (!gathers(object) && !gathers(before)) return;
  if (missingFrom(held, everything).length > 0) {
    const why = "must have cluster-admin privileges to use the aggregationRule";
    throw forbidden(subjectOf(kind, object.metadata.name), why);
  }
}

function refuseBinding(backend: Backend, target: Target, grant: Grant): void {
  const { kind, namespace } = target;
  const reference = grant.object["roleRef"];
  const name = textOf(at(reference, "name"));
  const resource = at(reference, "kind") === "ClusterRole" ? "clusterroles" : "roles";
  const bind = { verb: "bind", group: rbacGroup, resource, namespace, name };
  if (allowedBy(backend.storage, grant.user, bind)) return;
  const rules = rulesOfRole(backend.storage, grant.object, namespace);
  if (rules === undefined) throw notFound(subjectOf(kind, name));
  refuseMissing(target, grant, missingFrom(heldBy(backend, grant.user, namespace), rules));
}

function heldBy({ storage }: Backend, user: User, namespace: string): readonly Json[] {
  return rulesFor(storage, user, namespace).map(({ rule }) => rule);
}

function refuseMissing({ kind }: Target, { user, object }: Grant, missing: readonly Right[]): void {
  if (missing.length === 0) return;
  const who = `user ${JSON.stringify(user.name)} (groups=${quoted(user.groups)})`;
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${described(missing).join("\n")}`;
  throw forbidden(subjectOf(kind, object.metadata.name ?? ""), why);
}

const everything: readonly Json[] = [
  { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
  { nonResourceURLs: ["*"], verbs: ["*"] },
];

function gathers(role: KubeObject | undefined): boolean {
  return listOf(at(role, "aggregationRule", "clusterRoleSelectors")).length > 0;
}

/** The smallest thing that a rule allows: one verb on one resource, name or path. */
export type Right =
  | { readonly verb: string; readonly group: string; readonly resource: string; readonly name?: string }
  | { readonly verb: string; readonly path: string };

/** What of the wanted rules is not covered by any of the held ones. */
export function missingFrom(held: readonly Json[], wanted: readonly Json[]): readonly Right[] {
  return wanted.flatMap(rightsOf).filter((right) => !held.some((rule) => covers(rule, right)));
}

function rightsOf(rule: Json): readonly Right[] {
  const names = textsOf(at(rule, "resourceNames"));
  const verbs = textsOf(at(rule, "verbs"));
  const named = names.length === 0 ? [{}] : names.map((name) => ({ name }));
  const resources = textsOf(at(rule, "apiGroups")).flatMap((group) =>
    textsOf(at(rule, "resources")).flatMap((resource) =>
      verbs.flatMap((verb) => named.map((one) => ({ verb, group, resource, ...one }))),
    ),
  );
  const paths = textsOf(at(rule, "nonResourceURLs")).flatMap((path) => verbs.map((verb) => ({ verb, path })));
  return [...resources, ...paths];
}

function covers(rule: Json, right: Right): boolean {
  if (!holds(textsOf(at(rule, "verbs")), right.verb)) return false;
  if ("path" in right) return textsOf(at(rule, "nonResourceURLs")).some((owned) => pathCovers(owned, right.path));
  if (!holds(textsOf(at(rule, "apiGroups")), right.group)) return false;
  if (!resourceCovers(textsOf(at(rule, "resources")), right.resource)) return false;
  const names = textsOf(at(rule, "resourceNames"));
  return names.length === 0 || (right.name !== undefined && names.includes(right.name));
}

function holds(allowed: readonly string[], one: string): boolean {
  return allowed.includes("*") || allowed.includes(one);
}

function resourceCovers(allowed: readonly string[], resource: string): boolean {
  const slash = resource.indexOf("/");
  return holds(allowed, resource) || (slash >= 0 && allowed.includes(`*${resource.slice(slash)}`));
}

function pathCovers(owned: string, path: string): boolean {
  return owned === path || (owned.endsWith("*") && path.startsWith(owned.replace(/\*+$/u, "")));
}

/** Rights in one line per resource and name, or per path and verb, sorted. */
function described(rights: readonly Right[]): readonly string[] {
  const paths = rights.flatMap((right) => ("path" in right ? [pathText(right)] : []));
  const others = rights.flatMap((right) => ("path" in right ? [] : [right]));
  const byResource = [...Map.groupBy(others, resourceText)].map(
    ([resource, same]) => `{${resource}, Verbs:${quoted(same.map(({ verb }) => verb))}}`,
  );
  return [...paths, ...byResource].sort();
}

function pathText({ path, verb }: { readonly path: string; readonly verb: string }): string {
  return `{NonResourceURLs:${quoted([path])}, Verbs:${quoted([verb])}}`;
}

function resourceText({ group, resource, name }: Exclude<Right, { path: string }>): string {
  const named = name === undefined ? "" : `, ResourceNames:${quoted([name])}`;
  return `APIGroups:${quoted([group])}, Resources:${quoted([resource])}${named}`;
}

function quoted(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(" ")}]`;
}
