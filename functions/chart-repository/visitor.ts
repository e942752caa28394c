import type { HttpAnswer, HttpPorts, HttpRequest } from "../../shared/http-function.ts";
import { permitted } from "../../shared/lifecycle/permissions.ts";
import { isPublic, STORE_SETTINGS } from "../../shared/lifecycle/store-settings.ts";
import { ConfigMap } from "../../shared/resources/core.ts";
import type { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import type { HelmPackage } from "../../shared/resources/helm-package.ts";

/** What answering needs. */
export type RepositoryPorts = HttpPorts<
  never,
  typeof HelmApplicationVersion | typeof HelmPackage | typeof ConfigMap,
  "access" | "blobs"
>;

/** Helm asks for a password when it sees this. */
const CHALLENGE = { "www-authenticate": 'Basic realm="openpitrix"' };

/** Where a visitor wants to look. */
interface Visit {
  /** Whose shelf; without one the store's own. */
  readonly workspace: string | undefined;
  /** A registry client that tries its token before it asks for anything. */
  readonly signingIn: boolean;
}

/**
 * The answer to a visitor who may not look at a shelf; `undefined` lets them in. The store's own shelf is open unless
 * its settings close it; a workspace's is for those who may read versions in it. Helm sends a token as the password.
 */
export async function turnedAway(
  { headers }: HttpRequest,
  { workspace, signingIn }: Visit,
  { kube, access }: RepositoryPorts,
): Promise<HttpAnswer | undefined> {
  if (workspace === undefined && isPublic(await kube.get(ConfigMap, STORE_SETTINGS))) return undefined;
  const token = tokenOf(headers["authorization"] ?? "");
  const user = token === undefined ? undefined : await access.authenticate(token);
  if (!user) return { status: 401, headers: CHALLENGE, log: { why: "no token that Kubernetes knows" } };
  if (signingIn) return undefined;
  const wish = { verbs: ["get"], resource: "apps/versions", workspace };
  const permission = await permitted(access, user, wish);
  return permission.allowed ? undefined : { status: 403, log: { why: permission.message } };
}

function tokenOf(authorization: string): string | undefined {
  const [, scheme = "", value = ""] = /^(Bearer|Basic) +(\S+)$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== "basic") return value || undefined;
  const text = Buffer.from(value, "base64").toString("utf8");
  return text.slice(text.indexOf(":") + 1) || undefined;
}
