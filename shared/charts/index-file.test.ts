import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringifyYaml } from "../adapters/yaml.ts";
import { parseIndex } from "./index-file.ts";
import { IndexError, type IndexLimits } from "./index-limits.ts";

const ENTRY = { name: "redis", version: "1.0.0", apiVersion: "v2", urls: ["redis-1.0.0.tgz"] };

function indexOf(...versions: unknown[]): string {
  return stringifyYaml({ apiVersion: "v1", entries: { redis: versions } });
}

function errorOf(text: string, limits: IndexLimits = {}): IndexError {
  try {
    parseIndex(text, limits);
  } catch (error) {
    if (error instanceof IndexError) return error;
    throw error;
  }
  throw new Error("accepted");
}

describe("an index as a whole", () => {
  test("keeps every field that Helm knows", () => {
    const full = {
      ...ENTRY,
      appVersion: "7.0",
      description: "d",
      home: "h",
      icon: "i",
      kubeVersion: ">=1.20",
      type: "application",
      condition: "c",
      tags: "t",
      deprecated: true,
      annotations: { a: "b" },
      sources: ["s"],
      keywords: ["k"],
      maintainers: [{ name: "n", email: "e", url: "u" }],
      dependencies: [
        { name: "x", repository: "r", version: "1", condition: "c", tags: ["t"], enabled: true, alias: "y" },
      ],
      created: "2020-01-02T03:04:05.678901234Z",
      digest: "ab",
      removed: true,
    };
    const text = stringifyYaml({ apiVersion: "v1", generated: "2021-01-01T00:00:00Z", entries: { redis: [full] } });
    expect(parseIndex(text)).toEqual({
      apiVersion: "v1",
      generated: "2021-01-01T00:00:00Z",
      entries: [{ name: "redis", versions: [full] }],
      problems: [],
    });
  });

  test.each([
    ["", "EmptyIndex", "empty index.yaml file"],
    ["# nothing\n", "NoApiVersion", "no API version specified"],
    ["entries: {}\n", "NoApiVersion", "no API version specified"],
    ["a: [\n", "InvalidYaml", /not valid YAML: line 2/],
    ["- a\n", "InvalidIndex", /no mapping with apiVersion and entries/],
    ["apiVersion: v1\nentries: [a]\n", "InvalidIndex", /no mapping from chart names/],
    ["<html>not found</html>", "InvalidIndex", /no mapping/],
  ])("%j is refused: %s", (text, reason, message) => {
    const error = errorOf(text);
    expect(error.reason).toBe(reason);
    expect(error.message).toMatch(message);
  });

  test("limits what it reads", () => {
    const two = stringifyYaml({ apiVersion: "v1", entries: { a: [ENTRY, ENTRY], b: [ENTRY] } });
    expect(errorOf(two, { maxLength: 10 })).toMatchObject({ reason: "TooLarge" });
    expect(errorOf(two, { maxCharts: 1 }).message).toMatch(/lists 2 charts, at most 1/);
    expect(errorOf(two, { maxVersions: 2 }).message).toMatch(/lists 3 versions, at most 2/);
  });

  test("reads a JSON index like a YAML one, byte order mark and Windows line ends too", () => {
    const value = { apiVersion: "v1", entries: { redis: [ENTRY] } };
    const expected = parseIndex(stringifyYaml(value));
    expect(parseIndex(JSON.stringify(value))).toEqual(expected);
    expect(parseIndex(`\ufeff${stringifyYaml(value).replaceAll("\n", "\r\n")}`)).toEqual(expected);
    expect(parseIndex("{apiVersion: v1, entries: {}}").entries).toEqual([]);
  });
});

