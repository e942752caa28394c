import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { parseJsonMapping } from "../charts/records.ts";
import { sha256 } from "../digest.ts";
import type { SignedChart } from "../ports.ts";
import { readSignedManifest, type SignedManifest } from "./chart-manifest.ts";
import type { ExpectedChart } from "./provenance.ts";
import { signedDigestOfBundle, signedDigestOfPayload } from "./signed-digest.ts";
import type { Checked, Distrust } from "./verdict.ts";

/** A public key of cosign's, and how evidence names it. */
export interface CosignKey {
  readonly key: KeyObject;
  /** sha256:<hex> of the key in DER. */
  readonly fingerprint: string;
}

const CURVES: readonly (string | undefined)[] = ["prime256v1", "secp384r1", "secp521r1"];
const MIN_RSA_BITS = 2048;

/** Reads a public key in PEM. Answers why it is refused where cosign would not use it, or nobody should any more. */
export function readCosignKey(pem: string): CosignKey | Distrust {
  try {
    const key = createPublicKey(pem);
    const weakness = weaknessOf(key);
    if (weakness !== undefined) return { reason: "WeakKey", message: weakness };
    return { key, fingerprint: sha256(key.export({ type: "spki", format: "der" })) };
  } catch {
    return { reason: "KeyUnreadable", message: "it is no public key in PEM, as cosign.pub is" };
  }
}

/**
 * Checks that one of the keys signed the manifest of the chart, and that this manifest is the one of the chart at hand.
 * Signatures without a key (certificates, transparency logs) do not count.
 */
export function checkCosign(chart: SignedChart, keys: readonly CosignKey[], expected: ExpectedChart): Checked {
  const manifest = readSignedManifest(chart.manifest);
  if (!manifest.ok) return manifest;
  const wrong = wrongChart(manifest, expected);
  if (wrong) return wrong;
  const signatures = [...chart.signatures.map(ofPayload), ...chart.bundles.map(ofBundle)].filter(
    (s) => s !== undefined,
  );
  if (signatures.length === 0) {
    return distrust("SignatureMissing", `no cosign signature is attached to ${manifest.digest}; sign it with cosign`);
  }
  const own = signatures.filter(({ digest }) => digest === manifest.digest);
  if (own.length === 0) {
    return distrust(
      "WrongChart",
      `the attached signatures speak of ${signatures[0]?.digest}, not of ${manifest.digest}`,
    );
  }
  const signer = keys.find(({ key }) => own.some((signature) => holds(key, signature)));
  if (!signer) {
    return distrust(
      "SignerUnknown",
      `none of the ${own.length} signatures of ${manifest.digest} is by a key that is trusted`,
    );
  }
  return { ok: true, digest: manifest.packageDigest, evidence: { method: "cosign", signer: signer.fingerprint } };
}

/** A registry that answers with another chart's signed manifest would pass it off as this one. */
function wrongChart({ title, version, packageDigest }: SignedManifest, expected: ExpectedChart): Checked | undefined {
  const named = `${title ?? expected.name} ${version ?? expected.version}`;
  if (named !== `${expected.name} ${expected.version}`) {
    return distrust("WrongChart", `the manifest is for ${named}, not for ${expected.name} ${expected.version}`);
  }
  if (expected.digest === undefined || packageDigest === expected.digest) return undefined;
  return distrust("DigestMismatch", `the manifest names the package ${packageDigest}, but it is ${expected.digest}`);
}

interface Signature {
  /** Digest of the manifest that the signed bytes speak of. */
  readonly digest: string;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

function ofPayload({ payload, signature }: SignedChart["signatures"][number]): Signature | undefined {
  const digest = signedDigestOfPayload(payload);
  return digest === undefined ? undefined : { digest, signed: payload, signature: Buffer.from(signature, "base64") };
}

function ofBundle(bundle: Uint8Array): Signature | undefined {
  const json = parseJsonMapping(bundle);
  return json && signedDigestOfBundle(json);
}

function holds(key: KeyObject, { signed, signature }: Signature): boolean {
  try {
    return verify(key.asymmetricKeyType === "ed25519" ? null : "sha256", signed, key, signature);
  } catch {
    // Bytes that are no signature of this kind of key.
    return false;
  }
}

function weaknessOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): string | undefined {
  if (type === "ed25519" || (type === "ec" && CURVES.includes(details?.namedCurve))) return undefined;
  const bits = details?.modulusLength ?? 0;
  if (type === "rsa" && bits >= MIN_RSA_BITS) return undefined;
  return type === "rsa" ? `an RSA key of ${bits} bits is too weak` : `keys of type ${type} are not used by cosign`;
}

function distrust(reason: string, message: string): Checked {
  return { ok: false, reason, message };
}
