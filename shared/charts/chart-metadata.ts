import { isMapping, scalarText } from "./records.ts";
import { isHelmVersion } from "./version.ts";

/** Somebody who answers for a chart. */
interface Maintainer {
  readonly name: string;
  readonly email?: string;
  readonly url?: string;
}

/** A chart that a chart needs. */
export interface ChartDependency {
  readonly name: string;
  readonly repository: string;
  readonly version?: string;
  readonly condition?: string;
  readonly tags?: readonly string[];
  readonly enabled?: boolean;
  readonly alias?: string;
}

/** What Chart.yaml says about a chart; fields it leaves out are left out here. */
export interface ChartMetadata {
  readonly name: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly appVersion?: string;
  readonly description?: string;
  readonly home?: string;
  readonly icon?: string;
  readonly kubeVersion?: string;
  readonly type?: string;
  readonly condition?: string;
  readonly tags?: string;
  readonly deprecated?: boolean;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly sources?: readonly string[];
  readonly keywords?: readonly string[];
  readonly maintainers?: readonly Maintainer[];
  readonly dependencies?: readonly ChartDependency[];
}

/** Why metadata cannot be used. */
export type MetadataProblem = "InvalidMetadata" | "MissingName" | "InvalidName" | "MissingVersion" | "InvalidVersion";

/** Metadata that was read, or the first thing wrong with it. */
export type MetadataResult =
  | { readonly ok: true; readonly metadata: ChartMetadata }
  | { readonly ok: false; readonly reason: MetadataProblem; readonly message: string };

/** Thrown inside this file where a field has a shape that Helm cannot read either. */
class ShapeError extends Error {}

const ALIAS = /^[a-zA-Z0-9_-]+$/;

/** What is being read: fields come one by one. */
type Draft<T> = { -readonly [K in keyof T]: T[K] };

const TEXTS = ["appVersion", "description", "home", "icon", "kubeVersion", "type", "condition", "tags"] as const;
const TEXT_LISTS = ["sources", "keywords"] as const;

/**
 * Reads what Helm takes from Chart.yaml, or from one index entry, and checks it by Helm's rules: numbers and booleans
 * become text where text belongs, `apiVersion` defaults to v1, unknown fields are left out.
 */
export function readMetadata(value: unknown): MetadataResult {
  try {
    const fields = mapping(value, "the chart's metadata");
    const metadata: Draft<ChartMetadata> = {
      name: text(fields["name"], "name") ?? "",
      version: text(fields["version"], "version") ?? "",
      apiVersion: text(fields["apiVersion"], "apiVersion") || "v1",
    };
    for (const name of TEXTS) put(metadata, name, text(fields[name], name));
    put(metadata, "deprecated", flag(fields["deprecated"], "deprecated"));
    put(metadata, "annotations", annotations(fields["annotations"]));
    for (const name of TEXT_LISTS) put(metadata, name, texts(fields[name], name));
    put(metadata, "maintainers", list(fields["maintainers"], "maintainers")?.map(maintainer));
    put(metadata, "dependencies", list(fields["dependencies"], "dependencies")?.map(dependency));
    return complaint(metadata) ?? { ok: true, metadata };
  } catch (error) {
    if (error instanceof ShapeError) return { ok: false, reason: "InvalidMetadata", message: error.message };
    throw error;
  }
}

/** Sets a field that is there. Indexes have tens of thousands of versions, so that no object is made but the result. */
function put<T, K extends keyof T>(target: T, name: K, value: T[K] | undefined): void {
  if (value !== undefined) target[name] = value;
}

function maintainer(value: unknown, at: number): Maintainer {
  const where = `maintainers[${at}]`;
  const fields = mapping(value, where);
  const read: Draft<Maintainer> = { name: text(fields["name"], `${where}.name`) ?? "" };
  put(read, "email", text(fields["email"], `${where}.email`));
  put(read, "url", text(fields["url"], `${where}.url`));
  return read;
}

function dependency(value: unknown, at: number): ChartDependency {
  const where = `dependencies[${at}]`;
  const fields = mapping(value, where);
  const alias = text(fields["alias"], `${where}.alias`);
  if (alias && !ALIAS.test(alias))
    throw new ShapeError(`${where}.alias "${alias}" has other characters than a-z 0-9 _ -`);
  const read: Draft<ChartDependency> = {
    name: text(fields["name"], `${where}.name`) ?? "",
    repository: text(fields["repository"], `${where}.repository`) ?? "",
  };
  put(read, "version", text(fields["version"], `${where}.version`));
  put(read, "condition", text(fields["condition"], `${where}.condition`));
  put(read, "tags", texts(fields["tags"], `${where}.tags`));
  put(read, "enabled", flag(fields["enabled"], `${where}.enabled`));
  put(read, "alias", alias || undefined);
  return read;
}

function complaint(metadata: ChartMetadata): MetadataResult | undefined {
  const { name, version, type = "" } = metadata;
  const refuse = (reason: MetadataProblem, message: string): MetadataResult => ({ ok: false, reason, message });
  if (name === "") return refuse("MissingName", "name is missing");
  if (/[/\\]/.test(name) || name === "." || name === "..") return refuse("InvalidName", `name "${name}" is a path`);
  if (version === "") return refuse("MissingVersion", "version is missing");
  if (!isHelmVersion(version)) return refuse("InvalidVersion", `version "${version}" is not a semantic version`);
  if (!["", "application", "library"].includes(type)) {
    return refuse("InvalidMetadata", `type "${type}" is neither application nor library`);
  }
  return undefined;
}

function mapping(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (!isMapping(value)) throw new ShapeError(`${where} is no mapping`);
  return value;
}

function list(value: unknown, where: string): readonly unknown[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw new ShapeError(`${where} is no list`);
  return value;
}

function text(value: unknown, where: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "object") throw new ShapeError(`${where} is no text`);
  return String(value);
}

function texts(value: unknown, where: string): readonly string[] | undefined {
  return list(value, where)?.map((item, at) => text(item, `${where}[${at}]`) ?? "");
}

function flag(value: unknown, where: string): boolean | undefined {
  if (value === undefined || value === null || typeof value === "boolean") return value ?? undefined;
  // Helm reads YAML 1.1, where these words are booleans too.
  if (/^(?:yes|on)$/i.test(scalarText(value))) return true;
  if (/^(?:no|off)$/i.test(scalarText(value))) return false;
  throw new ShapeError(`${where} is neither true nor false`);
}

function annotations(value: unknown): Readonly<Record<string, string>> | undefined {
  if (value === undefined || value === null) return undefined;
  const entries = Object.entries(mapping(value, "annotations"));
  return Object.fromEntries(entries.map(([key, item]) => [key, text(item, `annotations.${key}`) ?? ""]));
}
