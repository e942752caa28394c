import { SYSTEM_NAMESPACE } from "../origin.ts";
import type { RepositoryAccess } from "../ports.ts";
import type { Secret } from "../resources/core.ts";
import type { HelmRepo } from "../resources/helm-repo.ts";

/** How to speak to a repository: the Secret's credentials where there is one, else those in the object. */
export function repositoryAccess({ spec }: HelmRepo, secret: Secret | undefined): RepositoryAccess {
  const { credential = {} } = spec;
  const access = {
    url: spec.url,
    username: secretText(secret, "username") ?? credential.username,
    password: secretText(secret, "password") ?? credential.password,
    ca: secretText(secret, "ca.crt"),
    cert: secretText(secret, "tls.crt"),
    key: secretText(secret, "tls.key"),
    // KubeSphere verifies only when told to; we verify unless told not to.
    insecureSkipTLSVerify: credential.insecureSkipTLSVerify ?? false,
  };
  const present = Object.entries(access).filter(([, value]) => value !== undefined && value !== "");
  return { url: spec.url, ...Object.fromEntries(present) };
}

/** Where the Secret of a repository is: in the store's own namespace, see `secretProblem`. */
export function secretName({ spec }: HelmRepo) {
  const { secretRef } = spec;
  return secretRef && { name: secretRef.name, namespace: SYSTEM_NAMESPACE };
}

/** A repository that could name any Secret of the cluster could have it sent to an address of its own. */
export function secretProblem({ metadata, spec }: HelmRepo): string | undefined {
  const { namespace = SYSTEM_NAMESPACE } = spec.secretRef ?? {};
  if (namespace === SYSTEM_NAMESPACE) return undefined;
  return `spec.secretRef of HelmRepo ${metadata.name} names namespace ${namespace}; only Secrets in ${SYSTEM_NAMESPACE} are used, put it there`;
}

function secretText(secret: Secret | undefined, key: string): string | undefined {
  const value = secret?.data?.[key];
  return value === undefined ? undefined : Buffer.from(value, "base64").toString("utf8");
}
