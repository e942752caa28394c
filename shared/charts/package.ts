import { parseYaml, parseYamlDocuments, YamlError } from "../adapters/yaml.ts";
import type { ArchiveFile, ArchiveResult } from "../ports.ts";
import { type ChartDependency, type ChartMetadata, type MetadataProblem, readMetadata } from "./chart-metadata.ts";
import { excerpt } from "./excerpt.ts";
import { isMapping } from "./records.ts";

/** Why a readable archive is no chart we take; archives that are refused before keep their own reason. */
type PackageReason =
  | Exclude<MetadataProblem, "InvalidName" | "InvalidMetadata">
  | "MissingChartYaml"
  | "InvalidChartYaml"
  | "InvalidChartName"
  | "InvalidDependency"
  | "InvalidValues"
  | "InvalidValuesSchema"
  | "TooLarge";

/** A chart package that was checked, or the one reason why it is refused. */
export type PackageCheck =
  | {
      readonly ok: true;
      readonly chart: ChartMetadata;
      readonly files: readonly ArchiveFile[];
      /** The default values, where the chart has any. */
      readonly values?: Readonly<Record<string, unknown>>;
      /** The JSON Schema for values, where the chart has one. */
      readonly schema?: Readonly<Record<string, unknown>> | boolean;
      readonly readme?: string;
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly reason: string; readonly message: string };

/** Thrown inside this file: the first rule that the package breaks. */
class PackageError extends Error {
  readonly reason: PackageReason;

  constructor(reason: PackageReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

const REASONS: Readonly<Record<MetadataProblem, PackageReason>> = {
  MissingName: "MissingName",
  InvalidName: "InvalidChartName",
  MissingVersion: "MissingVersion",
  InvalidVersion: "InvalidVersion",
  InvalidMetadata: "InvalidChartYaml",
};
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const README = /^readme(?:\.md|\.txt)?$/i;

/**
 * Checks what a chart archive holds by the rules of Helm, which installs it later, and refuses chart names that are no
 * DNS label, since releases and objects are named after charts. Takes refused archives too and hands their reason on.
 */
export function checkPackage(archive: ArchiveResult): PackageCheck {
  if (!archive.ok) return archive;
  try {
    const texts = new Map(archive.files.map((file) => [file.path, file]));
    const chart = readChart(texts);
    const values = readValues(texts);
    const schema = readSchema(texts);
    const readme = archive.files.find(({ path, text }) => README.test(path) && text !== undefined)?.text;
    return {
      ok: true,
      chart,
      files: archive.files,
      ...(values ? { values } : {}),
      ...(schema === undefined ? {} : { schema }),
      ...(readme === undefined ? {} : { readme }),
      warnings: [...archive.warnings, ...renamed(chart, archive.folder)],
    };
  } catch (error) {
    if (error instanceof PackageError) return { ok: false, reason: error.reason, message: error.message };
    throw error;
  }
}

function readChart(files: ReadonlyMap<string, ArchiveFile>): ChartMetadata {
  const text = textOf(files, "Chart.yaml");
  if (text === undefined) throw new PackageError("MissingChartYaml", "the archive's folder holds no Chart.yaml");
  const fields = yamlOf("InvalidChartYaml", "Chart.yaml", () => parseYaml(text));
  const chart = metadataOf(fields, "Chart.yaml");
  if (!NAME.test(chart.name)) {
    const rule = "use at most 63 of a-z, 0-9 and -, beginning and ending with a letter or digit";
    throw new PackageError(
      "InvalidChartName",
      `Chart.yaml: the name "${excerpt(chart.name)}" is no DNS label: ${rule}`,
    );
  }
  const dependencies = requirementsOf(files, chart) ?? chart.dependencies ?? [];
  refuseTwins(dependencies);
  return dependencies.length > 0 ? { ...chart, dependencies } : chart;
}

function metadataOf(fields: unknown, where: string): ChartMetadata {
  const read = readMetadata(fields);
  if (!read.ok) throw new PackageError(REASONS[read.reason], `${where}: ${excerpt(read.message)}`);
  return read.metadata;
}

/** Charts of the first format name their dependencies in a file of their own. */
function requirementsOf(files: ReadonlyMap<string, ArchiveFile>, chart: ChartMetadata) {
  const text = chart.apiVersion === "v1" ? textOf(files, "requirements.yaml") : undefined;
  if (text === undefined) return undefined;
  const fields = yamlOf("InvalidDependency", "requirements.yaml", () => parseYaml(text)) ?? {};
  const dependencies = isMapping(fields) ? fields["dependencies"] : fields;
  const read = readMetadata({ name: chart.name, version: chart.version, dependencies });
  if (!read.ok) throw new PackageError("InvalidDependency", `requirements.yaml: ${excerpt(read.message)}`);
  return read.metadata.dependencies;
}

function refuseTwins(dependencies: readonly ChartDependency[]): void {
  const names = dependencies.map(({ name, alias }) => alias ?? name);
  const twin = names.find((name, at) => names.indexOf(name) !== at);
  if (twin === undefined) return;
  throw new PackageError("InvalidDependency", `two dependencies are called "${excerpt(twin)}": give one an alias`);
}

function readValues(files: ReadonlyMap<string, ArchiveFile>): Record<string, unknown> | undefined {
  const text = textOf(files, "values.yaml");
  if (text === undefined) return undefined;
  const documents = yamlOf("InvalidValues", "values.yaml", () => parseYamlDocuments(text));
  const mappings = documents.filter((document) => document !== undefined);
  if (!mappings.every(isMapping))
    throw new PackageError("InvalidValues", "values.yaml is no mapping from names to values");
  return mappings.length > 0 ? mappings.reduce(merge) : undefined;
}

function readSchema(files: ReadonlyMap<string, ArchiveFile>): Record<string, unknown> | boolean | undefined {
  const text = textOf(files, "values.schema.json");
  if (text === undefined) return undefined;
  const schema = jsonOf(text);
  if (isMapping(schema) || typeof schema === "boolean") return schema;
  throw new PackageError("InvalidValuesSchema", "values.schema.json is no JSON Schema: expected an object");
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new PackageError("InvalidValuesSchema", `values.schema.json is no JSON: ${excerpt(cause)}`);
  }
}

function yamlOf<T>(reason: PackageReason, path: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new PackageError(reason, `${path}, ${error.message}`);
  }
}

function textOf(files: ReadonlyMap<string, ArchiveFile>, path: string): string | undefined {
  const file = files.get(path);
  if (!file || file.text !== undefined) return file?.text;
  if (file.bytes === 0) return "";
  throw new PackageError("TooLarge", `${path} has ${file.bytes} bytes, which is more than is read`);
}

/** Helm lays several documents of one values.yaml over each other, the later ones on top. */
function merge(below: Record<string, unknown>, above: Record<string, unknown>): Record<string, unknown> {
  const merged = Object.entries(above).map(([key, value]) => {
    const old = Object.hasOwn(below, key) ? below[key] : undefined;
    return [key, isMapping(old) && isMapping(value) ? merge(old, value) : value] as const;
  });
  return Object.fromEntries([...Object.entries(below), ...merged]);
}

function renamed({ name }: ChartMetadata, folder: string): string[] {
  return folder === name ? [] : [`the archive's folder is called ${folder}, the chart ${name}`];
}
