import { MANIFEST_TYPES, readManifest } from "../charts/oci-manifest.ts";
import { parseOciReference } from "../charts/oci-reference.ts";
import { sha256 } from "../digest.ts";
import { Failure } from "../errors.ts";
import type { Attestations, RepositoryAccess, SignedChart } from "../ports.ts";
import { bundleIn, bundlesIn, referrersTag, signaturesIn, signatureTag } from "../trust/attached.ts";
import type { FetchHead } from "./charts-http-fetch.ts";
import { fetchBlob, pullScope } from "./charts-oci-manifests.ts";
import { openRegistry, type Registry } from "./charts-oci-registry.ts";
import { createSignInMemory } from "./charts-oci-sign-in.ts";

/** Limits of what is fetched from a registry. */
interface RegistryLimits {
  readonly idleMs: number;
  readonly maxProvenanceBytes: number;
}

const MAX_PAYLOAD_BYTES = 64 * 1024;
const MAX_BUNDLE_BYTES = 256 * 1024;
const INDEX_TYPE = "application/vnd.oci.image.index.v1+json";
const BUNDLE_TYPE = "application/vnd.dev.sigstore.bundle.v0.3+json";

/** What is attached to charts in OCI registries: the provenance layer that `helm push` adds, and cosign's signatures. */
export function registryAttestations(fetchHead: FetchHead, limits: RegistryLimits): Attestations {
  const memory = createSignInMemory();
  const at = async <T>(access: RepositoryAccess, url: string, read: (place: Place) => Promise<T>): Promise<T> => {
    const parsed = parseOciReference(url);
    if (!parsed.ok) throw new Failure("Invalid", `the chart's address in the registry: ${parsed.message}`);
    const { host, repository, tag, digest } = parsed.reference;
    const registry = openRegistry(access, host, { fetchHead, memory, idleMs: limits.idleMs });
    try {
      return await read({ registry, repository, reference: digest ?? tag ?? "latest" });
    } finally {
      registry.close();
    }
  };
  return {
    fetchProvenance: (access, url) => at(access, url, (place) => provenanceOf(place, limits.maxProvenanceBytes)),
    fetchSignatures: (access, url) => at(access, url, signaturesOf),
  };
}

interface Place {
  readonly registry: Registry;
  readonly repository: string;
  /** Tag or digest of the chart. */
  readonly reference: string;
}

async function provenanceOf(place: Place, maxBytes: number): Promise<Uint8Array | undefined> {
  const { registry, repository } = place;
  const manifest = readManifest(await chartManifest(place));
  const blob = manifest.kind === "chart" ? manifest.provenance : undefined;
  return blob && fetchBlob(registry, { repository, blob, maxBytes });
}

async function signaturesOf(place: Place): Promise<SignedChart> {
  const manifest = await chartManifest(place);
  const digest = sha256(manifest);
  return { manifest, signatures: await simpleSignatures(place, digest), bundles: await bundles(place, digest) };
}

/** The bytes of the chart's manifest; of a list, those of the chart in it. */
async function chartManifest(place: Place): Promise<Buffer> {
  const found = await askManifest(place, place.reference);
  if (!found)
    throw new Failure("Invalid", `${nameOf(place)}: the registry has no such chart; sync its repository again`);
  const manifest = readManifest(found);
  const [only] = manifest.kind === "index" ? manifest.manifests : [];
  if (!only) return found;
  const listed = await askManifest(place, only.digest);
  if (listed && sha256(listed) === only.digest) return listed;
  throw new Failure("Invalid", `${nameOf(place)}: the registry lists the manifest ${only.digest} and does not have it`);
}

async function simpleSignatures(place: Place, digest: string): Promise<SignedChart["signatures"]> {
  const { registry, repository } = place;
  const manifest = await askManifest(place, signatureTag(digest));
  const found: { payload: Uint8Array; signature: string }[] = [];
  for (const { payload, signature } of manifest ? signaturesIn(manifest) : []) {
    const bytes = await fetchBlob(registry, { repository, blob: payload, maxBytes: MAX_PAYLOAD_BYTES });
    found.push({ payload: bytes, signature });
  }
  return found;
}

async function bundles(place: Place, digest: string): Promise<readonly Uint8Array[]> {
  const { registry, repository } = place;
  const found: Uint8Array[] = [];
  for (const reference of bundlesIn(await referrers(place, digest))) {
    const manifest = await askManifest(place, reference);
    const blob = manifest && bundleIn(manifest);
    if (blob) found.push(await fetchBlob(registry, { repository, blob, maxBytes: MAX_BUNDLE_BYTES }));
  }
  return found;
}

async function referrers(place: Place, digest: string): Promise<Uint8Array> {
  const { registry, repository } = place;
  const path = `/v2/${repository}/referrers/${digest}?artifactType=${encodeURIComponent(BUNDLE_TYPE)}`;
  const answer = await registry.ask({ path, accept: INDEX_TYPE, scope: pullScope(repository) });
  return answer?.body ?? (await askManifest(place, referrersTag(digest))) ?? Buffer.alloc(0);
}

async function askManifest({ registry, repository }: Place, reference: string): Promise<Buffer | undefined> {
  const path = `/v2/${repository}/manifests/${reference}`;
  return (await registry.ask({ path, accept: MANIFEST_TYPES, scope: pullScope(repository) }))?.body;
}

function nameOf({ registry, repository, reference }: Place): string {
  return `oci://${registry.url.host}/${repository}:${reference}`;
}
