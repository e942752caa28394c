import type { HelmApplication } from "../../shared/resources/helm-application.ts";
import type { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";

/** What an application is derived from. */
export interface World {
  readonly app: HelmApplication | undefined;
  /** The store's copy. */
  readonly copy: HelmApplication | undefined;
  readonly versions: readonly HelmApplicationVersion[];
  readonly now: Date;
}
