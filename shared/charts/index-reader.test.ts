import { describe, expect, test } from "vitest";
import { stringifyYaml } from "../adapters/yaml.ts";
import { parseIndex } from "./index-file.ts";
import type { IndexLimits } from "./index-limits.ts";
import { type IndexRead, readIndex } from "./index-reader.ts";
import { openStoredIndex, type StoredIndex } from "./stored-index.ts";

const HEAD = "apiVersion: v1\nentries:\n";
const TAIL = 'generated: "2021-01-01T00:00:00Z"\n';

function item(name: string, version: string, more = {}): object {
  return {
    name,
    version,
    apiVersion: "v2",
    urls: [`${name}-${version}.tgz`],
    created: "2020-01-01T00:00:00Z",
    ...more,
  };
}

function indexText(entries: object): string {
  return stringifyYaml({ apiVersion: "v1", entries, generated: "2021-01-01T00:00:00Z" });
}

/** One chart as an index has it. */
function block(name: string, ...lines: readonly string[]): string {
  const fields = [`- name: ${name}`, '  version: "1.0.0"', "  urls: [x.tgz]", ...lines.map((line) => `  ${line}`)];
  return `  ${name}:\n${fields.map((line) => `  ${line}\n`).join("")}`;
}

async function* chunksOf(text: string, size = 100): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function read(text: string, known?: StoredIndex, limits: IndexLimits = {}): Promise<IndexRead> {
  return readIndex(chunksOf(text), { limits, ...(known ? { known } : {}) });
}

function versionsOf(index: StoredIndex, chart: string): readonly string[] | undefined {
  return index.entry(chart)?.versions.map(({ version }) => version);
}

describe("an index that is read again", () => {
  test("tells which charts changed, and what they were and are", async () => {
    const before = { a: [item("a", "1.0.0")], b: [item("b", "1.0.0")], c: [item("c", "1.0.0")] };
    const after = { a: [item("a", "1.0.0")], b: [item("b", "1.1.0"), item("b", "1.0.0")], d: [item("d", "1.0.0")] };
    const known = openStoredIndex((await read(indexText(before))).stored);
    const { changed, index, totals } = await read(indexText(after), known);
    expect(changed).toEqual(["b", "d", "c"]);
    expect(known && versionsOf(known, "b")).toEqual(["1.0.0"]);
    expect(versionsOf(index, "b")).toEqual(["1.1.0", "1.0.0"]);
    expect(versionsOf(index, "c")).toBeUndefined();
    expect(totals).toEqual({ charts: 3, versions: 4 });
  });

  test("takes an unchanged chart over as it is stored, without parsing it", async () => {
    const first = await read(indexText({ a: [item("a", "1.0.0")], b: [item("b", "1.0.0")] }));
    const second = await read(indexText({ a: [item("a", "1.0.0")], b: [item("b", "2.0.0")] }), first.index);
    expect(second.index.packed("a")).toBe(first.index.packed("a"));
    expect(second.changed).toEqual(["b"]);
  });

  test("takes unchanged versions of a changed chart over once their items are hashed", async () => {
    const versions = [1, 2, 3].map((number) => item("a", `${number}.0.0`));
    const texts = [versions, [item("a", "4.0.0"), ...versions], [item("a", "5.0.0"), item("a", "4.0.0"), ...versions]];
    let known: StoredIndex | undefined;
    for (const list of texts) known = (await read(indexText({ a: list }), known)).index;
    expect(known?.packed("a")?.chart).toMatchObject({ hashed: true, versions: 5 });
    expect(known && versionsOf(known, "a")).toEqual(["5.0.0", "4.0.0", "3.0.0", "2.0.0", "1.0.0"]);
  });

  test("does not count when versions and the index were made, but keeps the times as they are", async () => {
    const at = (created: string) =>
      indexText({ a: [item("a", "2.0.0", { created }), item("a", "1.0.0", { created })] });
    let known: StoredIndex | undefined;
    for (const created of ["2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z", "2022-01-01T00:00:00Z"]) {
      const result = await read(at(created).replace("2021-01-01T00:00:00Z", created), known);
      expect(result.changed).toEqual(known ? [] : ["a"]);
      if (known) expect(result.contentDigest).toBe(known.contentDigest);
      expect(result.index.entry("a")?.versions.map((version) => version.created)).toEqual([created, created]);
      known = result.index;
    }
  });

  test("is the same content however it is written", async () => {
    const entries = { a: [item("a", "1.0.0")], b: [item("b", "1.0.0")] };
    const plain = await read(indexText(entries));
    const json = await read(JSON.stringify({ entries: { b: entries.b, a: entries.a }, apiVersion: "v1" }), plain.index);
    expect(json).toMatchObject({ changed: [], contentDigest: plain.contentDigest, mode: { kind: "full" } });
  });

  test.each([
    ["& is no anchor", "this & that", true],
    ["&a may be one", "this &that", false],
  ])("knows a chart again that only the library reads, where it has none: %s", async (_, home, known) => {
    const { index } = await read(`${HEAD}${block("a", `home: "\\U0001f600 ${home}"`)}${TAIL}`);
    expect(index.entry("a")?.versions[0]?.home).toBe(`\u{1f600} ${home}`);
    expect(index.packed("a")?.chart.text !== undefined).toBe(known);
  });

  test("follows an anchor in another chart whose alias has not changed", async () => {
    const text = (home: string) => HEAD + block("a", `home: &home ${home}`) + block("b", "home: *home") + TAIL;
    const first = await read(text("one"));
    const second = await read(text("two"), first.index);
    expect(second.changed).toEqual(["a", "b"]);
    expect(second.index.entry("b")?.versions[0]?.home).toBe("two");
  });
});

