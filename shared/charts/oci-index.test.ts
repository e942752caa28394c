import { expect, test } from "vitest";
import { type ChartVersion, parseIndex } from "./index-file.ts";
import { indexText, readRegistryVersion } from "./oci-index.ts";
import type { ChartManifest } from "./oci-manifest.ts";

const digest = (digit: string) => `sha256:${digit.repeat(64)}`;
const TAG = { chart: "web", host: "h", repository: "store/web", tag: "1.0.0_b7" };
const MANIFEST: ChartManifest = {
  kind: "chart",
  config: { mediaType: "c", digest: digest("a"), size: 1 },
  content: { mediaType: "p", digest: digest("b"), size: 1 },
  created: "2024-05-06T07:08:09Z",
};
const METADATA = {
  name: "web",
  version: "1.0.0+b7",
  apiVersion: "v2",
  description: "Two lines:\n  # no comment\n",
  icon: "https://h/icon.png",
  deprecated: true,
  keywords: ["yes", "1.0", "- x"],
  annotations: { "a/b": "'quoted' \"twice\"" },
  maintainers: [{ name: "Ann", email: "a@b" }],
  dependencies: [{ name: "redis", repository: "oci://h/store", version: "~1" }],
};

function reading(config: unknown, manifest = MANIFEST) {
  const text = typeof config === "string" ? config : JSON.stringify(config);
  return readRegistryVersion({ tag: TAG, digest: digest("d"), manifest, config: Buffer.from(text) });
}

function text(charts: Record<string, readonly ChartVersion[]>): string {
  const written = Object.entries(charts).map(([chart, versions]) => ({ chart, versions: () => versions }));
  return [...indexText(written)].join("");
}

test("the entry of a version says what the config says, where it lies, and the package's digest", () => {
  expect(reading(METADATA)).toEqual({
    ok: true,
    version: {
      ...METADATA,
      urls: ["oci://h/store/web:1.0.0_b7", `oci://h/store/web@${digest("d")}`],
      created: "2024-05-06T07:08:09Z",
      digest: "b".repeat(64),
    },
  });
});

test.each([
  [{ ...METADATA, version: "1.0.1" }, "the tag holds version 1.0.1"],
  [{ ...METADATA, name: "" }, "name is missing"],
  ["no JSON", "no mapping"],
  ["[]", "no mapping"],
])("%o is left out", (config, message) => {
  expect(reading(config)).toMatchObject({ ok: false, message: expect.stringContaining(message) });
});

test("the text is an index, whatever stands in the metadata", () => {
  const read = reading(METADATA);
  if (!read.ok) throw new Error(read.message);
  const older = { ...read.version, version: "0.9.0", created: "2023-01-01T00:00:00Z" };
  const index = parseIndex(text({ web: [older, read.version], yes: [read.version] }));
  expect(index.problems).toEqual([]);
  expect(index.entries.map(({ name }) => name)).toEqual(["web", "yes"]);
  expect(index.entries[0]?.versions).toEqual([read.version, older]);
  expect(index.generated).toBe("2024-05-06T07:08:09Z");
});

test("what was read from an index is written as it was at first", () => {
  const read = reading(METADATA);
  if (!read.ok) throw new Error(read.message);
  const written = text({ web: [read.version] });
  expect(text({ web: parseIndex(written).entries[0]?.versions ?? [] })).toBe(written);
});

test("no charts, and a chart without versions, are said as such", () => {
  expect(text({})).toBe("apiVersion: v1\nentries: {}\ngenerated: '1970-01-01T00:00:00Z'\n");
  expect(parseIndex(text({ web: [] }))).toMatchObject({ entries: [], problems: [{ chart: "web" }] });
});
