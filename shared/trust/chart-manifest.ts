import { readManifest } from "../charts/oci-manifest.ts";
import { isMapping, parseJsonMapping, scalarText } from "../charts/records.ts";
import { sha256 } from "../digest.ts";
import type { Distrust } from "./verdict.ts";

/** What the OCI manifest of a chart says. */
export interface SignedManifest {
  readonly ok: true;
  /** Digest of the manifest itself, which is what cosign signs. */
  readonly digest: string;
  /** Digest of the layer that is the package. */
  readonly packageDigest: string;
  /** Name and version of the chart, where the annotations of `helm push` are there. */
  readonly title?: string;
  readonly version?: string;
}

/** Reads the manifest of a chart as a registry sent it; anything else is refused. */
export function readSignedManifest(bytes: Uint8Array): SignedManifest | ({ readonly ok: false } & Distrust) {
  const manifest = readManifest(bytes);
  if (manifest.kind !== "chart") {
    return { ok: false, reason: "WrongChart", message: "the manifest in the registry is not that of a Helm chart" };
  }
  const annotations = parseJsonMapping(bytes)?.["annotations"];
  const { title, version } = isMapping(annotations) ? titleOf(annotations) : {};
  const named = { ...(title ? { title } : {}), ...(version ? { version } : {}) };
  return { ok: true, digest: sha256(bytes), packageDigest: manifest.content.digest, ...named };
}

function titleOf(annotations: Readonly<Record<string, unknown>>) {
  const read = (key: string) => scalarText(annotations[`org.opencontainers.image.${key}`]);
  return { title: read("title"), version: read("version") };
}
