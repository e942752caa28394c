import { isMapping, parseJsonMapping, scalarText } from "../charts/records.ts";

/** Bytes that a manifest names. */
interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** More signatures than this on one chart are not looked at. */
const MAX_ATTACHED = 16;

const SIMPLE_SIGNING = "application/vnd.dev.cosign.simplesigning.v1+json";
const SIGNATURE = "dev.cosignproject.cosign/signature";
const BUNDLE = /^application\/vnd\.dev\.sigstore\.bundle[.+]/;

/** Tag under which cosign keeps the signatures of a manifest. */
export function signatureTag(manifestDigest: string): string {
  return `${referrersTag(manifestDigest)}.sig`;
}

/** Tag that lists what refers to a manifest, in registries without the referrers API (OCI distribution 1.1). */
export function referrersTag(manifestDigest: string): string {
  return manifestDigest.replace(":", "-");
}

/** The payloads that a signature manifest of cosign lists, each with its signature in base64. */
export function signaturesIn(
  manifest: Uint8Array,
): readonly { readonly payload: Descriptor; readonly signature: string }[] {
  return listed(manifest, "layers").flatMap((layer) => {
    const payload = descriptor(layer);
    const annotations = isMapping(layer["annotations"]) ? layer["annotations"] : {};
    const signature = scalarText(annotations[SIGNATURE]);
    return payload?.mediaType === SIMPLE_SIGNING && signature ? [{ payload, signature }] : [];
  });
}

/** Digests of the manifests of sigstore bundles in a list of referrers. */
export function bundlesIn(index: Uint8Array): readonly string[] {
  return listed(index, "manifests").flatMap((each) => {
    const found = descriptor(each);
    return found && BUNDLE.test(scalarText(each["artifactType"])) ? [found.digest] : [];
  });
}

/** The bundle that the manifest of one names. */
export function bundleIn(manifest: Uint8Array): Descriptor | undefined {
  return listed(manifest, "layers")
    .map(descriptor)
    .find((layer) => layer && BUNDLE.test(layer.mediaType));
}

function listed(json: Uint8Array, key: string): readonly Readonly<Record<string, unknown>>[] {
  const list = parseJsonMapping(json)?.[key];
  return Array.isArray(list) ? list.filter(isMapping).slice(0, MAX_ATTACHED) : [];
}

function descriptor({ mediaType, digest, size }: Readonly<Record<string, unknown>>): Descriptor | undefined {
  const hashed = /^sha256:[0-9a-f]{64}$/.test(scalarText(digest));
  if (typeof mediaType !== "string" || !hashed || !Number.isSafeInteger(size) || Number(size) < 0) return undefined;
  return { mediaType, digest: scalarText(digest), size: Number(size) };
}
