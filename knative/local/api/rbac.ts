import { type KubeObject, parseObject } from "./object.ts";
import { at, type Json, listOf, textOf, textsOf } from "./schema/json.ts";
import { resourceKey, type Storage } from "./storage.ts";
import { mastersGroup, type User } from "./user.ts";

/** One thing somebody wants to do: with a resource, or with a path that is none. */
export interface Action {
  readonly verb: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly namespace?: string;
  /** Set for paths such as /version; then the resource fields do not count. */
  readonly path?: string;
}

/** The rules of RBAC that apply to a user, and where they hold. */
export interface GrantedRule {
  readonly rule: Json;
  /** Empty for rules that hold everywhere. */
  readonly namespace: string;
  readonly binding: string;
}

/** The API group of roles and bindings. */
export const rbacGroup = "rbac.authorization.k8s.io";
const clusterBindings = resourceKey(rbacGroup, "clusterrolebindings");
const bindings = resourceKey(rbacGroup, "rolebindings");
const clusterRoles = resourceKey(rbacGroup, "clusterroles");
const roles = resourceKey(rbacGroup, "roles");

/** Decides by the stored RBAC objects; the answer says which binding allows it, undefined means no. */
export function allowedBy(storage: Storage, user: User, action: Action): string | undefined {
  if (user.groups.includes(mastersGroup)) return `member of the group ${mastersGroup}`;
  const granted = rulesFor(storage, user, action.namespace ?? "");
  return granted.find(({ rule, namespace }) => ruleAllows(rule, action, namespace))?.binding;
}

/** All rules that hold for a user cluster-wide and in one namespace. */
export function rulesFor(storage: Storage, user: User, namespace: string): readonly GrantedRule[] {
  const granted: GrantedRule[] = [];
  for (const entry of storage.list(clusterBindings)) {
    granted.push(...rulesOfBinding(storage, user, parseObject(entry.text)));
  }
  if (namespace === "") return granted;
  for (const entry of storage.list(bindings, namespace)) {
    granted.push(...rulesOfBinding(storage, user, parseObject(entry.text)));
  }
  return granted;
}

function rulesOfBinding(storage: Storage, user: User, binding: KubeObject): readonly GrantedRule[] {
  const namespace = binding.metadata.namespace ?? "";
  if (!listOf(binding["subjects"]).some((subject) => isSubject(subject, user, namespace))) return [];
  const label = `${binding.kind} ${JSON.stringify(namespace === "" ? binding.metadata.name : `${binding.metadata.name}/${namespace}`)}`;
  return (rulesOfRole(storage, binding, namespace) ?? []).map((rule) => ({ rule, namespace, binding: label }));
}

/** The rules of the role that a binding names; undefined when there is no such role. */
export function rulesOfRole(storage: Storage, binding: KubeObject, namespace: string): readonly Json[] | undefined {
  const name = textOf(at(binding, "roleRef", "name"));
  const cluster = at(binding, "roleRef", "kind") === "ClusterRole";
  const resource = cluster ? clusterRoles : roles;
  const entry = storage.get({ resource, namespace: cluster ? "" : namespace, name });
  if (entry === undefined) return undefined;
  const role = parseObject(entry.text);
  return [...listOf(role["rules"]), ...aggregatedRules(storage, role)];
}

// The real server's controller copies the rules; looking them up when asked needs no controller.
function aggregatedRules(storage: Storage, role: KubeObject): readonly Json[] {
  const selectors = listOf(at(role, "aggregationRule", "clusterRoleSelectors"));
  if (selectors.length === 0) return [];
  const matching = storage
    .list(clusterRoles)
    .map((entry) => parseObject(entry.text))
    .filter((other) =>
      selectors.some((selector) => labelsMatch(at(selector, "matchLabels"), other.metadata.labels ?? {})),
    );
  return matching.flatMap((other) => listOf(other["rules"]));
}

function labelsMatch(wanted: Json | undefined, labels: Readonly<Record<string, string>>): boolean {
  const pairs = Object.entries((wanted ?? {}) as Record<string, string>);
  return pairs.length > 0 && pairs.every(([key, value]) => labels[key] === value);
}

function isSubject(subject: Json, user: User, namespace: string): boolean {
  const name = textOf(at(subject, "name"));
  const kind = at(subject, "kind");
  if (kind === "User") return name === user.name;
  if (kind === "Group") return user.groups.includes(name);
  const home = textOf(at(subject, "namespace")) || namespace;
  return kind === "ServiceAccount" && user.name === `system:serviceaccount:${home}:${name}`;
}

function ruleAllows(rule: Json, action: Action, namespace: string): boolean {
  if (!matches(textsOf(at(rule, "verbs")), action.verb)) return false;
  if (action.path !== undefined)
    return namespace === "" && pathAllowed(textsOf(at(rule, "nonResourceURLs")), action.path);
  if (!matches(textsOf(at(rule, "apiGroups")), action.group ?? "")) return false;
  if (!resourceAllowed(textsOf(at(rule, "resources")), action)) return false;
  const names = textsOf(at(rule, "resourceNames"));
  return names.length === 0 || names.includes(action.name ?? "");
}

function matches(allowed: readonly string[], wanted: string): boolean {
  return allowed.includes("*") || allowed.includes(wanted);
}

function resourceAllowed(allowed: readonly string[], { resource = "", subresource }: Action): boolean {
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  return matches(allowed, full) || (subresource !== undefined && allowed.includes(`*/${subresource}`));
}

function pathAllowed(allowed: readonly string[], path: string): boolean {
  return allowed.some((one) => one === path || (one.endsWith("*") && path.startsWith(one.slice(0, -1))));
}
