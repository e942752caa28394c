import { versionId } from "../../shared/charts/ids.ts";
import type { PackageReport } from "../../shared/charts/package-report.ts";
import type { Upload } from "../../shared/lifecycle/package-object.ts";
import type { HelmApplication } from "../../shared/resources/helm-application.ts";
import type { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";

/** What an upload is decided on. */
export interface World extends Upload {
  /** What looking through the bytes came to; undefined where there are none. */
  readonly report: PackageReport | undefined;
  readonly app: HelmApplication | undefined;
  /** The version that the upload makes, or has made. */
  readonly version: HelmApplicationVersion | undefined;
  /** What that version is called, or will be. */
  readonly versionName: string;
}

/** Where an upload may belong to: an application's versions, and the one whose name is made of this number. */
interface Place {
  readonly app: string;
  readonly number: string;
  readonly package: string;
  readonly versions: readonly HelmApplicationVersion[];
  readonly named: HelmApplicationVersion | undefined;
}

/**
 * The version of this number, if there is one. A draft may have got another number since it was named after its first,
 * so the name may be taken: then the package's own name tells the new version apart.
 */
export function placeOf({
  app,
  number,
  package: name,
  versions,
  named,
}: Place): Pick<World, "version" | "versionName"> {
  const same = versions.find(({ spec }) => spec.version === number);
  const usual = versionId(app, number);
  const free = !named || named.spec.version === undefined || named.spec.version === number;
  const version = same ?? (free ? named : undefined);
  return { version, versionName: version?.metadata.name ?? (free ? usual : versionId(app, `${number} ${name}`)) };
}
