import { expect, test } from "vitest";
import { stringifyYaml } from "../adapters/yaml.ts";
import { parseIndex } from "./index-file.ts";
import { readIndex } from "./index-reader.ts";
import { openStoredIndex } from "./stored-index.ts";

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

async function* chunksOf(text: string, size = 1000): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test("tells which charts changed against the known index, and what they were and are", async () => {
  const before = { a: [item("a", "1.0.0")], b: [item("b", "1.0.0")], c: [item("c", "1.0.0")] };
  const after = { a: [item("a", "1.0.0")], b: [item("b", "1.1.0"), item("b", "1.0.0")], d: [item("d", "1.0.0")] };
  const known = openStoredIndex((await readIndex(chunksOf(indexText(before)))).stored);
  if (!known) throw new Error("not opened");
  const read = await readIndex(chunksOf(indexText(after)), { known });
  expect(read.changed).toEqual(["b", "d", "c"]);
  expect(known.entry("b")?.versions.map(({ version }) => version)).toEqual(["1.0.0"]);
  expect(read.index.entry("b")?.versions.map(({ version }) => version)).toEqual(["1.1.0", "1.0.0"]);
  expect(read.index.entry("c")).toBeUndefined();
  expect(read.totals).toEqual({ charts: 3, versions: 4 });
});

test("keeps every field of every version", async () => {
  const text = indexText({
    a: [item("a", "1.0.0", { digest: "ab", keywords: ["k"] }), item("a", "0.9.0", { created: undefined })],
  });
  const { index } = await readIndex(chunksOf(text));
  expect(index.charts.map(({ name }) => index.entry(name))).toEqual(parseIndex(text).entries);
});

test("tells a whole text, with or without its last line end, from one that is cut off", async () => {
  const entries = { a: [item("a", "1.0.0"), item("a", "0.9.0")], b: [item("b", "1.0.0")] };
  const yaml = indexText(entries);
  const json = JSON.stringify({ apiVersion: "v1", entries, generated: "2021-01-01T00:00:00Z" });
  const complete = async (text: string) => (await readIndex(chunksOf(text))).complete;
  for (const whole of [yaml, yaml.trimEnd(), json, `${json}\n`]) expect(await complete(whole)).toBe(true);
  const lines = yaml.split("\n");
  const cut = lines.slice(0, lines.indexOf("  b:")).join("\n");
  for (const part of [cut, `${cut}\n`]) expect(await complete(part)).toBe(false);
});
