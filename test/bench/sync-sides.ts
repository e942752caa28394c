import { deepStrictEqual } from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ChartEntry, parseIndex } from "../../shared/charts/index-file.ts";
import { openStoredIndex } from "../../shared/charts/stored-index.ts";
import { binary } from "../support/binaries.ts";
import { bundleProcess } from "./bundled-process.ts";
import { serveIndexes } from "./index-server.ts";
import { type JoinedIndex, joinRealIndexes } from "./joined-index.ts";
import { type ProcessFigures, runMeasured } from "./measured-process.ts";
import type { SyncOutcome, SyncTask } from "./sync-process.ts";

/** What a sync finds: nothing known, the index as it was, one chart changed. */
export type SyncCase = "first" | "unchanged" | "etag" | "one changed";

/** Both sides of a sync of the joined index from one server. */
export interface SyncSides {
  /** A process of its own that loads the bundle with the image's compile cache. */
  ours(): Promise<ProcessFigures>;
  /** The same in a process that runs already and has synced before: milliseconds. */
  running(): Promise<number>;
  /** `helm repo update`. */
  helm(): Promise<ProcessFigures>;
  close(): Promise<void>;
}

const WARM_UP = 10;

/** Prepares both sides, and checks that what ours stores equals a full parse by the YAML library, entry by entry. */
export async function prepareSync(what: SyncCase): Promise<SyncSides> {
  const index = joinRealIndexes();
  const server = await serveIndexes({ first: index.text, changed: index.changed });
  const folder = await mkdtemp(join(tmpdir(), "openpitrix-bench-"));
  const file = await bundleProcess("sync-process.ts", folder);
  const env = { NODE_COMPILE_CACHE: join(folder, "compile-cache") };
  const tasks = tasksOf(server.url, folder);
  const run = async (which: SyncCase) => {
    const args = [file, JSON.stringify(tasks[which])];
    const figures = await runMeasured({ file: process.execPath, args, env });
    check(which, JSON.parse(figures.output), index);
    return figures;
  };
  // The first runs fill the compile cache, as the image's build does.
  for (const each of ["first", what]) await run(each as SyncCase);
  if (what === "one changed") await checkStored(join(folder, what), index.changed);
  else await checkStored(join(folder, "first"), index.text);
  const helm = await prepareHelm(folder, `${server.url}/first`);
  let child: ChildProcess | undefined;
  return {
    ours: () => run(what),
    helm,
    async running() {
      child ??= await startWarm(file, env, tasks[what]);
      const outcome = await ask(child, tasks[what]);
      check(what, outcome, index);
      return outcome.ms;
    },
    async close() {
      child?.kill("SIGKILL");
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function tasksOf(url: string, folder: string): Readonly<Record<SyncCase, SyncTask>> {
  const known = join(folder, "first");
  return {
    first: { url: `${url}/first`, out: known },
    unchanged: { url: `${url}/first`, known },
    etag: { url: `${url}/first`, known, etag: '"/first/index.yaml"' },
    "one changed": { url: `${url}/changed`, known, out: join(folder, "one changed") },
  };
}

async function prepareHelm(folder: string, url: string): Promise<() => Promise<ProcessFigures>> {
  const homes = ["CACHE", "CONFIG", "DATA"].map((name) => [`HELM_${name}_HOME`, join(folder, `helm-${name}`)] as const);
  const helm = { file: binary("helm"), env: Object.fromEntries(homes) };
  await runMeasured({ ...helm, args: ["repo", "add", "bench", url] });
  return () => runMeasured({ ...helm, args: ["repo", "update"] });
}

function check(what: SyncCase, { changed }: SyncOutcome, { chart }: JoinedIndex): void {
  if (what === "first") return;
  deepStrictEqual(changed, what === "one changed" ? [[chart, ["99.0.0"]]] : []);
}

async function checkStored(file: string, text: string): Promise<void> {
  const index = openStoredIndex(await readFile(file));
  const byName = (entries: readonly ChartEntry[]) => Object.fromEntries(entries.map((entry) => [entry.name, entry]));
  const stored = index?.charts.flatMap(({ name }) => index.entry(name) ?? []) ?? [];
  deepStrictEqual(byName(stored), byName(parseIndex(text).entries));
}

async function startWarm(file: string, env: Record<string, string>, task: SyncTask): Promise<ChildProcess> {
  const child = fork(file, [], { env: { PATH: process.env["PATH"] ?? "", ...env } });
  for (let round = 0; round < WARM_UP; round++) await ask(child, task);
  return child;
}

async function ask(child: ChildProcess, task: SyncTask): Promise<SyncOutcome> {
  child.send(task);
  const [outcome] = await once(child, "message");
  return outcome as SyncOutcome;
}
