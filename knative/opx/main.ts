#!/usr/bin/env node
import { enableCompileCache } from "node:module";

// Without types and compiled once, every later start takes half the time.
enableCompileCache();
const { opxEnvironment } = await import("./config.ts");
const { runLine } = await import("./run.ts");
const { messageOf } = await import("../../shared/errors.ts");

const { stdin, stdout, stderr } = process;
// Whoever reads the output may stop early, as head does.
stdout.on("error", () => process.exit(0));
try {
  process.exitCode = await runLine(process.argv.slice(2), { environment: opxEnvironment(), stdin, stdout, stderr });
} catch (error) {
  stderr.write(`opx: ${messageOf(error)}\n`);
  process.exitCode = 1;
}