describe("its entries", () => {
  test("one bad entry is left out alone and named", () => {
    const { entries, problems } = parseIndex(
      indexOf(
        ENTRY,
        null,
        "text",
        { ...ENTRY, version: "abc" },
        { ...ENTRY, name: undefined, version: "1.1.0" },
        { ...ENTRY, version: undefined },
        { ...ENTRY, version: "1.2.0", keywords: "k" },
        { ...ENTRY, version: "1.3.0", type: "other" },
        { ...ENTRY, version: "1.4.0", urls: [] },
        { ...ENTRY, version: "1.5.0", name: "../etc" },
        { ...ENTRY, version: "1.6.0", dependencies: [{ name: "x", alias: "a b" }] },
        { ...ENTRY, version: { toString: 1 }, created: { toString: 1 } },
        { ...ENTRY, version: "2.0.0" },
      ),
    );
    expect(entries.map(({ versions }) => versions.map(({ version }) => version))).toEqual([["2.0.0", "1.0.0"]]);
    expect(problems.map(({ reason, version }) => [reason, version])).toEqual([
      ["InvalidEntry", undefined],
      ["InvalidEntry", undefined],
      ["InvalidVersion", "abc"],
      ["InvalidEntry", "1.1.0"],
      ["InvalidEntry", undefined],
      ["InvalidEntry", "1.2.0"],
      ["InvalidEntry", "1.3.0"],
      ["MissingUrl", "1.4.0"],
      ["InvalidEntry", "1.5.0"],
      ["InvalidEntry", "1.6.0"],
      ["InvalidEntry", undefined],
    ]);
    expect(problems[5]).toEqual({
      chart: "redis",
      version: "1.2.0",
      reason: "InvalidEntry",
      message: "chart redis, version 1.2.0: keywords is no list",
    });
  });

  test("of equal versions the first counts, the others are reported", () => {
    const { entries, problems } = parseIndex(indexOf({ ...ENTRY, digest: "one" }, { ...ENTRY, digest: "two" }));
    expect(entries[0]?.versions).toMatchObject([{ digest: "one" }]);
    expect(problems).toMatchObject([{ chart: "redis", version: "1.0.0", reason: "DuplicateVersion" }]);
  });

  test("versions come newest first as Helm sorts them", () => {
    const given = ["1.0.0", "v1.2", "1.2.0-alpha", "1.10.0", "1.2.0+b", "1.2.0+a", "01.3.0"];
    const { entries } = parseIndex(indexOf(...given.map((version) => ({ ...ENTRY, version }))));
    expect(entries[0]?.versions.map(({ version }) => version)).toEqual([
      "1.10.0",
      "01.3.0",
      "v1.2",
      "1.2.0+b",
      "1.2.0+a",
      "1.2.0-alpha",
      "1.0.0",
    ]);
  });

  test("a chart without usable versions is no entry but a problem", () => {
    const { entries, problems } = parseIndex("apiVersion: v1\nentries: {a: [], b: , c: text, d: [{version: x}]}\n");
    expect(entries).toEqual([]);
    expect(problems.map(({ chart, reason }) => [chart, reason])).toEqual([
      ["a", "NoVersions"],
      ["b", "NoVersions"],
      ["c", "NoVersions"],
      ["d", "InvalidEntry"],
    ]);
  });

  test("numbers and words become text, fields that Helm does not know cost nothing", () => {
    const text = `apiVersion: v1
entries:
  redis:
    - {name: redis, version: 1.2, appVersion: 1.10, keywords: [1, true], deprecated: yes, urls: [u], unknown: {a: b}}
`;
    expect(parseIndex(text).entries[0]?.versions[0]).toEqual({
      name: "redis",
      version: "1.2",
      appVersion: "1.1",
      apiVersion: "v1",
      keywords: ["1", "true"],
      deprecated: true,
      urls: ["u"],
    });
  });

  test("any data is read into entries and problems, nothing is lost, nothing else is thrown", () => {
    const version = fc.oneof(
      fc.jsonValue(),
      fc.record({ name: fc.string(), version: fc.constantFrom("1.0.0", "2", "x"), urls: fc.constant(["u"]) }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.array(version, { minLength: 1 })), (charts) => {
        const { entries, problems } = parseIndex(JSON.stringify({ apiVersion: "v1", entries: charts }));
        const used = entries.reduce((sum, { versions }) => sum + versions.length, 0);
        expect(used + problems.length).toBe(Object.values(charts).flat().length);
      }),
      { numRuns: 1000 },
    );
  });
});
