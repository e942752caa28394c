/** Who sends a request. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The group that may do everything. */
export const mastersGroup = "system:masters";

/** The group that every known user is in. */
export const authenticatedGroup = "system:authenticated";

/** The user behind the admin token, and behind the server's own workers. */
export const adminUser: User = { name: "kubernetes-admin", groups: [mastersGroup, authenticatedGroup] };

/** The user of a ServiceAccount. */
export function serviceAccountUser(namespace: string, name: string, uid: string): User {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    uid,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, authenticatedGroup],
  };
}
