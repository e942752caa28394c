import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { readArchive } from "../../shared/adapters/tar.ts";
import { parseYaml } from "../../shared/adapters/yaml.ts";
import { readMetadata } from "../../shared/charts/chart-metadata.ts";
import { checkPackage } from "../../shared/charts/package.ts";
import { binary } from "../support/binaries.ts";
import { haveRealData, readRealPackage, readRealTable, realPackageNames, realPackagePath } from "./real-data.ts";

const helm = binary("helm");

describe.runIf(haveRealData)("real packages", () => {
  const rows = readRealTable("file");

  test("the data page lists all 70 of them", () => {
    expect(rows.map((row) => row["file"]).sort()).toEqual(realPackageNames().sort());
    expect(rows).toHaveLength(70);
  });

  test.each(rows.map((row) => [row["file"] ?? "", row] as const))("%s is read and accepted", async (file, row) => {
    const bytes = readRealPackage(file);
    const result = checkPackage(await readArchive(bytes));
    if (!result.ok) throw new Error(`${result.reason}: ${result.message}`);
    const { chart, files, values } = result;
    expect(`${chart.name}-${chart.version}.tgz`).toBe(file);
    expect({
      bytes: String(bytes.length),
      apiVersion: chart.apiVersion,
      type: chart.type ?? "application",
      dependencies: String(chart.dependencies?.length ?? 0),
    }).toEqual({
      bytes: row["bytes"],
      apiVersion: row["apiVersion"],
      type: row["type"],
      dependencies: row["dependencies"],
    });
    expect(files.length).toBeGreaterThan(1);
    expect(values === undefined).toBe(
      !/\S/.test(withoutComments(files.find(({ path }) => path === "values.yaml")?.text)),
    );
  });

  test.each(realPackageNames())("%s says to us what it says to helm", async (file) => {
    const shown = execFileSync(helm, ["show", "chart", realPackagePath(file)], { encoding: "utf8" });
    const theirs = readMetadata(parseYaml(shown));
    const ours = checkPackage(await readArchive(readRealPackage(file)));
    if (!theirs.ok || !ours.ok) throw new Error("not read");
    expect(plain(ours.chart)).toEqual(plain(theirs.metadata));
  });
});

function withoutComments(text = ""): string {
  return text.replaceAll(/^\s*#.*$/gm, "").replaceAll("---", "");
}

/** Helm leaves empty lists and texts out when it prints. */
function plain(metadata: object): object {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== "" && value?.length !== 0));
}
