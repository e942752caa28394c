import type { ChartMetadata } from "../charts/chart-metadata.ts";
import type { HelmApplicationVersion } from "../resources/helm-application-version.ts";

/** Descriptions are cut to this many bytes (KubeSphere §1.10). */
const DESCRIPTION_BYTES = 512;

const RFC3339 = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/** What an application version takes from its chart's metadata. */
export function metadataSpec(metadata: ChartMetadata): HelmApplicationVersion["spec"] {
  // The kind repeats Chart.yaml field by field, so the copy differs in nothing but being mutable.
  const spec: HelmApplicationVersion["spec"] = JSON.parse(JSON.stringify(bounded(metadata)));
  return spec.description === undefined ? spec : { ...spec, description: cutText(spec.description) };
}

/** Icons may be whole pictures, annotations whole change logs: beyond this they would not fit into an object. */
const MAX_ICON = 32 * 1024;
const MAX_ANNOTATIONS = 128 * 1024;

function bounded({ icon, annotations, ...rest }: ChartMetadata): Partial<ChartMetadata> {
  return {
    ...rest,
    ...(icon !== undefined && icon.length <= MAX_ICON ? { icon } : {}),
    ...(annotations && JSON.stringify(annotations).length <= MAX_ANNOTATIONS ? { annotations } : {}),
  };
}

/** A text cut to 512 bytes without splitting a character. */
export function cutText(text: string): string {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= DESCRIPTION_BYTES) return text;
  return bytes.subarray(0, DESCRIPTION_BYTES).toString("utf8").replace(/�+$/, "");
}

/** The time if Kubernetes takes it as one; indexes hold all sorts of things. */
export function timestamp(text: string | undefined): string | undefined {
  const date = RFC3339.exec(text ?? "")?.[1];
  return date !== undefined && isDay(date) && !Number.isNaN(Date.parse(text ?? "")) ? text : undefined;
}

/** JavaScript reads the 30th of February as a day in March; Kubernetes refuses the whole object. */
function isDay(date: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}
