import { createFrom } from "./create.ts";
import { ApiError } from "./errors.ts";
import type { KubeObject } from "./object.ts";
import type { JsonObject } from "./schema/json.ts";
import { type Backend, idOf } from "./target.ts";

/** Writes an object that the server itself wants to exist, unless it does. */
export async function ensureObject(backend: Backend, wanted: JsonObject): Promise<void> {
  const object = structuredClone(wanted) as unknown as KubeObject;
  const kind = backend.registry.ofKind(object.apiVersion, object.kind);
  if (kind === undefined)
    throw new Error(`the kind ${object.apiVersion} ${object.kind} of a default object is not served`);
  const { namespace = "", name } = object.metadata;
  if (backend.storage.get(idOf(kind, namespace, name)) !== undefined) return;
  const target = { kind, namespace, name: undefined, subresource: undefined };
  const options = { dryRun: false, manager: "kube-apiserver", force: false, validation: "Strict" } as const;
  try {
    await createFrom(backend, { target, options, warnings: [] }, object);
  } catch (error) {
    if (!(error instanceof ApiError && error.status.reason === "AlreadyExists")) throw error;
  }
}

const namespaces = ["default", "kube-system", "kube-public", "kube-node-lease"];

/** Creates what every cluster starts with: namespaces, the `kubernetes` Service, the default roles. */
export async function ensureDefaults(backend: Backend): Promise<void> {
  for (const name of namespaces)
    await ensureObject(backend, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  for (const object of [kubernetesService, ...defaultRoles()]) await ensureObject(backend, object);
}

/** The ServiceAccount that every namespace has. */
export function defaultAccount(namespace: string): JsonObject {
  return { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace } };
}

const kubernetesService: JsonObject = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "kubernetes", namespace: "default", labels: { component: "apiserver", provider: "kubernetes" } },
  spec: {
    clusterIP: "10.96.0.1",
    clusterIPs: ["10.96.0.1"],
    ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: 6443 }],
  },
};

interface RoleRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

const everything: readonly RoleRule[] = [
  { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
  { nonResourceURLs: ["*"], verbs: ["*"] },
];

const publicPaths = ["/healthz", "/livez", "/readyz", "/version", "/version/"];
const discoveryPaths = [...publicPaths, "/api", "/api/*", "/apis", "/apis/*", "/openapi", "/openapi/*"];
const reads = ["get", "list", "watch"];
const writes = ["create", "delete", "deletecollection", "patch", "update"];

const workGroups = ["apps", "autoscaling", "batch", "networking.k8s.io", "policy"];
const coreViews = [
  "configmaps",
  "endpoints",
  "events",
  "limitranges",
  "persistentvolumeclaims",
  "pods",
  "pods/log",
  "pods/status",
  "replicationcontrollers",
  "resourcequotas",
  "serviceaccounts",
  "services",
];

const viewRules: readonly RoleRule[] = [
  { apiGroups: [""], resources: [...coreViews, "namespaces"], verbs: reads },
  { apiGroups: [...workGroups, "discovery.k8s.io", "events.k8s.io"], resources: ["*"], verbs: reads },
];

const editRules: readonly RoleRule[] = [
  ...viewRules,
  { apiGroups: [""], resources: ["secrets"], verbs: reads },
  { apiGroups: [""], resources: [...coreViews, "secrets", "pods/eviction", "serviceaccounts/token"], verbs: writes },
  { apiGroups: workGroups, resources: ["*"], verbs: writes },
];

const adminRules: readonly RoleRule[] = [
  ...editRules,
  { apiGroups: ["rbac.authorization.k8s.io"], resources: ["roles", "rolebindings"], verbs: [...reads, ...writes] },
  { apiGroups: ["authorization.k8s.io"], resources: ["localsubjectaccessreviews"], verbs: ["create"] },
];

const reviewRules: readonly RoleRule[] = [
  {
    apiGroups: ["authorization.k8s.io"],
    resources: ["selfsubjectaccessreviews", "selfsubjectrulesreviews"],
    verbs: ["create"],
  },
  { apiGroups: ["authentication.k8s.io"], resources: ["selfsubjectreviews"], verbs: ["create"] },
];

const askingRules: readonly RoleRule[] = [
  { apiGroups: ["authentication.k8s.io"], resources: ["tokenreviews"], verbs: ["create"] },
  { apiGroups: ["authorization.k8s.io"], resources: ["subjectaccessreviews"], verbs: ["create"] },
];

// The three roles for people gather what other roles add to them by label, as on a real cluster.
function defaultRoles(): readonly JsonObject[] {
  return [
    clusterRole("cluster-admin", everything),
    ...["admin", "edit", "view"].map(aggregate),
    clusterRole("system:aggregate-to-admin", adminRules, "admin"),
    clusterRole("system:aggregate-to-edit", editRules, "edit"),
    clusterRole("system:aggregate-to-view", viewRules, "view"),
    clusterRole("system:auth-delegator", askingRules),
    clusterRole("system:basic-user", reviewRules),
    clusterRole("system:discovery", [{ nonResourceURLs: discoveryPaths, verbs: ["get"] }]),
    clusterRole("system:public-info-viewer", [{ nonResourceURLs: publicPaths, verbs: ["get"] }]),
    clusterBinding("cluster-admin", "system:masters"),
    clusterBinding("system:basic-user", "system:authenticated"),
    clusterBinding("system:discovery", "system:authenticated"),
    clusterBinding("system:public-info-viewer", "system:authenticated", "system:unauthenticated"),
  ];
}

const rbac = "rbac.authorization.k8s.io";
const bootstrapped = { "kubernetes.io/bootstrapping": "rbac-defaults" };

function clusterRole(name: string, rules: readonly RoleRule[], aggregatedTo?: string): JsonObject {
  const labels =
    aggregatedTo === undefined ? bootstrapped : { ...bootstrapped, [`${rbac}/aggregate-to-${aggregatedTo}`]: "true" };
  return {
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRole",
    metadata: { name, labels },
    rules: rules as unknown as JsonObject[],
  };
}

function aggregate(name: string): JsonObject {
  const matchLabels = { [`${rbac}/aggregate-to-${name}`]: "true" };
  const role = clusterRole(name, []);
  return { ...role, aggregationRule: { clusterRoleSelectors: [{ matchLabels }] } };
}

function clusterBinding(role: string, ...groups: readonly string[]): JsonObject {
  return {
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: role, labels: bootstrapped },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: role },
    subjects: groups.map((name) => ({ apiGroup: rbac, kind: "Group", name })),
  };
}
