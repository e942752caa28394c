import { deepStrictEqual } from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseYaml } from "../../shared/adapters/yaml.ts";
import { realPackageNames, realPackagePath } from "../real/real-data.ts";
import { binary } from "../support/binaries.ts";
import { bundleProcess } from "./bundled-process.ts";
import { runMeasured } from "./measured-process.ts";
import type { Row, Sides } from "./row.ts";

const COUNT = 100;

/** Packages as they are checked when they are uploaded. */
export const packageCheck: Row = {
  id: "package-check",
  what: `${COUNT} real packages read and checked by one process, from its start to its end`,
  peerName: "helm show chart on each",
  unit: "ms",
  better: "lower",
  target: 0.08,
  prepare,
};

async function prepare(): Promise<Sides> {
  const names = realPackageNames();
  // There are not quite as many: some are taken twice, by both sides.
  const paths = Array.from({ length: COUNT }, (_, at) => realPackagePath(names[at % names.length] ?? ""));
  const folder = await mkdtemp(join(tmpdir(), "openpitrix-bench-"));
  const file = await bundleProcess("package-process.ts", folder);
  const env = { NODE_COMPILE_CACHE: join(folder, "compile-cache") };
  const ours = () => runMeasured({ file: process.execPath, args: [file, ...paths], env });
  const charts: string[] = [];
  for (const path of paths) charts.push(chartOf((await show(path)).output));
  deepStrictEqual((await ours()).output.split("\n"), charts);
  return {
    ours: async () => (await ours()).wallMs,
    async peer() {
      let total = 0;
      for (const path of paths) total += (await show(path)).wallMs;
      return total;
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

function show(path: string) {
  return runMeasured({ file: binary("helm"), args: ["show", "chart", path], env: {} });
}

function chartOf(output: string): string {
  const { name, version } = parseYaml(output) as Record<string, unknown>;
  return `${name} ${version}`;
}
