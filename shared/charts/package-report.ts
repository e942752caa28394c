import type { ArchiveResult } from "../ports.ts";
import { packageCrds } from "./crds.ts";
import type { Finding } from "./finding.ts";
import { chartImages } from "./images.ts";
import { lintChart } from "./lint.ts";
import { checkPackage, type PackageCheck } from "./package.ts";
import { storeRemarks } from "./remarks.ts";
import { lintValuesSchema } from "./values-schema.ts";
import { type PackageDependency, packageDependencies } from "./vendored.ts";

/** Everything that is known of a package without rendering it. */
export type PackageReport =
  | (Extract<PackageCheck, { ok: true }> & {
      /** What `helm lint` says too, then what the store adds; the worst first. */
      readonly findings: readonly Finding[];
      readonly images: readonly string[];
      readonly crds: readonly string[];
      readonly dependencies: readonly PackageDependency[];
    })
  | Extract<PackageCheck, { ok: false }>;

const ORDER = ["error", "warning", "info"];

/** Checks what an archive holds and looks through what Helm can load: see `checkPackage` for what is refused. */
export async function reportPackage(archive: ArchiveResult): Promise<PackageReport> {
  const check = checkPackage(archive);
  if (!check.ok) return check;
  const { chart, files, values } = check;
  const crds = packageCrds(files);
  const findings = [
    ...check.warnings.map((message): Finding => ({ severity: "warning", path: "", message })),
    ...lintChart(chart, files),
    ...(await lintValuesSchema(check)),
    ...crds.findings,
    ...storeRemarks(chart, check),
  ];
  return {
    ...check,
    findings: findings.toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity)),
    images: chartImages(chart, values),
    crds: crds.names,
    dependencies: packageDependencies(chart, files),
  };
}
