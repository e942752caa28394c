import { RIGHTS_GROUP } from "../../shared/lifecycle/permissions.ts";
import { GROUP } from "../../shared/resource.ts";
import { clusterWide, describe, type Manifest } from "./manifest.ts";

const RBAC = "rbac.authorization.k8s.io";

/** People's roles, from those who do most to those who only look. */
const ROLES = {
  "store-admin": "Runs the store: repositories, categories, reviews, publishing, suspending.",
  reviewer: "Reviews what vendors submit; publishes nothing.",
  vendor: "Uploads, submits and releases applications of a workspace.",
  member: "Looks around in the store and asks for releases.",
  viewer: "Looks around in the store.",
} as const;

type Role = keyof typeof ROLES;

interface Rights {
  readonly name: string;
  /** The roles that have these rights. */
  readonly roles: readonly Role[];
  readonly rules: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[];
  /** Rules on the objects themselves, for those who come with kubectl. */
  readonly objects?: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[];
}

const READ = ["get", "list"];
const READ_OBJECTS = ["get", "list", "watch"];
const OFFERED = ["helmapplications", "helmapplicationversions", "helmcategories", "helmpackages"];

/** Sets of rights, each a ClusterRole of its own, from which the roles are put together. */
const RIGHTS: readonly Rights[] = [
  {
    name: "view",
    roles: ["store-admin", "reviewer", "vendor", "member", "viewer"],
    rules: [{ resources: ["apps", "apps/versions", "apps/audits", "categories", "attachments"], verbs: READ }],
    objects: [{ resources: OFFERED, verbs: READ_OBJECTS }],
  },
  {
    name: "request",
    roles: ["store-admin", "member"],
    rules: [{ resources: ["applications"], verbs: [...READ, "create", "update", "patch", "delete"] }],
    objects: [
      { resources: ["helmrequests"], verbs: [...READ_OBJECTS, "create", "delete"] },
      { resources: ["helmreleases"], verbs: READ_OBJECTS },
    ],
  },
  {
    name: "offer",
    roles: ["store-admin", "vendor"],
    rules: [
      { resources: ["apps", "attachments"], verbs: ["create", "update", "patch", "delete"] },
      { resources: ["apps/versions"], verbs: ["create", "update", "patch", "delete", "submit", "release"] },
    ],
  },
  {
    name: "review",
    roles: ["store-admin", "reviewer"],
    rules: [
      { resources: ["apps/versions"], verbs: ["review"] },
      { resources: ["reviews"], verbs: READ },
    ],
  },
  {
    name: "manage",
    roles: ["store-admin"],
    rules: [
      { resources: ["apps", "apps/versions"], verbs: ["suspend"] },
      { resources: ["apps/versions"], verbs: ["review-admin"] },
      { resources: ["categories"], verbs: ["create", "update", "patch", "delete"] },
      { resources: ["workspaces"], verbs: ["delete"] },
      { resources: ["repos"], verbs: [...READ, "create", "update", "patch", "delete", "refresh"] },
      { resources: ["repos/events", "repos/action"], verbs: [...READ, "create"] },
    ],
    objects: [{ resources: ["helmrepos"], verbs: [...READ_OBJECTS, "create", "update", "patch", "delete"] }],
  },
];

/** The ClusterRoles that people are given; bound in a namespace they hold for the workspace of that name. */
export function peoplesRoles(): readonly Manifest[] {
  return [...(Object.keys(ROLES) as Role[]).map(role), ...RIGHTS.map(rights)];
}

/** Label by which an administrator adds a ClusterRole's rules to one of the store's roles. */
function aggregation(role: Role): string {
  return `${GROUP}/aggregate-to-${role}`;
}

function role(name: Role): Manifest {
  const text = `${ROLES[name]} Label a ClusterRole with ${aggregation(name)}=true to add its rules.`;
  return {
    apiVersion: `${RBAC}/v1`,
    kind: "ClusterRole",
    metadata: { ...clusterWide(`openpitrix:${name}`), annotations: describe(text) },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [aggregation(name)]: "true" } }] },
    rules: [],
  };
}

function rights({ name, roles, rules, objects = [] }: Rights): Manifest {
  const metadata = clusterWide(`openpitrix:rights-${name}`);
  const labels = Object.fromEntries(roles.map((each) => [aggregation(each), "true"]));
  return {
    apiVersion: `${RBAC}/v1`,
    kind: "ClusterRole",
    metadata: { ...metadata, labels: { ...metadata.labels, ...labels } },
    rules: [
      ...rules.map((rule) => ({ apiGroups: [RIGHTS_GROUP], ...rule })),
      ...objects.map((rule) => ({ apiGroups: [GROUP], ...rule })),
    ],
  };
}
