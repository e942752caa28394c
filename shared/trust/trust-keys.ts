import { sha256 } from "../digest.ts";
import { SYSTEM_NAMESPACE } from "../origin.ts";
import type { KubeReader } from "../ports.ts";
import { Secret } from "../resources/core.ts";
import type { HelmRepo } from "../resources/helm-repo.ts";
import type { Verify } from "../resources/verification.ts";
import { type CosignKey, readCosignKey } from "./cosign.ts";
import type { Distrust } from "./verdict.ts";

/** What a repository demands of its charts, with the keys to check it. */
export interface Demands {
  readonly policy: "warn" | "require";
  /** Digest of demands and keys: another mark means that earlier verdicts are out of date. */
  readonly mark: string;
  /** Each kind that is asked for: its keys, or why there are none. A kind that is left out is not asked for. */
  readonly provenance?: readonly Uint8Array[] | Distrust;
  readonly cosign?: readonly CosignKey[] | Distrust;
}

/** What the repository demands of signatures; `undefined` where it asks for none. */
export async function readDemands(
  { spec: { verify } }: HelmRepo,
  kube: KubeReader<typeof Secret>,
): Promise<Demands | undefined> {
  if (!verify || verify.policy === "off") return undefined;
  const [provenance, cosign] = await Promise.all([
    readEntries(verify.provenance, kube),
    readEntries(verify.cosign, kube),
  ]);
  return {
    policy: verify.policy,
    mark: sha256(JSON.stringify([provenance ?? null, cosign ?? null])),
    ...(provenance ? { provenance: keyringsOf(provenance) } : {}),
    ...(cosign ? { cosign: cosignKeysOf(cosign) } : {}),
  };
}

interface Entries {
  /** Name of the Secret. */
  readonly secret: string;
  /** Its entries in base64, sorted by name; absent where there is no such Secret. */
  readonly data?: readonly (readonly [string, string])[];
}

async function readEntries(asked: Verify["cosign"], kube: KubeReader<typeof Secret>): Promise<Entries | undefined> {
  if (!asked) return undefined;
  const { name } = asked.secretRef;
  const secret = await kube.get(Secret, { name, namespace: SYSTEM_NAMESPACE });
  if (!secret) return { secret: name };
  return { secret: name, data: Object.entries(secret.data ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)) };
}

function keyringsOf({ secret, data }: Entries): readonly Uint8Array[] | Distrust {
  if (!data) return missing(secret);
  if (data.length === 0) return noKey(`Secret ${secret} is empty; put a keyring with the signers' public keys into it`);
  return data.map(([, value]) => Buffer.from(value, "base64"));
}

function cosignKeysOf({ secret, data }: Entries): readonly CosignKey[] | Distrust {
  if (!data) return missing(secret);
  const keys: CosignKey[] = [];
  for (const [name, value] of data.filter(([entry]) => entry.endsWith(".pub"))) {
    const key = readCosignKey(Buffer.from(value, "base64").toString("utf8"));
    if ("reason" in key)
      return { reason: key.reason, message: `${name} in Secret ${secret} is refused: ${key.message}` };
    keys.push(key);
  }
  return keys.length > 0 ? keys : noKey(`Secret ${secret} has no entry that ends in .pub; put cosign.pub into it`);
}

function missing(secret: string): Distrust {
  return noKey(`Secret ${secret} does not exist in namespace ${SYSTEM_NAMESPACE}; make it with the public keys`);
}

function noKey(message: string): Distrust {
  return { reason: "NoKey", message };
}
