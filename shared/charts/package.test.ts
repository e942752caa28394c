import { describe, expect, test } from "vitest";
import type { ArchiveResult } from "../ports.ts";
import { checkPackage } from "./package.ts";

const CHART = "apiVersion: v2\nname: redis\nversion: 1.0.0\n";

/** An archive as the reader hands it on, with these texts in the folder `redis`. */
function archive(texts: Record<string, string>, warnings: string[] = []): ArchiveResult {
  const files = Object.entries(texts).map(([path, text]) => ({ path, bytes: Buffer.byteLength(text), text }));
  return { ok: true, folder: "redis", files, warnings };
}

function reasonOf(texts: Record<string, string>): string {
  const result = checkPackage(archive(texts));
  if (result.ok) return "ok";
  expect(result.message.length).toBeLessThan(1024);
  return result.reason;
}

describe("checkPackage", () => {
  test("hands on what a good package says", () => {
    const result = checkPackage(
      archive(
        {
          "Chart.yaml": `${CHART}appVersion: 7\ndependencies: [{name: common, repository: https://x, version: 1.x.x}]\n`,
          "values.yaml": "a: {b: 1}\n",
          "values.schema.json": '{"type": "object"}',
          "README.md": "# Redis",
          "templates/a.yaml": "",
        },
        ["from the reader"],
      ),
    );
    expect(result).toMatchObject({
      ok: true,
      chart: { name: "redis", version: "1.0.0", appVersion: "7", dependencies: [{ name: "common", version: "1.x.x" }] },
      values: { a: { b: 1 } },
      schema: { type: "object" },
      readme: "# Redis",
      warnings: ["from the reader"],
    });
  });

  test("hands a refused archive's reason on", () => {
    const refused = { ok: false, reason: "UnsafePath", message: "m" } as const;
    expect(checkPackage(refused)).toEqual(refused);
  });

  test.each([
    ["MissingChartYaml", { "values.yaml": "" }],
    ["InvalidChartYaml", { "Chart.yaml": "" }],
    ["InvalidChartYaml", { "Chart.yaml": "a: [" }],
    ["InvalidChartYaml", { "Chart.yaml": "- a" }],
    ["InvalidChartYaml", { "Chart.yaml": `${CHART}keywords: a` }],
    ["InvalidChartYaml", { "Chart.yaml": `${CHART}type: plugin` }],
    ["InvalidChartYaml", { "Chart.yaml": `a: &a [${"*a,".repeat(3)}]` }],
    ["MissingName", { "Chart.yaml": "version: 1.0.0" }],
    ["MissingVersion", { "Chart.yaml": "name: redis" }],
    ["InvalidVersion", { "Chart.yaml": "name: redis\nversion: one" }],
    ["InvalidVersion", { "Chart.yaml": "name: redis\nversion: 1.2.3.4" }],
    ["InvalidDependency", { "Chart.yaml": `${CHART}dependencies: [{name: a}, {name: a}]` }],
    ["InvalidDependency", { "Chart.yaml": "name: redis\nversion: 1.0.0", "requirements.yaml": "dependencies: a" }],
    ["InvalidValues", { "Chart.yaml": CHART, "values.yaml": "- a" }],
    ["InvalidValues", { "Chart.yaml": CHART, "values.yaml": "a: b: c" }],
    ["InvalidValuesSchema", { "Chart.yaml": CHART, "values.schema.json": "{" }],
    ["InvalidValuesSchema", { "Chart.yaml": CHART, "values.schema.json": "[]" }],
    ["InvalidValuesSchema", { "Chart.yaml": CHART, "values.schema.json": "" }],
  ])("%s: %j", (reason, texts) => {
    expect(reasonOf(texts as Record<string, string>)).toBe(reason);
  });

  test.each(["My_Chart", "UPPER", "a.b", "-x", "x-", "a b", "é", "../x", "x/y", "x".repeat(64), "x".repeat(100_000)])(
    "the name %.20s is refused",
    (name) => {
      expect(reasonOf({ "Chart.yaml": `name: "${name}"\nversion: 1.0.0\n` })).toBe("InvalidChartName");
    },
  );

  test.each(["1", "v0.3.3", "01.2.0", "1.0.0-rc.1+build"])("the version %s is taken, as Helm takes it", (version) => {
    expect(reasonOf({ "Chart.yaml": `name: redis\nversion: ${version}\n` })).toBe("ok");
  });

  test("a message names the file, the cause and the place", () => {
    expect(checkPackage(archive({ "Chart.yaml": "name: redis\nversion: one\n" }))).toMatchObject({
      message: 'Chart.yaml: version "one" is not a semantic version',
    });
    expect(checkPackage(archive({ "Chart.yaml": CHART, "values.yaml": "a: 1\nb: [" }))).toMatchObject({
      message: expect.stringMatching(/^values\.yaml, line 2: /),
    });
  });

  test("a file that was too large to read is refused by name", () => {
    const files = [{ path: "Chart.yaml", bytes: 3_000_000 }];
    const result = checkPackage({ ok: true, folder: "redis", files, warnings: [] });
    expect(result).toMatchObject({
      ok: false,
      reason: "TooLarge",
      message: expect.stringContaining("Chart.yaml has 3000000"),
    });
  });

  test("empty values are no values; several documents lie one on the other, as in Helm", () => {
    expect(checkPackage(archive({ "Chart.yaml": CHART, "values.yaml": "# none\n" }))).not.toHaveProperty("values");
    const texts = { "Chart.yaml": CHART, "values.yaml": "a: {b: 1, c: 2}\n---\na: {b: 3}\nd: 4\n" };
    expect(checkPackage(archive(texts))).toMatchObject({ values: { a: { b: 3, c: 2 }, d: 4 } });
  });

  test("a chart of the first format has its dependencies in requirements.yaml", () => {
    const texts = {
      "Chart.yaml": "name: redis\nversion: 1.0.0",
      "requirements.yaml": "dependencies: [{name: common}]",
    };
    expect(checkPackage(archive(texts))).toMatchObject({
      chart: { apiVersion: "v1", dependencies: [{ name: "common" }] },
    });
  });

  test("says what a reviewer should know", () => {
    const result = checkPackage(archive({ "Chart.yaml": "name: valkey\nversion: 1.0.0" }));
    expect(result).toMatchObject({
      warnings: ["the archive's folder is called redis, the chart valkey"],
    });
  });
});
