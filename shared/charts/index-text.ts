import { stringifyYaml } from "../adapters/yaml.ts";

/** What is written into an index: chart name → entries, newest first. */
export interface WrittenIndex {
  readonly entries: Readonly<Record<string, readonly object[]>>;
  /** RFC 3339. */
  readonly generated: string;
}

/** The text of an index.yaml; the same content gives the same text. */
export function indexText({ entries, generated }: WrittenIndex): string {
  return stringifyYaml({ apiVersion: "v1", entries, generated });
}
