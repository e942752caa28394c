import { isMapping, parseJsonMapping, scalarText } from "../charts/records.ts";
import { sha256 } from "../digest.ts";
import type { Distrust } from "./verdict.ts";

/** What the OCI manifest of a chart says. */
export interface ChartManifest {
  readonly ok: true;
  /** Digest of the manifest itself, which is what cosign signs. */
  readonly digest: string;
  /** Digest of the layer that is the package. */
  readonly packageDigest: string;
  /** Name and version of the chart, where the annotations of `helm push` are there. */
  readonly title?: string;
  readonly version?: string;
}

/** Media types of a chart in a registry (Helm, HIP 6). */
const CONFIG = "application/vnd.cncf.helm.config.v1+json";
const CONTENT = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";

/** Reads the manifest of a chart as a registry sent it; anything but one chart is refused. */
export function readChartManifest(bytes: Uint8Array): ChartManifest | ({ readonly ok: false } & Distrust) {
  const manifest = parseJsonMapping(bytes) ?? {};
  const layers = Array.isArray(manifest["layers"]) ? manifest["layers"].filter(isMapping) : [];
  const content = layers.filter(({ mediaType }) => mediaType === CONTENT);
  const config = isMapping(manifest["config"]) ? manifest["config"]["mediaType"] : undefined;
  const packageDigest = scalarText(content[0]?.["digest"]);
  if (config !== CONFIG || content.length !== 1 || !/^sha256:[0-9a-f]{64}$/.test(packageDigest)) {
    return { ok: false, reason: "NoChart", message: "the manifest in the registry is not that of one Helm chart" };
  }
  const annotations = isMapping(manifest["annotations"]) ? manifest["annotations"] : {};
  const title = scalarText(annotations["org.opencontainers.image.title"]);
  const version = scalarText(annotations["org.opencontainers.image.version"]);
  return {
    ok: true,
    digest: sha256(bytes),
    packageDigest,
    ...(title ? { title } : {}),
    ...(version ? { version } : {}),
  };
}
