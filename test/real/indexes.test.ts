import { describe, expect, test } from "vitest";
import { parseIndex } from "../../shared/charts/index-file.ts";
import { decodeIndex, encodeIndex, saveIndex } from "../../shared/charts/kubesphere-index.ts";
import { resolveChartUrl } from "../../shared/charts/resolve-url.ts";
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
      relative: versions.filter(({ urls }) => !urls[0]?.includes("://")).length,
      otherProblems: problems.length - duplicates.length,
    }).toEqual({
      charts: Number(row["charts"]),
      versions: Number(row["versions"]),
      loose: Number(row["versions that are no strict SemVer"]),
      duplicates: Number(row["duplicate name+version"]),
      relative: Number(row["relative URLs"]),
      otherProblems: 0,
    });
    expect(apiVersion).toBe("v1");
    expect(generated).toMatch(/^\d{4}-\d\d-\d\dT/);
    for (const { versions: list } of entries) {
      const sorted = list.every((v, at) => at === 0 || compareVersions(list[at - 1]?.version ?? "", v.version) >= 0);
      expect(sorted).toBe(true);
    }
  });

  test.each(rows.map((row) => row["name"] ?? ""))(
    "%s: every package has an address to be fetched from, a registry's where the index names one",
    (name) => {
      const versions = parseIndex(readRealIndex(name)).entries.flatMap((entry) => entry.versions);
      for (const { urls } of versions) {
        const result = resolveChartUrl("https://charts.example/stable", urls[0] ?? "");
        const scheme = urls[0]?.startsWith("oci://") ? "oci:" : /^https?:/;
        expect(result.ok ? URL.parse(result.url)?.protocol : result.message).toMatch(scheme);
      }
    },
  );

  test.each(rows.map((row) => row["name"] ?? ""))(
    "%s: KubeSphere's saved form is whole, or left out for its size",
    (name) => {
      const { entries } = parseIndex(readRealIndex(name));
      const index = saveIndex({ repo: `repo-${name}`, generated: "2026-01-01T00:00:00Z", entries });
      const data = encodeIndex(index);
      expect(data === undefined).toBe(name === "helm-stable-regen");
      if (data !== undefined) expect(decodeIndex(data)).toEqual(index);
    },
  );
});
