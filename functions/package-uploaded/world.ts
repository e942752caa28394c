import type { PackageCheck } from "../../shared/charts/package.ts";
import type { HelmApplication } from "../../shared/resources/helm-application.ts";
import type { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import type { HelmPackage } from "../../shared/resources/helm-package.ts";

/** What an upload is decided on. */
export interface World {
  readonly bytes: Uint8Array | undefined;
  /** What checking the bytes came to; undefined where there are none. */
  readonly check: PackageCheck | undefined;
  readonly known: HelmPackage | undefined;
  readonly app: HelmApplication | undefined;
  readonly version: HelmApplicationVersion | undefined;
  readonly now: Date;
}
