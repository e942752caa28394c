import type { Namespace } from "../../shared/resources/core.ts";
import type { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import type { HelmRelease } from "../../shared/resources/helm-release.ts";
import type { HelmRequest } from "../../shared/resources/helm-request.ts";
import type { ListedVersion } from "./listed-version.ts";

/** What a request is decided on. */
export interface World {
  readonly request: HelmRequest | undefined;
  readonly version: HelmApplicationVersion | undefined;
  /** The version where only an index has it. */
  readonly listed?: ListedVersion;
  /** The namespace that the request names, or those that its selector admits. */
  readonly namespaces: readonly Namespace[];
  /** The releases in those namespaces. */
  readonly releases: readonly HelmRelease[];
  readonly now: Date;
}
