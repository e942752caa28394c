import { isMapping, parseJsonMapping, scalarText } from "../charts/records.ts";

/** Types of simple signing that cosign has written into `critical.type`. */
const SIMPLE_SIGNING = ["cosign container image signature", "https://sigstore.dev/cosign/sign/v1"];

/** in-toto predicate of a signature; others are attestations, which say something else than "this is mine". */
const SIGN_PREDICATE = "https://sigstore.dev/cosign/sign/v1";
const IN_TOTO = "application/vnd.in-toto+json";

/** Digest of the manifest that a simple-signing payload speaks of; `undefined` where it is no such payload. */
export function signedDigestOfPayload(payload: Uint8Array): string | undefined {
  const critical = parseJsonMapping(payload)?.["critical"];
  if (!isMapping(critical) || !SIMPLE_SIGNING.includes(scalarText(critical["type"]))) return undefined;
  const image = critical["image"];
  return isMapping(image) ? scalarText(image["docker-manifest-digest"]) : undefined;
}

/** What a DSSE envelope says was signed: the digest it speaks of, the bytes under the signature, and that. */
interface SignedDigest {
  readonly digest: string;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

/** The signature inside a sigstore bundle; `undefined` where it holds none by which cosign vouches for a manifest. */
export function signedDigestOfBundle(bundle: Readonly<Record<string, unknown>>): SignedDigest | undefined {
  const envelope = bundle["dsseEnvelope"];
  if (!isMapping(envelope) || envelope["payloadType"] !== IN_TOTO) return undefined;
  const payload = Buffer.from(scalarText(envelope["payload"]), "base64");
  const signatures = Array.isArray(envelope["signatures"]) ? envelope["signatures"].filter(isMapping) : [];
  const digest = subjectOf(parseJsonMapping(payload) ?? {});
  const [only] = signatures;
  if (digest === undefined || !only || signatures.length > 1) return undefined;
  return { digest, signed: preAuthentication(payload), signature: Buffer.from(scalarText(only["sig"]), "base64") };
}

function subjectOf(statement: Readonly<Record<string, unknown>>): string | undefined {
  const subjects = Array.isArray(statement["subject"]) ? statement["subject"].filter(isMapping) : [];
  if (statement["predicateType"] !== SIGN_PREDICATE || subjects.length !== 1) return undefined;
  const digests = subjects[0]?.["digest"];
  const hex = isMapping(digests) ? scalarText(digests["sha256"]) : "";
  return /^[0-9a-f]{64}$/.test(hex) ? `sha256:${hex}` : undefined;
}

/** The bytes that DSSE signs: type and payload, each with its length (DSSE v1, "PAE"). */
function preAuthentication(payload: Buffer): Uint8Array {
  return Buffer.concat([Buffer.from(`DSSEv1 ${IN_TOTO.length} ${IN_TOTO} ${payload.length} `), payload]);
}
