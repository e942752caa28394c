import type { ArchiveFile } from "../ports.ts";
import type { ChartMetadata } from "./chart-metadata.ts";
import { excerpt } from "./excerpt.ts";
import { type Finding, findingIf } from "./finding.ts";
import { isHelmVersion } from "./version.ts";

/** A chart that a package needs, and whether the package brings it along. */
export interface PackageDependency {
  readonly name: string;
  readonly version: string;
  readonly vendored: boolean;
}

/** The dependencies of a package, each looked for in its `charts/`. */
export function packageDependencies(chart: ChartMetadata, files: readonly ArchiveFile[]): readonly PackageDependency[] {
  const present = new Set(vendoredCharts(files).flat());
  return (chart.dependencies ?? []).map(({ name, version = "" }) => ({ name, version, vendored: present.has(name) }));
}

/** What `helm lint` says where `charts/` and the declared dependencies differ. */
export function lintDependencies(chart: ChartMetadata, files: readonly ArchiveFile[]): readonly Finding[] {
  const missing = packageDependencies(chart, files).filter(({ vendored }) => !vendored);
  const declared = new Set((chart.dependencies ?? []).map(({ name }) => name));
  const undeclared = vendoredCharts(files).filter((names) => !names.some((name) => declared.has(name)));
  return [
    ...findingIf(
      missing.length > 0,
      "warning",
      "charts/",
      `the package does not bring its dependencies ${list(missing.map(({ name }) => name))}: run helm dependency update`,
    ),
    ...findingIf(
      undeclared.length > 0,
      "error",
      "Chart.yaml",
      `charts/ holds ${list(undeclared.flatMap((names) => names.slice(0, 1)))}, not declared here`,
    ),
  ];
}

function list(names: readonly string[]): string {
  return excerpt(names.slice(0, 20).join(", "));
}

/** The charts in `charts/`, each by the names it may have: folders say theirs, packages are `<name>-<version>.tgz`. */
function vendoredCharts(files: readonly ArchiveFile[]): readonly (readonly string[])[] {
  return files.map(({ path }) => namesOf(path)).filter((names) => names.length > 0);
}

function namesOf(path: string): readonly string[] {
  const folder = /^charts\/([^_./][^/]*)\/Chart\.yaml$/.exec(path)?.[1];
  if (folder !== undefined) return [folder];
  const file = /^charts\/([^_./][^/]*)\.tgz$/.exec(path)?.[1] ?? "";
  const cuts = [...file.matchAll(/-(?=v?\d)/g)].map(({ index }) => index);
  return cuts.filter((cut) => isHelmVersion(file.slice(cut + 1))).map((cut) => file.slice(0, cut));
}
