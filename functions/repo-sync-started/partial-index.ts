import { type IndexRead, readIndex } from "../../shared/charts/index-reader.ts";
import type { StoredIndex } from "../../shared/charts/stored-index.ts";

/** The known index with the one chart that was read in the place of its own; a chart without versions is gone. */
export function withKnownCharts(known: StoredIndex, partial: StoredIndex, chart: string): Promise<IndexRead> {
  return readIndex(textOf(known, partial, chart), { known });
}

/** JSON is an index too, and what the reader says of it is what it would say of the whole. */
async function* textOf(known: StoredIndex, partial: StoredIndex, chart: string): AsyncIterable<Uint8Array> {
  const read = new Set([chart, ...partial.charts.map(({ name }) => name)]);
  const kept = known.charts.filter(({ name }) => !read.has(name)).map(({ name }) => known.entry(name));
  const entries = [...kept, ...partial.charts.map(({ name }) => partial.entry(name))].filter(
    (entry) => entry !== undefined,
  );
  const generated = new Date(0).toISOString();
  yield Buffer.from(`{"apiVersion":${JSON.stringify(known.apiVersion)},"generated":"${generated}","entries":{`);
  for (const [at, { name, versions }] of entries.entries()) {
    yield Buffer.from(`${at === 0 ? "" : ","}${JSON.stringify(name)}:${JSON.stringify(versions)}`);
  }
  yield Buffer.from("}}");
}
