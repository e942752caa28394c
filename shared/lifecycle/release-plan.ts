import { createHash } from "node:crypto";
import { findCondition } from "../conditions.ts";
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

/** Reason of the condition Reconciling while something that a release needs is down or not granted. */
export const HINDERED = "Hindered";

/** Since when a release waits for something that is down or not granted, RFC 3339; `undefined` when it does not. */
export function hinderedSince({ status }: HelmRelease): string | undefined {
  const reconciling = findCondition(status?.conditions, "Reconciling");
  return reconciling?.status === "True" && reconciling.reason === HINDERED ? status?.lastUpdate : undefined;
}
