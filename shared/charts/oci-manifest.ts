import { isSha256 } from "./oci-reference.ts";
import { isMapping, parseJsonMapping, scalarText } from "./records.ts";

/** Where a manifest says that some bytes are, and how many. */
export interface OciDescriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** A manifest of a Helm chart. */
export interface ChartManifest {
  readonly kind: "chart";
  /** The chart's metadata as JSON. */
  readonly config: OciDescriptor;
  /** The package as `helm package` made it. */
  readonly content: OciDescriptor;
  readonly provenance?: OciDescriptor;
  /** When it was pushed, RFC 3339. */
  readonly created?: string;
}

/** What a manifest is. */
export type OciManifest =
  | ChartManifest
  /** A list of manifests of which one may be a chart's. */
  | { readonly kind: "index"; readonly manifests: readonly OciDescriptor[] }
  /** Something else that registries keep: an image, a signature, a policy. */
  | { readonly kind: "other"; readonly mediaType: string }
  | { readonly kind: "invalid"; readonly message: string };

/** The manifests that we ask registries for. */
export const MANIFEST_TYPES = [
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
].join(", ");

const CONFIG = "application/vnd.cncf.helm.config.v1+json";
const PROVENANCE = "application/vnd.cncf.helm.chart.provenance.v1.prov";
/** The second is how Helm wrote it before 3.7. */
const CONTENT = ["application/vnd.cncf.helm.chart.content.v1.tar+gzip", "application/tar+gzip"];
/** Manifests of an index that may be a chart's; real ones list one. */
const MAX_CANDIDATES = 3;
const MAX_LAYERS = 16;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Reads a manifest of the OCI image specification, or of Docker's. */
export function readManifest(bytes: Uint8Array): OciManifest {
  const manifest = parseJsonMapping(bytes);
  if (manifest === undefined) return { kind: "invalid", message: "its manifest is no JSON object" };
  if (Array.isArray(manifest["manifests"])) return readIndex(manifest["manifests"]);
  const config = descriptor(manifest["config"]);
  if (!config) return { kind: "other", mediaType: mediaTypeOf(manifest) };
  return config.mediaType === CONFIG ? readChart(manifest, config) : { kind: "other", mediaType: config.mediaType };
}

function readChart(manifest: Record<string, unknown>, config: OciDescriptor): OciManifest {
  const listed = Array.isArray(manifest["layers"]) ? manifest["layers"].slice(0, MAX_LAYERS) : [];
  const layers = listed.map(descriptor);
  const content = layers.find((layer) => layer && CONTENT.includes(layer.mediaType));
  if (!content) return { kind: "invalid", message: "its manifest names no layer with a chart package" };
  const provenance = layers.find((layer) => layer?.mediaType === PROVENANCE);
  const created = createdOf(manifest["annotations"]);
  return { kind: "chart", config, content, ...(provenance ? { provenance } : {}), ...(created ? { created } : {}) };
}

/** A chart has no platform: manifests that name one are images. */
function readIndex(listed: readonly unknown[]): OciManifest {
  const plain = listed.slice(0, 1000).filter((each) => isMapping(each) && !isPlatform(each["platform"]));
  const declared = plain.filter((each) => isMapping(each) && each["artifactType"] === CONFIG);
  const manifests = (declared.length > 0 ? declared : plain).slice(0, MAX_CANDIDATES).map(descriptor);
  return { kind: "index", manifests: manifests.filter((each) => each !== undefined) };
}

function isPlatform(value: unknown): boolean {
  return isMapping(value) && scalarText(value["os"]) !== "" && value["os"] !== "unknown";
}

function descriptor(value: unknown): OciDescriptor | undefined {
  if (!isMapping(value)) return undefined;
  const { mediaType, digest, size } = value;
  if (typeof mediaType !== "string" || typeof digest !== "string" || !isSha256(digest)) return undefined;
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) return undefined;
  return { mediaType, digest, size };
}

function createdOf(annotations: unknown): string | undefined {
  const created = isMapping(annotations) ? scalarText(annotations["org.opencontainers.image.created"]) : "";
  return TIMESTAMP.test(created) && !Number.isNaN(Date.parse(created)) ? created : undefined;
}

function mediaTypeOf(manifest: Record<string, unknown>): string {
  return scalarText(manifest["artifactType"]) || scalarText(manifest["mediaType"]) || "an unknown kind";
}
