import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readArchive } from "../../../shared/adapters/tar.ts";
import { reportPackage } from "../../../shared/charts/package-report.ts";
import { pack } from "../../support/archives.ts";
import { helmVerdicts, ourVerdicts } from "../../support/helm-lint.ts";
import { filesOf, LINT_CASES } from "./charts.ts";

/** Where we know better than to do as Helm does: it fetches what a schema names, from wherever that is. */
const DIFFERENT: Readonly<Record<string, readonly string[]>> = {
  "a schema of an unknown draft": ["warning values.schema.json"],
  "a schema that refers to elsewhere": ["warning values.schema.json"],
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openpitrix-lint-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(Object.keys(LINT_CASES))("%s: helm lint says the same", async (name) => {
  const bytes = pack(...filesOf(LINT_CASES[name] ?? {}));
  const file = join(folder, `${Object.keys(LINT_CASES).indexOf(name)}.tgz`);
  await writeFile(file, bytes);
  const report = await reportPackage(await readArchive(bytes));
  const theirs = await helmVerdicts(file);
  const ours = ourVerdicts(report);
  if (!report.ok) expect(theirs.join()).toContain("error");
  else expect(ours).toEqual(DIFFERENT[name] ?? theirs);
});
