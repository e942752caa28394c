import { parseYamlDocuments, YamlError } from "../adapters/yaml.ts";
import type { ArchiveFile } from "../ports.ts";
import { type Finding, findingIf } from "./finding.ts";
import { isMapping, scalarText } from "./records.ts";

/** Custom resource definitions that a package brings, and what is wrong with those files. */
export interface PackageCrds {
  /** Names such as widgets.example.org. */
  readonly names: readonly string[];
  readonly findings: readonly Finding[];
}

const CRD_FILE = /^(?:charts\/[^/]+\/)*crds\/.*\.(?:ya?ml|json)$/i;
const SEPARATOR = /^---(?:[ \t].*)?$/m;

interface Head {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** Reads the files of `crds/`, which Helm installs before everything else and never renders. */
export function packageCrds(files: readonly ArchiveFile[]): PackageCrds {
  const read = files.filter(({ path }) => CRD_FILE.test(path)).map(crdsOf);
  return { names: read.flatMap(({ names }) => names), findings: read.flatMap(({ findings }) => findings) };
}

function crdsOf({ path, bytes, text }: ArchiveFile): PackageCrds {
  if (text === undefined) {
    const message = `its ${bytes} bytes are more than is read here, so it was not checked`;
    return { names: [], findings: findingIf(bytes > 0, "info", path, message) };
  }
  try {
    const heads = text.split(SEPARATOR).flatMap(headsOf);
    const names = heads.filter(({ kind }) => kind === "CustomResourceDefinition").map(({ name }) => name);
    return { names, findings: heads.flatMap((head) => crdRules(path, head)).slice(0, 10) };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { names: [], findings: findingIf(true, "error", path, error.message) };
  }
}

function crdRules(path: string, { apiVersion, kind }: Head): readonly Finding[] {
  const group = apiVersion.startsWith("apiextensions.k8s.io");
  return [
    ...findingIf(!group, "error", path, "an object's apiVersion is not of apiextensions.k8s.io"),
    ...findingIf(kind !== "CustomResourceDefinition", "error", path, "an object is no CustomResourceDefinition"),
  ];
}

/** Definitions are megabytes of schema: where a document is in block style its head is found without reading the rest. */
function headsOf(document: string): readonly Head[] {
  const apiVersion = topField(document, "apiVersion");
  const kind = topField(document, "kind");
  const name = blockName(document);
  if (apiVersion && kind && name) return [{ apiVersion, kind, name }];
  return parseYamlDocuments(document, { maxLength: 2 * 1024 * 1024, maxValues: 200_000 })
    .filter(isMapping)
    .map((object) => ({
      apiVersion: scalarText(object["apiVersion"]),
      kind: scalarText(object["kind"]),
      name: isMapping(object["metadata"]) ? scalarText(object["metadata"]["name"]) : "",
    }));
}

function topField(document: string, field: "apiVersion" | "kind"): string | undefined {
  return new RegExp(`^${field}:[ \\t]*["']?([\\w./-]+)["']?[ \\t]*(?:#.*)?$`, "m").exec(document)?.[1];
}

/** The name below `metadata:` itself, not one of the labels or owners further in. */
function blockName(document: string): string | undefined {
  const block = /^metadata:[ \t]*(?:#.*)?\n((?:[ \t]+.*\n?|[ \t]*\n)+)/m.exec(document)?.[1] ?? "";
  const indent = /^[ \t]+/m.exec(block)?.[0] ?? " ";
  const line = block.split("\n").find((each) => each.startsWith(`${indent}name:`));
  return /:[ \t]*["']?([\w.-]+)/.exec(line ?? "")?.[1];
}
