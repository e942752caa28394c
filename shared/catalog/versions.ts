import { newestFirst } from "../charts/version.ts";
import type { HelmApplicationVersion } from "../resources/helm-application-version.ts";

/** Versions that are not going, the newest first. */
export function latestFirst(versions: readonly HelmApplicationVersion[]): readonly HelmApplicationVersion[] {
  const live = versions.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  return newestFirst(live, ({ spec }) => spec.version ?? "");
}
