import { execFile } from "node:child_process";
import type { Finding } from "../../shared/charts/finding.ts";
import type { PackageReport } from "../../shared/charts/package-report.ts";
import { binary } from "./binaries.ts";

/** `<severity> <path>` of each rule broken, each once, sorted: what our rules and Helm's can be compared by. */
export type Verdicts = readonly string[];

const LINE = /^\[(ERROR|WARNING|INFO)\] ([^:\s]*): (.*)$/gm;
/** Said in the folder's name by Helm, of its dependencies. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [/^chart directory is missing/, "charts/"],
  [/^chart metadata is missing/, "Chart.yaml"],
  [/not valid against metaschema/, "values.schema.json"],
];

/** What the real `helm lint` says of a chart's folder or package, without what it says of rendered templates. */
export async function helmVerdicts(chart: string): Promise<Verdicts> {
  const { failed, text } = await new Promise<{ failed: boolean; text: string }>((resolve) => {
    execFile(binary("helm"), ["lint", chart], { maxBuffer: 4 * 1024 * 1024 }, (error, out, err) =>
      resolve({ failed: error !== null, text: out + err }),
    );
  });
  const lines = [...text.matchAll(LINE)];
  if (failed && lines.length === 0) return ["error"];
  return unique(lines.flatMap(verdictOf));
}

function verdictOf([, severity = "", path = "", message = ""]: RegExpExecArray): readonly string[] {
  const rendered = (path === "templates/" && severity === "ERROR") || /deprecated in|unavailable in/.test(message);
  const place = PLACES.find(([said]) => said.test(message))?.[1] ?? path;
  return rendered ? [] : [`${severity.toLowerCase()} ${place}`];
}

/** What we say of it by the same rules: what the store adds of its own is left out. */
export function ourVerdicts(report: PackageReport): Verdicts {
  if (!report.ok) return ["error"];
  return unique(report.findings.filter((each) => !isOwn(each)).map(({ severity, path }) => `${severity} ${path}`));
}

function isOwn({ path, message }: Finding): boolean {
  return path === "" || path === "README.md" || /deprecated|hold secrets|kubeVersion/.test(message);
}

function unique(verdicts: readonly string[]): Verdicts {
  return [...new Set(verdicts)].toSorted();
}
