import { createCharts } from "../../../shared/adapters/charts.ts";
import { createFetchHead } from "../../../shared/adapters/charts-http-fetch.ts";
import { type OciLimits, ociSource } from "../../../shared/adapters/charts-oci.ts";
import type { ChartEntry } from "../../../shared/charts/index-file.ts";
import { parseIndex } from "../../../shared/charts/index-file.ts";
import type { Charts, KnownIndex, RepositoryAccess } from "../../../shared/ports.ts";

/** What a fetch of a registry's index came to, read. */
export interface Synced {
  readonly changed: boolean;
  readonly entries: readonly ChartEntry[];
  readonly text: string;
  readonly etag?: string;
  readonly pending?: number;
  readonly partial?: true;
  readonly retryAfterMs?: number;
  readonly skipped?: { readonly count: number; readonly first: readonly object[] };
  /** What the next fetch knows. */
  readonly known: KnownIndex;
}

/** The port as functions have it, with budgets and memory of its own. */
export function freshCharts(): Charts {
  return createCharts(createFetchHead());
}

/** A source with narrower limits than functions have. */
export function limitedSource(limits: Partial<OciLimits>): Pick<Charts, "fetchIndex"> {
  return ociSource(createFetchHead(), { totalMs: 5000, idleMs: 2000, maxPackageBytes: 10_000, ...limits });
}

/** Fetches and reads a whole index; `known` is what an earlier one left. */
export async function sync(
  charts: Pick<Charts, "fetchIndex">,
  access: RepositoryAccess,
  known: KnownIndex = {},
): Promise<Synced> {
  const fetched = await charts.fetchIndex(access, known);
  if (!fetched.changed) return { changed: false, entries: [], text: "", known };
  const { chunks, ...answer } = fetched;
  const copies = await Array.fromAsync(chunks, (chunk) => Buffer.from(chunk));
  const text = Buffer.concat(copies).toString("utf8");
  const { entries } = parseIndex(text);
  return { ...answer, entries, text, known: { ...etagOf(answer), entry: (chart) => find(entries, chart) } };
}

/** `chart version` for all of an index. */
export function versionsOf({ entries }: Synced): readonly string[] {
  return entries.flatMap(({ name, versions }) => versions.map(({ version }) => `${name} ${version}`));
}

function etagOf({ etag }: { readonly etag?: string }) {
  return etag === undefined ? {} : { etag };
}

function find(entries: readonly ChartEntry[], chart: string): ChartEntry | undefined {
  return entries.find(({ name }) => name === chart);
}
