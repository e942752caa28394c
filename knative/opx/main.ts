#!/usr/bin/env node
import { messageOf } from "../../shared/errors.ts";
import { opxEnvironment } from "./config.ts";
import { runLine } from "./run.ts";

const { stdin, stdout, stderr } = process;
// Whoever reads the output may stop early, as head does.
stdout.on("error", () => process.exit(0));
try {
  process.exitCode = await runLine(process.argv.slice(2), { environment: opxEnvironment(), stdin, stdout, stderr });
} catch (error) {
  stderr.write(`opx: ${messageOf(error)}\n`);
  process.exitCode = 1;
}
