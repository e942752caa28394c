import { createHash } from "node:crypto";
import type { HelmRelease } from "../resources/helm-release.ts";

/** What Helm has to do for a release. */
export type ReleasePlan = "deploy" | "uninstall" | "none";

/** Compares what a release asks for with what was last tried; the same wish is never tried twice. */
export function releasePlan(release: HelmRelease | undefined): ReleasePlan {
  if (!release) return "none";
  if (release.metadata.deletionTimestamp !== undefined) return "uninstall";
  return release.status?.mark === releaseMark(release) ? "none" : "deploy";
}

/** Identifies one wish: chart, version, values and the counter that a person raises to ask again. */
export function releaseMark({ spec }: Pick<HelmRelease, "spec">): string {
  const { name, chartName, chartVersion, appVerId = "", values = "", version, engine = "helm" } = spec;
  const parts = [name, chartName, chartVersion, appVerId, spec.package ?? "", values, `${version}`, engine];
  return `openpitrix-${createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 32)}`;
}
