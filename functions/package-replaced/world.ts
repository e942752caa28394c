import type { PackageReport } from "../../shared/charts/package-report.ts";
import type { Upload } from "../../shared/lifecycle/package-object.ts";
import type { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";

/** What a replacement is decided on. */
export interface World extends Upload {
  /** What looking through the bytes came to; undefined where there are none. */
  readonly report: PackageReport | undefined;
  readonly version: HelmApplicationVersion | undefined;
  /** All versions of the same application. */
  readonly siblings: readonly HelmApplicationVersion[];
}
