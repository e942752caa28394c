import { expect, test } from "vitest";
import { packChart } from "./stored-chart.ts";
import { openStoredIndex, writeStoredIndex } from "./stored-index.ts";

const version = { name: "a", version: "1.0.0", apiVersion: "v2", urls: ["a.tgz"] };
const packed = [
  packChart({ name: "a", versions: [{ version, created: "2020-01-01T00:00:00Z" }], problems: [] }),
  packChart({ name: "b", versions: [{ version: { ...version, name: "b" }, created: "" }], problems: [] }),
  packChart({ name: "c", versions: [], problems: [{ chart: "c", reason: "NoVersions", message: "none" }] }),
];
const stored = writeStoredIndex({ apiVersion: "v1", contentDigest: "sha256:0", packed });

test("opens what was written, chart by chart", () => {
  const index = openStoredIndex(stored);
  expect(index).toMatchObject({ apiVersion: "v1", contentDigest: "sha256:0" });
  expect(index?.charts.map(({ name, versions }) => [name, versions])).toEqual([
    ["a", 1],
    ["b", 1],
  ]);
  expect(index?.entry("a")).toEqual({ name: "a", versions: [{ ...version, created: "2020-01-01T00:00:00Z" }] });
  expect(index?.entry("b")?.versions[0]).not.toHaveProperty("created");
  expect([index?.entry("c"), index?.entry("constructor")]).toEqual([undefined, undefined]);
  expect(index?.packed("c")?.chart.problems).toEqual({ count: 1, first: [expect.objectContaining({ chart: "c" })] });
});

test("does not open what is damaged, cut off or something else", () => {
  for (let at = 0; at < stored.length; at++) {
    const damaged = Buffer.from(stored);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    expect(openStoredIndex(damaged), `byte ${at}`).toBeUndefined();
  }
  for (const bytes of [new Uint8Array(), stored.subarray(0, -1), Buffer.from("apiVersion: v1\nentries: {}\n")]) {
    expect(openStoredIndex(bytes)).toBeUndefined();
  }
});

test("the content of a chart counts, and when its versions were made does not", () => {
  const of = (more: object, created: string) =>
    packChart({ name: "a", versions: [{ version: { ...version, ...more }, created }], problems: [] }).chart.content;
  expect(of({}, "2021-01-01T00:00:00Z")).toBe(packed[0]?.chart.content);
  expect(of({ digest: "ab" }, "")).not.toBe(packed[0]?.chart.content);
});
