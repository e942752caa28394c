import { createHash, type KeyObject, sign } from "node:crypto";

/** A repository in a registry on this machine. */
export interface RegistryPlace {
  /** `127.0.0.1:<port>` */
  readonly host: string;
  readonly repository: string;
}

const MANIFEST = "application/vnd.oci.image.manifest.v1+json";

/** Uploads bytes under their digest. */
export async function putBlob({ host, repository }: RegistryPlace, bytes: Uint8Array<ArrayBuffer>) {
  const begun = await fetch(`http://${host}/v2/${repository}/blobs/uploads/`, { method: "POST" });
  const at = new URL(begun.headers.get("location") ?? "");
  const digest = digestOf(bytes);
  at.searchParams.set("digest", digest);
  const headers = { "content-type": "application/octet-stream" };
  expectStored(await fetch(at, { method: "PUT", headers, body: bytes }), digest);
  return { digest, size: bytes.length };
}

/** Uploads a manifest under a tag or its digest. */
export async function putManifest(place: RegistryPlace, reference: string, { mediaType = MANIFEST, text = "" }) {
  const { host, repository } = place;
  const headers = { "content-type": mediaType };
  const url = `http://${host}/v2/${repository}/manifests/${reference}`;
  expectStored(await fetch(url, { method: "PUT", headers, body: text }), reference);
}

/** Signs what a tag names with a key, as cosign 2 does. */
export async function signAsCosign(place: RegistryPlace, tag: string, key: KeyObject): Promise<void> {
  const { host, repository } = place;
  const answer = await fetch(`http://${host}/v2/${repository}/manifests/${tag}`, { headers: { accept: MANIFEST } });
  const digest = digestOf(await answer.bytes());
  const critical = {
    identity: { "docker-reference": `${host}/${repository}` },
    image: { "docker-manifest-digest": digest },
    type: "cosign container image signature",
  };
  const payload = Buffer.from(JSON.stringify({ critical, optional: null }));
  const annotations = { "dev.cosignproject.cosign/signature": sign("sha256", payload, key).toString("base64") };
  const mediaType = "application/vnd.dev.cosign.simplesigning.v1+json";
  const layers = [{ mediaType, ...(await putBlob(place, payload)), annotations }];
  const described = await putBlob(place, Buffer.from("{}"));
  const config = { mediaType: "application/vnd.oci.image.config.v1+json", ...described };
  const text = JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST, config, layers });
  await putManifest(place, `${digest.replace(":", "-")}.sig`, { text });
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

function expectStored({ status }: Response, what: string): void {
  if (status !== 201) throw new Error(`the registry answered ${status} to ${what}`);
}
