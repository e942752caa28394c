import type { ArchiveFile } from "../ports.ts";
import type { ChartMetadata } from "./chart-metadata.ts";
import { type Finding, findingIf } from "./finding.ts";
import { lintMetadata } from "./lint-metadata.ts";
import { lintDependencies } from "./vendored.ts";

const TEMPLATE_FILE = /\.(?:ya?ml|tpl|txt)$/;

/**
 * The rules of `helm lint` (4.1) that need neither templates rendered nor files of other formats read, for a package
 * that Helm can load. Definitions in `crds/` and the schema of values are looked at by themselves.
 */
export function lintChart(chart: ChartMetadata, files: readonly ArchiveFile[]): readonly Finding[] {
  const text = files.find(({ path }) => path === "Chart.yaml")?.text ?? "";
  const templates = files.filter(({ path }) => path.startsWith("templates/"));
  const values = files.some(({ path }) => path === "values.yaml");
  return [
    ...lintMetadata(text, chart),
    ...findingIf(!values, "info", "values.yaml", "there is no such file, so nobody sees what can be set"),
    ...findingIf(templates.length === 0, "warning", "templates/", "there are no templates, so nothing is installed"),
    ...templates.flatMap(({ path }) =>
      findingIf(!TEMPLATE_FILE.test(path), "error", path, "templates are called .yaml, .yml, .tpl or .txt"),
    ),
    ...lintDependencies(chart, files),
  ];
}
