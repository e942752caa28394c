import { describe, expect, test } from "vitest";
import { readArchive } from "../../shared/adapters/tar.ts";
import { reportPackage } from "../../shared/charts/package-report.ts";
import { helmVerdicts, ourVerdicts } from "../support/helm-lint.ts";
import { haveRealData, readRealPackage, realPackageNames, realPackagePath } from "./real-data.ts";

describe.runIf(haveRealData)("real packages, linted", () => {
  test.each(realPackageNames())("%s gets the verdicts of helm lint", async (file) => {
    const report = await reportPackage(await readArchive(readRealPackage(file)));
    expect(ourVerdicts(report)).toEqual(await helmVerdicts(realPackagePath(file)));
  });

  test("they name their images and definitions", async () => {
    const reports = await Promise.all(
      realPackageNames().map(async (file) => reportPackage(await readArchive(readRealPackage(file)))),
    );
    const accepted = reports.filter((report) => report.ok);
    expect(accepted).toHaveLength(70);
    expect(accepted.filter(({ images }) => images.length > 0).length).toBeGreaterThan(50);
    const bringing = accepted.filter(({ files }) => files.some(({ path }) => /^crds\/.*\.yaml$/.test(path)));
    expect(bringing.length).toBeGreaterThan(2);
    expect(bringing.filter(({ crds }) => crds.length === 0)).toEqual([]);
  });
});
