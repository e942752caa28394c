import { createHash } from "node:crypto";
import { deflateSync, inflateSync } from "node:zlib";
import type { ChartVersion } from "./index-file.ts";

/** Above this, what is stored is no chart of ours. */
const MAX_JSON_BYTES = 256 * 1024 * 1024;

/** The versions of one chart as a stored index keeps them. */
export interface PackedChart {
  readonly bytes: Uint8Array;
  /** Hex SHA-256 of all that counts: the versions with all their fields but `created`. */
  readonly content: string;
}

/** Packs a chart's versions; reading them back gives equal ones in the same order. */
export function packChart(versions: readonly ChartVersion[]): PackedChart {
  const created = JSON.stringify(versions.map((version) => version.created ?? ""));
  const rest = JSON.stringify(versions.map(({ created: _, ...version }) => version));
  return {
    bytes: deflateSync(`{"created":${created},"versions":${rest}}`, { level: 1 }),
    content: createHash("sha256").update(rest).digest("hex"),
  };
}

/** Reads what `packChart` wrote. */
export function unpackChart(bytes: Uint8Array): readonly ChartVersion[] {
  const json = inflateSync(bytes, { maxOutputLength: MAX_JSON_BYTES }).toString("utf8");
  const { created, versions }: { created: string[]; versions: ChartVersion[] } = JSON.parse(json);
  return versions.map((version, at) => (created[at] ? { ...version, created: created[at] } : version));
}
