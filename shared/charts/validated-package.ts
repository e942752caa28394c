import type { Finding } from "./finding.ts";
import type { PackageReport } from "./package-report.ts";

/** What KubeSphere answers to whoever has a package checked (§5.1), and what was found besides. */
export interface ValidatedPackage {
  readonly name?: string;
  /** `<version>` or `<version> [<appVersion>]`. */
  readonly version_name?: string;
  readonly description?: string;
  readonly url?: string;
  readonly icon?: string;
  /** Why the package is not taken, in one sentence. */
  readonly error?: string;
  /** The same by the file that is the cause. */
  readonly error_details?: Readonly<Record<string, string>>;
  /** What `helm lint` and the store say of a package that is taken, the worst first. */
  readonly findings?: readonly Finding[];
}

const MAX_FINDINGS = 100;

/** Texts that KubeSphere's console knows, by our reason; what is not here is said in our words. */
const KNOWN: Readonly<Record<string, string>> = {
  MissingChartYaml: "not found",
  MissingName: "package name must not be empty",
};

/** Files that reasons speak of; the others are about the whole archive. */
const FILES: Readonly<Record<string, string>> = {
  MissingChartYaml: "Chart.yaml",
  InvalidChartYaml: "Chart.yaml",
  DuplicateChartYaml: "Chart.yaml",
  InvalidChartName: "Chart.yaml",
  MissingName: "Chart.yaml",
  MissingVersion: "Chart.yaml",
  InvalidVersion: "Chart.yaml",
  InvalidDependency: "Chart.yaml",
  InvalidValues: "values.yaml",
  InvalidValuesSchema: "values.schema.json",
};

/** The answer to `?validate=true` for a package that was looked through; an error is an answer too. */
export function validatedPackage(report: PackageReport): ValidatedPackage {
  if (!report.ok) return refusal(report);
  const { name, version, appVersion, description = "", home = "", icon = "" } = report.chart;
  const { findings } = report;
  return {
    name,
    version_name: appVersion ? `${version} [${appVersion}]` : version,
    description,
    url: home,
    icon,
    ...(findings.length > 0 ? { findings: findings.slice(0, MAX_FINDINGS) } : {}),
  };
}

function refusal({ reason, message }: Extract<PackageReport, { ok: false }>): ValidatedPackage {
  if (reason === "EmptyArchive") return { error: "no files in package" };
  const file = message.startsWith("requirements.yaml") ? "requirements.yaml" : FILES[reason];
  return file === undefined
    ? { error: message }
    : { error: message, error_details: { [file]: KNOWN[reason] ?? message } };
}
