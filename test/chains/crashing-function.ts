import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { functions } from "../../functions/index.ts";
import { serveChild } from "../../knative/local/functions/serve-child.ts";
import type { Checkpoint } from "../../shared/run.ts";

/** Points at which every function dies once: after its writes before its events, and after its events before its answer. */
const POINTS: readonly Checkpoint[] = ["written", "published"];

/** Folder in which each death leaves a file, so that it happens once. */
const { CRASHES = "" } = process.env;

await serveChild(functions, {
  checkpoint(point, name) {
    const mark = join(CRASHES, `${name}.${point}`);
    if (!POINTS.includes(point) || existsSync(mark)) return;
    writeFileSync(mark, "");
    process.kill(process.pid, "SIGKILL");
  },
});
