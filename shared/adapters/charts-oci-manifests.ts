import { MANIFEST_TYPES, type OciDescriptor, type OciManifest, readManifest } from "../charts/oci-manifest.ts";
import { isSha256 } from "../charts/oci-reference.ts";
import { sha256 } from "../digest.ts";
import { Failure } from "../errors.ts";
import { nameOf } from "./charts-http-fetch.ts";
import type { Registry } from "./charts-oci-registry.ts";

/** A manifest with the digest that its bytes have. */
export interface FoundManifest {
  readonly digest: string;
  /** Of an index: the chart's manifest that it lists. */
  readonly manifest: OciManifest;
}

/** Bytes that a manifest names. */
export interface BlobRequest {
  readonly repository: string;
  readonly blob: OciDescriptor;
  readonly maxBytes: number;
  readonly totalMs?: number;
}

/** What a token must allow for reading from a repository. */
export function pullScope(repository: string): string {
  return `repository:${repository}:pull`;
}

/** The manifest under a tag or digest; `undefined` where there is none. Fails with `Invalid` where bytes and digest differ. */
export async function fetchManifest(
  registry: Registry,
  repository: string,
  reference: string,
): Promise<FoundManifest | undefined> {
  const found = await fetchOne(registry, repository, reference);
  if (found?.manifest.kind !== "index") return found;
  for (const { digest } of found.manifest.manifests) {
    const listed = await fetchOne(registry, repository, digest);
    if (listed?.manifest.kind === "chart") return { digest: found.digest, manifest: listed.manifest };
  }
  return { digest: found.digest, manifest: { kind: "other", mediaType: "an index without charts" } };
}

/** The digest that a tag names now; `undefined` where the tag is gone. */
export async function fetchDigest(registry: Registry, repository: string, tag: string): Promise<string | undefined> {
  const path = manifestPath(repository, tag);
  const answer = await registry.ask({ path, method: "HEAD", accept: MANIFEST_TYPES, scope: pullScope(repository) });
  const digest = String(answer?.headers["docker-content-digest"] ?? "");
  // Some registries offer no HEAD, or do not name the digest.
  return isSha256(digest) ? digest : (await fetchOne(registry, repository, tag))?.digest;
}

/** The bytes of a blob, checked against size and digest; registries redirect to their storage, without credentials. */
export async function fetchBlob(registry: Registry, request: BlobRequest): Promise<Buffer> {
  const { repository, blob, maxBytes, totalMs } = request;
  const path = `/v2/${repository}/blobs/${blob.digest}`;
  const what = nameOf(new URL(path, registry.url));
  if (blob.size > maxBytes) {
    throw new Failure("TooLarge", `${what}: its manifest announces ${blob.size} bytes, more than ${maxBytes}`);
  }
  const limits = { maxBytes, ...(totalMs === undefined ? {} : { totalMs }) };
  const answer = await registry.ask({ path, accept: "*/*", scope: pullScope(repository), ...limits });
  if (!answer) throw new Failure("Invalid", `${what}: the registry has no such blob; push the chart again`);
  refuseOtherBytes(answer.body, blob.digest, what);
  return answer.body;
}

async function fetchOne(registry: Registry, repository: string, reference: string): Promise<FoundManifest | undefined> {
  const path = manifestPath(repository, reference);
  const answer = await registry.ask({ path, accept: MANIFEST_TYPES, scope: pullScope(repository) });
  if (!answer) return undefined;
  const what = nameOf(new URL(path, registry.url));
  const digest = sha256(answer.body);
  const named = [reference, String(answer.headers["docker-content-digest"] ?? "")].filter(isSha256);
  for (const expected of named) refuseOtherBytes(answer.body, expected, what);
  return { digest, manifest: readManifest(answer.body) };
}

function manifestPath(repository: string, reference: string): string {
  return `/v2/${repository}/manifests/${reference}`;
}

function refuseOtherBytes(bytes: Buffer, expected: string, what: string): void {
  const digest = sha256(bytes);
  if (digest === expected) return;
  throw new Failure(
    "Invalid",
    `${what}: the bytes have digest ${digest} instead of ${expected}; ask the registry's owner`,
  );
}
