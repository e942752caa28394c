import { readFile, writeFile } from "node:fs/promises";
import { createCharts } from "../../shared/adapters/charts.ts";
import { createFetchHead } from "../../shared/adapters/charts-http-fetch.ts";
import { readIndex } from "../../shared/charts/index-reader.ts";
import { openStoredIndex, type StoredIndex } from "../../shared/charts/stored-index.ts";

/** What to sync: everything a function would know from the repository's object and its buckets. */
export interface SyncTask {
  readonly url: string;
  /** File of the stored index that is known. */
  readonly known?: string;
  readonly etag?: string;
  /** Where to write the index that was read. */
  readonly out?: string;
}

/** What a sync came to. */
export interface SyncOutcome {
  readonly contentDigest?: string;
  /** Charts that changed, each with the versions that are new. */
  readonly changed: readonly (readonly [chart: string, added: readonly string[]])[];
  readonly ms: number;
}

const charts = createCharts(createFetchHead());

/** Fetches an index with the product's own adapter, reads it, keeps it, and tells how it differs from the known one. */
async function sync({ url, known: file, etag, out }: SyncTask): Promise<SyncOutcome> {
  const started = performance.now();
  const fetched = await charts.fetchIndex({ url }, etag === undefined ? {} : { etag });
  if (!fetched.changed) return { changed: [], ms: performance.now() - started };
  const known = file === undefined ? undefined : openStoredIndex(await readFile(file));
  const { contentDigest, changed, index, stored } = await readIndex(fetched.chunks, known ? { known } : {});
  const differences = changed.map((chart) => [chart, addedTo(chart, known, index)] as const);
  if (out !== undefined) await writeFile(out, stored);
  return { contentDigest, changed: differences, ms: performance.now() - started };
}

function addedTo(chart: string, known: StoredIndex | undefined, index: StoredIndex): readonly string[] {
  const before = known?.entry(chart);
  if (!before) return [];
  const versions = new Set(before.versions.map(({ version }) => version));
  const after = index.entry(chart)?.versions ?? [];
  return after.map(({ version }) => version).filter((version) => !versions.has(version));
}

// As a process of its own it does one task; as a child with a channel it waits for more.
const [, , task] = process.argv;
if (task !== undefined) process.stdout.write(JSON.stringify(await sync(JSON.parse(task))));
else process.on("message", async (message) => process.send?.(await sync(message as SyncTask)));
