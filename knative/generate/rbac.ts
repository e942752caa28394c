import { type ApiServerOrigin, SYSTEM_NAMESPACE } from "../../shared/origin.ts";
import { GROUP, type ResourceDefinition } from "../../shared/resource.ts";
import type { Deployed } from "./deployed.ts";
import { clusterWide, describe, inNamespace, type Manifest } from "./manifest.ts";

const RBAC = "rbac.authorization.k8s.io";

/** Role of functions that run Helm. */
const INSTALLER = "openpitrix:installer";

/** Kubernetes' own role of those who ask who somebody is and what they may do. */
const ASKER = "system:auth-delegator";

/** Label by which an administrator adds a ClusterRole to what functions that run Helm may do. */
const INSTALLER_LABEL = "application.kubesphere.io/aggregate-to-installer";

const INSTALLER_TEXT =
  "What Helm may do for a release: all that the built-in role admin allows, in every namespace. " +
  `Charts with cluster-wide objects need more: label a ClusterRole with ${INSTALLER_LABEL}=true to add its rules.`;

interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** ServiceAccount, roles and bindings of a function: what it declares to read and write, and nothing else. */
export function rbacOf({ name, function: definition }: Deployed): readonly Manifest[] {
  const { reads, writes, uses, cached = [] } = definition;
  const kinds = [...new Set([...reads, ...writes])].filter((kind) => !isOurOwn(kind));
  const rules = kinds.flatMap((kind) => [
    objectRule(kind, { reads: reads.includes(kind), writes: writes.includes(kind), watches: cached.includes(kind) }),
    ...(writes.includes(kind) && kind.group === GROUP ? [statusRule(kind)] : []),
  ]);
  return [
    serviceAccount(name),
    ...(rules.length > 0 ? grantEverywhere(name, rules) : []),
    ...[...new Set([...reads, ...writes])]
      .filter(isOurOwn)
      .flatMap((kind) => grantOurOwn(name, kind, writes.includes(kind))),
    ...(uses.includes("helm") ? [bindInstaller(name)] : []),
    ...(uses.includes("access") ? [bindEverywhere(name, `${ASKER}:${name}`, ASKER)] : []),
  ];
}

/** ServiceAccount, role and binding of an ApiServerSource. */
export function rbacOfSource({ name, resources }: ApiServerOrigin): readonly Manifest[] {
  const account = sourceAccount(name);
  const rules = resources.map(({ kind }) => ({ ...onObjects(kind), verbs: ["get", "list", "watch"] }));
  return [serviceAccount(account), ...grantEverywhere(account, rules)];
}

/** The ServiceAccount of a source; a function may bear the source's name. */
export function sourceAccount(source: string): string {
  return `source-${source}`;
}

/** What Helm may do: all that `admin` may in any namespace, and what administrators add with the label. */
export function installerRole(): Manifest {
  const selectors = ["admin", "edit", "view"].map((role) => ({ [`${RBAC}/aggregate-to-${role}`]: "true" }));
  return {
    apiVersion: `${RBAC}/v1`,
    kind: "ClusterRole",
    metadata: { ...clusterWide(INSTALLER), annotations: describe(INSTALLER_TEXT) },
    aggregationRule: {
      clusterRoleSelectors: [...selectors, { [INSTALLER_LABEL]: "true" }].map((matchLabels) => ({ matchLabels })),
    },
    rules: [],
  };
}

/** Kinds that are read in our own namespace only. */
function isOurOwn({ group, kind }: ResourceDefinition): boolean {
  return group === "" && (kind === "Secret" || kind === "ConfigMap");
}

function onObjects({ group, plural }: ResourceDefinition) {
  return { apiGroups: [group], resources: [plural] };
}

interface Deeds {
  readonly reads: boolean;
  readonly writes: boolean;
  readonly watches: boolean;
}

function objectRule(kind: ResourceDefinition, { reads, writes, watches }: Deeds): PolicyRule {
  const looking = [...(reads ? ["list"] : []), ...(watches ? ["watch"] : [])];
  const verbs = ["get", ...looking, ...(writes ? ["create", "patch", "update", "delete"] : [])];
  return { ...onObjects(kind), verbs };
}

function statusRule({ group, plural }: ResourceDefinition): PolicyRule {
  return { apiGroups: [group], resources: [`${plural}/status`], verbs: ["patch", "update"] };
}

function serviceAccount(name: string): Manifest {
  return { apiVersion: "v1", kind: "ServiceAccount", metadata: inNamespace(name) };
}

function grantEverywhere(name: string, rules: readonly PolicyRule[]): readonly Manifest[] {
  const role = `openpitrix:${name}`;
  return [
    { apiVersion: `${RBAC}/v1`, kind: "ClusterRole", metadata: clusterWide(role), rules },
    bindEverywhere(name, role, role),
  ];
}

function bindEverywhere(account: string, binding: string, role: string): Manifest {
  return {
    apiVersion: `${RBAC}/v1`,
    kind: "ClusterRoleBinding",
    metadata: clusterWide(binding),
    roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: role },
    subjects: [subject(account)],
  };
}

function bindInstaller(account: string): Manifest {
  return bindEverywhere(account, `${INSTALLER}:${account}`, INSTALLER);
}

/** Secrets and settings are at hand in our own namespace; an administrator opens another one with a Role of its own. */
function grantOurOwn(name: string, { plural }: ResourceDefinition, writes: boolean): readonly Manifest[] {
  const role = `${name}-${plural}`;
  const verbs = ["get", ...(writes ? ["create", "patch"] : [])];
  return [
    {
      apiVersion: `${RBAC}/v1`,
      kind: "Role",
      metadata: inNamespace(role),
      rules: [{ apiGroups: [""], resources: [plural], verbs }],
    },
    {
      apiVersion: `${RBAC}/v1`,
      kind: "RoleBinding",
      metadata: inNamespace(role),
      roleRef: { apiGroup: RBAC, kind: "Role", name: role },
      subjects: [subject(name)],
    },
  ];
}

function subject(name: string) {
  return { kind: "ServiceAccount", name, namespace: SYSTEM_NAMESPACE };
}
