import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { sha256 } from "../digest.ts";
import type { SignedChart } from "../ports.ts";
import { type CosignKey, checkCosign, readCosignKey } from "./cosign.ts";

const PACKAGE = `sha256:${"ab".repeat(32)}`;
const WEB = { name: "web", version: "1.0.0", digest: PACKAGE };
const IN_TOTO = "application/vnd.in-toto+json";
const SIGN = "https://sigstore.dev/cosign/sign/v1";

const ours = generateKeyPairSync("ec", { namedCurve: "P-256" });
const theirs = generateKeyPairSync("ec", { namedCurve: "P-256" });
const key = keyOf(ours.publicKey);

function pem(publicKey: KeyObject): string {
  return publicKey.export({ type: "spki", format: "pem" }).toString();
}

function keyOf(publicKey: KeyObject): CosignKey {
  const read = readCosignKey(pem(publicKey));
  if ("reason" in read) throw new Error(read.message);
  return read;
}

function manifestOf(layers: readonly object[], config = "application/vnd.cncf.helm.config.v1+json"): Buffer {
  const described = { mediaType: config, digest: `sha256:${"cd".repeat(32)}`, size: 2 };
  return Buffer.from(JSON.stringify({ schemaVersion: 2, config: described, layers }));
}
const content = { mediaType: "application/vnd.cncf.helm.chart.content.v1.tar+gzip", digest: PACKAGE, size: 9 };
const manifest = manifestOf([content]);

function payloadFor(digest: string, type = "cosign container image signature"): Buffer {
  const image = { "docker-manifest-digest": digest };
  return Buffer.from(JSON.stringify({ critical: { identity: {}, image, type }, optional: null }));
}

function simple(payload: Buffer, privateKey = ours.privateKey): SignedChart["signatures"][number] {
  const algorithm = privateKey.asymmetricKeyType === "ed25519" ? null : "sha256";
  return { payload, signature: sign(algorithm, payload, privateKey).toString("base64") };
}

function bundle(statement: object, payloadType = IN_TOTO): Buffer {
  const payload = Buffer.from(JSON.stringify(statement));
  const signed = Buffer.concat([Buffer.from(`DSSEv1 ${IN_TOTO.length} ${IN_TOTO} ${payload.length} `), payload]);
  const signatures = [{ sig: sign("sha256", signed, ours.privateKey).toString("base64") }];
  const dsseEnvelope = { payload: payload.toString("base64"), payloadType, signatures };
  return Buffer.from(JSON.stringify({ dsseEnvelope }));
}

function statementFor(bytes: Buffer, predicateType = SIGN) {
  const digest = { sha256: createHash("sha256").update(bytes).digest("hex") };
  return { _type: "https://in-toto.io/Statement/v1", subject: [{ digest }], predicateType, predicate: {} };
}

const good = simple(payloadFor(sha256(manifest)));
const chart = (over: Partial<SignedChart> = {}): SignedChart => ({
  manifest,
  signatures: [good],
  bundles: [],
  ...over,
});
const altered = (text: string) => (text.startsWith("A") ? `B${text.slice(1)}` : `A${text.slice(1)}`);

describe("a chart", () => {
  it("is vouched for by one of the keys, in either form", () => {
    const held = { ok: true, digest: PACKAGE, evidence: { method: "cosign", signer: key.fingerprint } };
    expect(checkCosign(chart(), [keyOf(theirs.publicKey), key], WEB)).toEqual(held);
    const referred = chart({ signatures: [], bundles: [bundle(statementFor(manifest))] });
    expect(checkCosign(referred, [key], WEB)).toEqual(held);
  });

  it.each<[string, Partial<SignedChart>, string]>([
    ["nothing is attached", { signatures: [] }, "SignatureMissing"],
    ["another key signed", { signatures: [simple(good.payload as Buffer, theirs.privateKey)] }, "SignerUnknown"],
    ["the signature was altered", { signatures: [{ ...good, signature: altered(good.signature) }] }, "SignerUnknown"],
    ["the signature is empty", { signatures: [{ ...good, signature: "" }] }, "SignerUnknown"],
    ["another manifest was signed", { signatures: [simple(payloadFor(PACKAGE))] }, "WrongChart"],
    [
      "the payload says something else",
      { signatures: [simple(payloadFor(sha256(manifest), "atomic container signature"))] },
      "SignatureMissing",
    ],
    ["the payload is no JSON", { signatures: [simple(Buffer.from("{"))] }, "SignatureMissing"],
    ["the manifest was altered", { manifest: Buffer.from(`${manifest} `) }, "WrongChart"],
    [
      "the package was exchanged",
      { manifest: manifestOf([{ ...content, digest: `sha256:${"11".repeat(32)}` }]) },
      "DigestMismatch",
    ],
    ["it is an image", { manifest: manifestOf([content], "application/vnd.oci.image.config.v1+json") }, "WrongChart"],
    [
      "only an attestation is attached",
      { signatures: [], bundles: [bundle(statementFor(manifest, "https://slsa.dev/provenance/v1"))] },
      "SignatureMissing",
    ],
    [
      "the envelope says that it holds something else",
      { signatures: [], bundles: [bundle(statementFor(manifest), "text/plain")] },
      "SignatureMissing",
    ],
    [
      "the bundle is nonsense",
      { signatures: [], bundles: [Buffer.from("[]"), Buffer.alloc(3, 255)] },
      "SignatureMissing",
    ],
  ])("is not where %s", (_, over, reason) => {
    expect(checkCosign(chart(over), [key], WEB)).toMatchObject({ ok: false, reason });
  });
});

describe("a key", () => {
  it.each([
    ["Ed25519", generateKeyPairSync("ed25519")],
    ["ECDSA P-384", generateKeyPairSync("ec", { namedCurve: "P-384" })],
    ["RSA of 2048 bits", generateKeyPairSync("rsa", { modulusLength: 2048 })],
  ])("may be %s", (_, { publicKey, privateKey }) => {
    const signatures = [simple(payloadFor(sha256(manifest)), privateKey)];
    expect(checkCosign(chart({ signatures }), [keyOf(publicKey)], WEB)).toMatchObject({ ok: true });
  });

  it.each([
    ["RSA of 1024 bits", pem(generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey), "WeakKey"],
    [
      "a curve that cosign does not use",
      pem(generateKeyPairSync("ec", { namedCurve: "secp256k1" }).publicKey),
      "WeakKey",
    ],
    ["DSA", pem(generateKeyPairSync("dsa", { modulusLength: 1024, divisorLength: 160 }).publicKey), "WeakKey"],
    ["something else", "hello", "KeyUnreadable"],
    ["empty", "", "KeyUnreadable"],
  ])("may not be %s", (_, text, reason) => {
    expect(readCosignKey(text)).toMatchObject({ reason });
  });
});
