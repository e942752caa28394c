import { id36 } from "../../shared/charts/ids.ts";
import type { HelmRequest } from "../../shared/resources/helm-request.ts";

/** Name of the HelmRelease of a request: `rls-` and a suffix that the request's identity decides. */
export function releaseName({ metadata }: HelmRequest): string {
  return `rls-${id36("release", metadata.name, metadata.uid ?? "")}`;
}
