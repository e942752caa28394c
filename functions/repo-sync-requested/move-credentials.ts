import { userInfoOf, withoutUserInfo } from "../../shared/charts/user-info.ts";
import { setConditions } from "../../shared/conditions.ts";
import { apply, last, replace, type Write } from "../../shared/decision.ts";
import { SYSTEM_NAMESPACE } from "../../shared/origin.ts";
import { present } from "../../shared/present.ts";
import { apiVersionOf } from "../../shared/resource.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";

/** The repository as it is wanted, and the writes that make it so: the Secret before the fields that it replaces. */
export interface Moved {
  readonly repo: HelmRepo;
  readonly writes: readonly Write<"HelmRepo" | "Secret">[];
}

/** Fields that nobody who may read a repository is to see. */
const HIDDEN = ["username", "password", "accessKeyID", "secretAccessKey"] as const;

/** Where `kubectl apply` keeps a copy of all that it was given. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * Moves credentials out of a repository's spec, its URL included, into a Secret, where they have to be encrypted and
 * granted apart. A Secret that somebody else named stays what counts.
 */
export function moveCredentials(repo: HelmRepo, now: Date): Moved {
  const name = `${repo.metadata.name}-credentials`;
  const { credential = {}, secretRef } = repo.spec;
  const inline = HIDDEN.flatMap((key) => (credential[key] ? [[key, credential[key]]] : []));
  const found = { ...userInfoOf(repo.spec.url), ...Object.fromEntries(inline) };
  const foreign = secretRef !== undefined && secretRef.name !== name;
  if (foreign || !isSecret(found)) return { repo, writes: [] };
  const shown = Object.fromEntries(
    Object.entries(credential).filter(([key]) => !HIDDEN.some((hidden) => hidden === key)),
  );
  const wanted: HelmRepo = {
    ...repo,
    metadata: metadataOf(repo),
    spec: {
      ...repo.spec,
      url: withoutUserInfo(repo.spec.url),
      credential: shown,
      secretRef: { name, namespace: SYSTEM_NAMESPACE },
    },
    status: { ...repo.status, conditions: movedCondition(repo, name, now) },
  };
  return { repo: wanted, writes: [apply(Secret, secretOf(repo, name, found)), last(replace(HelmRepo, wanted))] };
}

/** A user name alone is no secret, and the anonymous sign-in of some registries. */
function isSecret(found: Readonly<Record<string, string>>): boolean {
  return found["password"] !== undefined || found["secretAccessKey"] !== undefined;
}

/** Without kubectl's copy; the API server counts the edit that is ours too: the sync that begins now acts on it. */
function metadataOf({ metadata }: HelmRepo): HelmRepo["metadata"] {
  const { [LAST_APPLIED]: _, ...annotations } = metadata.annotations ?? {};
  return {
    ...metadata,
    ...(metadata.annotations ? { annotations } : {}),
    ...present({ generation: metadata.generation === undefined ? undefined : metadata.generation + 1 }),
  };
}

function secretOf({ metadata }: HelmRepo, name: string, found: Readonly<Record<string, string>>) {
  const owner = { apiVersion: apiVersionOf(HelmRepo), kind: HelmRepo.kind, name: metadata.name };
  const ownerReferences = metadata.uid === undefined ? [] : [{ ...owner, uid: metadata.uid }];
  const data = Object.entries(found).map(([key, value]) => [key, Buffer.from(value).toString("base64")]);
  return {
    metadata: { name, namespace: SYSTEM_NAMESPACE, ownerReferences },
    type: "Opaque",
    data: Object.fromEntries(data),
  };
}

function movedCondition({ status }: HelmRepo, name: string, now: Date) {
  const message = `the credentials in the spec were moved into Secret ${SYSTEM_NAMESPACE}/${name}; change them there from now on`;
  const input = { type: "CredentialsMoved", status: "True", reason: "MovedToSecret", message } as const;
  return setConditions(status?.conditions, [input], now.toISOString());
}