describe("an index of another shape than Helm writes", () => {
  test.each([
    ["JSON", JSON.stringify({ apiVersion: "v1", entries: { a: [item("a", "1.0.0")] } }), /no line is just `entries:`/],
    ["Windows line ends", (HEAD + block("a") + TAIL).replaceAll("\n", "\r\n"), /no line is just/],
    ["entries in flow style", "apiVersion: v1\nentries: {}\n", /no line is just/],
    ["a quoted name", HEAD + block("a").replace("a:", '"a":') + TAIL, /place of a chart's name/],
    ["a flow list", `${HEAD + block("a")}  b: []\n${TAIL}`, /place of a chart's name/],
    [
      "a comment before the list",
      HEAD + block("a").replace("a:\n", "a:\n  # c\n") + TAIL,
      /neither a chart nor a version/,
    ],
    ["a chart twice", HEAD + block("a") + block("b") + block("a", "home: h") + TAIL, /stands in it twice/],
    ["entries twice", `${HEAD + block("a")}entries:\n${block("b")}${TAIL}`, /entries twice/],
    [
      "an alias into another chart",
      HEAD + block("a", "home: &h x") + block("b", "home: *h") + TAIL,
      /cannot be read alone/,
    ],
    ["a quoted text with a chart in it", `${HEAD + block("a", 'home: "x')}  b:\n  - c"\n${TAIL}`, /alone/],
    ["charts indented differently", `${HEAD + block("a")}${block("b").replaceAll(/^/gm, " ").trimEnd()}\n${TAIL}`, /./],
  ])("%s: the rest is parsed as one text", async (_, text, reason) => {
    const expected = parsedOrReason(text);
    const result = await read(text).catch((error: { reason: string }) => error.reason);
    if (typeof result === "string") return expect(result).toBe(expected);
    expect(result.mode).toMatchObject({ kind: "full", reason: expect.stringMatching(reason) });
    expect(Object.fromEntries(result.index.charts.map(({ name }) => [name, result.index.entry(name)]))).toEqual(
      expected,
    );
  });

  test("charts that were read before its first oddity stay as they were read", async () => {
    const { index, mode } = await read(`${HEAD + block("a") + block("b")}  "c": []\n${TAIL}`);
    expect(mode.kind).toBe("full");
    expect(index.charts.map(({ name, text }) => [name, text !== undefined])).toEqual([
      ["a", true],
      ["b", true],
    ]);
  });
});

function parsedOrReason(text: string): unknown {
  try {
    return Object.fromEntries(parseIndex(text).entries.map((entry) => [entry.name, entry]));
  } catch (error) {
    return (error as { reason: string }).reason;
  }
}

describe("its limits and its end", () => {
  test.each([
    ["bytes", { maxLength: 50 }, /at most 50 are read/],
    ["charts", { maxCharts: 1 }, /lists 2 charts, at most 1/],
    ["versions", { maxVersions: 1 }, /lists 2 versions, at most 1/],
  ])("refuses too many %s while they arrive", async (_, limits, message) => {
    const text = HEAD + block("a") + block("b") + TAIL;
    await expect(read(text, undefined, limits)).rejects.toThrow(message);
  });

  test.each([
    ["with its time last", HEAD + block("a") + TAIL, true],
    ["without the last line end", (HEAD + block("a") + TAIL).trimEnd(), true],
    ["with its time first", TAIL + HEAD + block("a"), true],
    ["cut in a version", (HEAD + block("a") + block("b", "home: https://x")).slice(0, -8), false],
    ["cut between versions", HEAD + block("a"), false],
    ["cut in a version behind its time", (TAIL + HEAD + block("a", "home: https://x")).slice(0, -3), false],
  ])("%s it looks complete or not", async (_, text, complete) => {
    expect((await read(text)).complete).toBe(complete);
  });

  test("hands on what the chunks fail with", async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(HEAD);
      throw new Error("the body broke off");
    }
    await expect(readIndex(failing())).rejects.toThrow("the body broke off");
  });

  test("bad entries are counted and named, also where they were read before", async () => {
    const bad = { a: [item("a", "1.0.0"), item("a", "x")], b: [] };
    const first = await read(indexText(bad));
    const second = await read(indexText(bad), first.index);
    expect(first.problems.count).toBe(2);
    expect(second.problems).toEqual(first.problems);
    expect(second.index.charts.map(({ name }) => name)).toEqual(["a"]);
  });
});
