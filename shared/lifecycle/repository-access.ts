import { Failure } from "../errors.ts";
import { SYSTEM_NAMESPACE } from "../origin.ts";
import type { RepositoryAccess } from "../ports.ts";
import type { Secret } from "../resources/core.ts";
import { HelmRepo } from "../resources/helm-repo.ts";
import { dockerSignIn } from "./docker-config.ts";

/** What a Secret of a repository may hold, as errors list it. */
const KEYS = ["username", "password", "token", "ca.crt", "tls.crt", "tls.key"];
const S3_KEYS = ["accessKeyID", "secretAccessKey", "sessionToken"];
const DOCKER_CONFIG = ".dockerconfigjson";

/** KubeSphere's paths of certificates, and what takes their place in a Secret. */
const FILES = { caFile: "ca.crt", certFile: "tls.crt", keyFile: "tls.key" } as const;

/**
 * How to speak to a repository: the Secret's credentials where there is one, else those in the object. Secrets may be
 * Opaque or of the types kubernetes.io/basic-auth, tls and dockerconfigjson.
 * Fails with Invalid, in one sentence without secrets, where they cannot be used.
 */
export function repositoryAccess(repo: HelmRepo, secret: Secret | undefined): RepositoryAccess {
  const { url, credential = {}, charts, plainHttp, allowedHosts } = repo.spec;
  refuseUnusable(repo, secret);
  const docker = dockerSignIn(secretText(secret, DOCKER_CONFIG), { url, secret: titleOf(secret) });
  return filled({
    url,
    charts,
    plainHttp,
    allowedHosts,
    username: secretText(secret, "username") ?? docker.username ?? credential.username,
    password: secretText(secret, "password") ?? docker.password ?? credential.password,
    token: secretText(secret, "token") ?? docker.token,
    s3: s3Access(repo, secret),
    ca: secretText(secret, "ca.crt"),
    cert: secretText(secret, "tls.crt"),
    key: secretText(secret, "tls.key"),
    // KubeSphere verifies only when told to; we verify unless told not to.
    insecureSkipTLSVerify: credential.insecureSkipTLSVerify ?? false,
  });
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

function s3Access({ spec }: HelmRepo, secret: Secret | undefined): RepositoryAccess["s3"] {
  const { credential = {}, s3 = {} } = spec;
  const access = filled({
    ...s3,
    accessKeyID: secretText(secret, "accessKeyID") ?? credential.accessKeyID,
    secretAccessKey: secretText(secret, "secretAccessKey") ?? credential.secretAccessKey,
    sessionToken: secretText(secret, "sessionToken"),
  });
  return Object.keys(access).length === 0 ? undefined : access;
}

function refuseUnusable({ metadata, spec }: HelmRepo, secret: Secret | undefined): void {
  const { credential = {} } = spec;
  for (const [field, key] of Object.entries(FILES)) {
    if (!credential[field as keyof typeof FILES] || secretText(secret, key) !== undefined) continue;
    const named = `spec.credential.${field} of HelmRepo ${metadata.name} names a file of another machine`;
    throw new Failure("Invalid", `${named}; put its content into a Secret as ${key} and name that in spec.secretRef`);
  }
  const problem = secret && problemOf(secret, metadata.name);
  if (problem) throw new Failure("Invalid", `${titleOf(secret)} ${problem}`);
}

function problemOf(secret: Secret, repository: string): string | undefined {
  const owner = secret.metadata.ownerReferences?.find(({ kind }) => kind === HelmRepo.kind);
  if (owner && owner.name !== repository) {
    return `holds the credentials of HelmRepo ${owner.name} and is for that alone; make one for HelmRepo ${repository}`;
  }
  const has = (key: string) => secretText(secret, key) !== undefined;
  const known = [...KEYS, ...S3_KEYS, DOCKER_CONFIG];
  if (!known.some(has)) return `holds none of ${known.join(", ")}; add what the repository needs`;
  return has("tls.crt") === has("tls.key") ? undefined : "holds only one of tls.crt and tls.key; add the other";
}

function titleOf(secret: Secret | undefined): string {
  return `Secret ${secret?.metadata.namespace ?? SYSTEM_NAMESPACE}/${secret?.metadata.name}`;
}

/** The text of a key; the line end that editors and `--from-file` leave behind is not part of it. */
export function secretText(secret: Secret | undefined, key: string): string | undefined {
  const value = secret?.data?.[key];
  if (value === undefined || value === "") return undefined;
  return Buffer.from(value, "base64")
    .toString("utf8")
    .replace(/[\r\n]+$/, "");
}

/** The fields that say something. */
function filled<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== "");
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
