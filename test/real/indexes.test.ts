import { describe, expect, test } from "vitest";
import { parseIndex } from "../../shared/charts/index-file.ts";
import { compareVersions, isStrictSemver } from "../../shared/charts/version.ts";
import { haveRealData, readRealIndex, readRealTable } from "./real-data.ts";

describe.runIf(haveRealData)("real indexes", () => {
  const rows = readRealTable("name").filter((row) => row["charts"]);

  test("the data page lists 19 of them", () => {
    expect(rows).toHaveLength(19);
  });

  test.each(rows.map((row) => [row["name"] ?? "", row] as const))("%s counts as the data page says", (name, row) => {
    const { entries, problems, apiVersion, generated } = parseIndex(readRealIndex(name));
    const versions = entries.flatMap((entry) => entry.versions);
    const duplicates = problems.filter((problem) => problem.reason === "DuplicateVersion");
    expect({
      charts: entries.length,
      versions: versions.length + duplicates.length,
      loose: [...versions, ...duplicates].filter(({ version = "" }) => !isStrictSemver(version)).length,
      duplicates: duplicates.length,
      otherProblems: problems.length - duplicates.length,
    }).toEqual({
      charts: Number(row["charts"]),
      versions: Number(row["versions"]),
      loose: Number(row["versions that are no strict SemVer"]),
      duplicates: Number(row["duplicate name+version"]),
      otherProblems: 0,
    });
    expect(apiVersion).toBe("v1");
    expect(generated).toMatch(/^\d{4}-\d\d-\d\dT/);
    for (const { versions: list } of entries) {
      const sorted = list.every((v, at) => at === 0 || compareVersions(list[at - 1]?.version ?? "", v.version) >= 0);
      expect(sorted).toBe(true);
    }
  });
});
