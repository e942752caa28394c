import { Failure, messageOf } from "../errors.ts";
import { parseYamlDocuments } from "./yaml.ts";

/** One object that a manifest declares. */
export interface DeclaredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** The objects of a rendered manifest in its order; lists are opened, documents that declare nothing are passed over. */
export function declaredObjects(release: string, manifest: string): readonly DeclaredObject[] {
  try {
    return parseYamlDocuments(manifest).flatMap(declared);
  } catch (error) {
    throw new Failure("Invalid", `the manifest of release ${release} is no readable YAML: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function declared(document: unknown): readonly DeclaredObject[] {
  if (!isRecord(document)) return [];
  const { apiVersion, kind, metadata, items } = document;
  if (typeof kind === "string" && kind.endsWith("List") && Array.isArray(items)) return items.flatMap(declared);
  if (typeof apiVersion !== "string" || typeof kind !== "string" || !isRecord(metadata)) return [];
  const { name, namespace } = metadata;
  if (typeof name !== "string") return [];
  return [{ apiVersion, kind, name, ...(typeof namespace === "string" && namespace !== "" ? { namespace } : {}) }];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
