import { latestVersion } from "../charts/version.ts";
import type { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import { stateOf } from "./act.ts";
import type { AppState } from "./states.ts";

/** The state of an application, from its versions that are not being deleted (KubeSphere §2.7). */
export function appStateOf(versions: readonly HelmApplicationVersion[]): AppState {
  const states = versions.filter(isLive).map(stateOf);
  if (states.includes("active")) return "active";
  if (states.every((state) => state === "draft")) return "draft";
  return states.includes("suspended") ? "suspended" : "draft";
}

/** Name of the newest version, "" when none parses (KubeSphere §2.8). */
export function latestVersionOf(versions: readonly HelmApplicationVersion[]): string {
  return latestVersion(versions.filter(isLive).map(versionName));
}

/** How people read a version: `<version>` or `<version> [<appVersion>]` (KubeSphere §2.8). */
export function versionName({ spec }: Pick<HelmApplicationVersion, "spec">): string {
  return spec.appVersion ? `${spec.version ?? ""} [${spec.appVersion}]` : (spec.version ?? "");
}

function isLive(version: HelmApplicationVersion): boolean {
  return version.metadata.deletionTimestamp === undefined;
}
