import { parseYamlDocuments, YamlError } from "../adapters/yaml.ts";
import { excerpt } from "../charts/excerpt.ts";
import { isMapping, scalarText } from "../charts/records.ts";
import type { Distrust } from "./verdict.ts";

/** The chart that a provenance file should speak of. */
export interface ExpectedChart {
  readonly name: string;
  readonly version: string;
  /** sha256:<hex> of the package, where it is known before its bytes are. */
  readonly digest?: string;
}

/** What a signed provenance text says of the chart, or why it says nothing of it. */
export type Provenance = { readonly ok: true; readonly digest: string } | ({ readonly ok: false } & Distrust);

/** The end of a YAML document, between the chart's metadata and the list of files (Helm writes exactly this). */
const SEPARATOR = "\n...\n";

/** A provenance holds a Chart.yaml and one line more. */
const LIMITS = { maxLength: 256 * 1024, maxDepth: 32, maxValues: 20_000 };

const SHA256 = /^sha256:[0-9a-f]{64}$/;

/**
 * Reads the text that was signed: the chart's metadata, then its package's name and digest. Name, version and digest
 * must be those of the chart at hand, so that a signature for one package does not vouch for another.
 */
export function readProvenance(text: string, expected: ExpectedChart): Provenance {
  const parts = text.split(SEPARATOR);
  const [metadata, sums] = parts.length === 2 ? parts.map(readDocument) : [];
  const files = isMapping(sums) ? sums["files"] : undefined;
  if (!isMapping(metadata) || !isMapping(files)) {
    return distrust("ProvenanceUnreadable", "the provenance does not hold a chart's metadata and a list of files");
  }
  const signed = `${excerpt(scalarText(metadata["name"]))} ${excerpt(scalarText(metadata["version"]))}`;
  if (signed !== `${expected.name} ${expected.version}`) {
    return distrust("WrongChart", `the provenance is for ${signed}, not for ${expected.name} ${expected.version}`);
  }
  const file = `${expected.name}-${expected.version}.tgz`;
  const digest = Object.hasOwn(files, file) ? scalarText(files[file]).toLowerCase() : "";
  if (!SHA256.test(digest)) return distrust("WrongChart", `the provenance states no sha256 digest of ${file}`);
  if (expected.digest !== undefined && digest !== expected.digest) {
    const message = `the provenance states ${digest} for ${file}, but the package is ${expected.digest}`;
    return distrust("DigestMismatch", message);
  }
  return { ok: true, digest };
}

function readDocument(text: string): unknown {
  try {
    return parseYamlDocuments(text, LIMITS)[0];
  } catch (error) {
    if (error instanceof YamlError) return undefined;
    throw error;
  }
}

function distrust(reason: string, message: string): Provenance {
  return { ok: false, reason, message };
}
