import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ChartEntry, parseIndex } from "../../shared/charts/index-file.ts";
import { IndexError } from "../../shared/charts/index-limits.ts";
import { type IndexRead, readIndex } from "../../shared/charts/index-reader.ts";
import { openStoredIndex, type StoredIndex } from "../../shared/charts/stored-index.ts";
import { chartBlocks, withOneMore } from "../support/index-blocks.ts";
import { anyMutation } from "../support/index-mutations.ts";
import { haveRealData, readRealIndex, readRealTable } from "./real-data.ts";

/** Small ones, so that many mutations of them can be parsed as a whole too. */
const SMALL = ["kubesphere-main", "podinfo", "cloudnative-pg"];

/** Each run parses an index of 40 to 70 KB by the library, which is what takes the time. */
const RUNS = 100;

async function* chunksOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function byName(entries: readonly ChartEntry[]): Record<string, ChartEntry> {
  return Object.fromEntries(entries.map((entry) => [entry.name, entry]));
}

function entriesOf(index: StoredIndex): Record<string, ChartEntry> {
  return byName(index.charts.flatMap(({ name }) => index.entry(name) ?? []));
}

function reopened(read: IndexRead): StoredIndex {
  const index = openStoredIndex(read.stored);
  if (!index) throw new Error("what was stored cannot be opened");
  return index;
}

/** What a full parse by the YAML library comes to. */
function parsed(text: string) {
  try {
    const { apiVersion, generated, entries, problems } = parseIndex(text);
    return { apiVersion, generated, entries: byName(entries), problems: problems.length };
  } catch (error) {
    if (error instanceof IndexError) return error.reason;
    throw error;
  }
}

/** The same of what was read chart by chart. */
async function read(text: string, { size = 65_536, known }: { size?: number; known?: StoredIndex } = {}) {
  try {
    const result = await readIndex(chunksOf(text, size), known ? { known } : {});
    const { apiVersion, generated, problems } = result;
    return {
      result,
      summary: { apiVersion, generated, entries: entriesOf(reopened(result)), problems: problems.count },
    };
  } catch (error) {
    if (error instanceof IndexError) return { summary: error.reason };
    throw error;
  }
}

describe.runIf(haveRealData)("real indexes read chart by chart", () => {
  const names = readRealTable("name").flatMap((row) => (row["charts"] ? [row["name"] ?? ""] : []));

  test.each(names)("%s equals its full parse, entry by entry, however it is cut into chunks", async (name) => {
    const text = readRealIndex(name);
    const expected = parsed(text);
    for (const size of [65_536, text.length * 2, ...(text.length < 3_000_000 ? [1000] : [])]) {
      const { result, summary } = await read(text, { size });
      expect(summary).toEqual(expected);
      expect(result).toMatchObject({ mode: { kind: "incremental" }, complete: true });
    }
  });

  test.each(names)("%s read again changes nothing, and one more version changes one chart", async (name) => {
    const text = readRealIndex(name);
    const first = await readIndex(chunksOf(text, 65_536));
    const known = reopened(first);
    const again = await readIndex(
      chunksOf(text.replace(/^generated: .*$/m, 'generated: "2030-01-01T00:00:00Z"'), 65_536),
      { known },
    );
    expect(again).toMatchObject({ changed: [], contentDigest: first.contentDigest, totals: first.totals });
    const [[chart, block] = ["", ""]] = chartBlocks(text);
    const newer = text.replace(block, () => withOneMore(block));
    const third = await readIndex(chunksOf(newer, 65_536), { known: again.index });
    expect(third.changed).toEqual([chart]);
    expect(entriesOf(reopened(third))).toEqual(byName(parseIndex(newer).entries));
  });

  test.each(SMALL)("%s mutated equals its full parse, or is refused for the same reason", async (name) => {
    const text = readRealIndex(name);
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyMutation(), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 50, max: 70_000 }),
        async (mutations, size) => {
          const mutated = mutations.reduce((each, mutate) => mutate(each), text);
          expect((await read(mutated, { size })).summary).toEqual(parsed(mutated));
        },
      ),
      { numRuns: RUNS },
    );
  });

  test.each(SMALL)("%s mutated once more is read with what is known as without", async (name) => {
    const text = readRealIndex(name);
    await fc.assert(
      fc.asyncProperty(anyMutation(), anyMutation(), anyMutation(), async (first, second, third) => {
        const known = await lastReadable([first(text), second(first(text))]);
        const after = third(second(first(text)));
        const [incremental, scratch] = [await read(after, known ? { known } : {}), await read(after)];
        expect(incremental.summary).toEqual(scratch.summary);
        expect(incremental.result?.contentDigest).toBe(scratch.result?.contentDigest);
        if (known && incremental.result)
          expect(incremental.result.changed.toSorted()).toEqual(differing(known, incremental.result.index));
      }),
      { numRuns: RUNS },
    );
  });
});

/** What is known after revisions of an index were read in turn; those that cannot be read change nothing. */
async function lastReadable(revisions: readonly string[]): Promise<StoredIndex | undefined> {
  let known: StoredIndex | undefined;
  for (const text of revisions) known = (await read(text, known ? { known } : {})).result?.index ?? known;
  return known;
}

/** The charts that are not the same in two indexes, but for when their versions were made. */
function differing(a: StoredIndex, b: StoredIndex): string[] {
  const [was, is] = [entriesOf(a), entriesOf(b)];
  const content = (entry: ChartEntry | undefined) =>
    JSON.stringify(entry?.versions.map(({ created: _, ...version }) => version));
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((chart) => content(was[chart]) !== content(is[chart]))
    .sort();
}
