import type { Readable } from "node:stream";
import { messageOf } from "../../shared/errors.ts";
import { UsageError } from "./command.ts";
import { commands } from "./commands.ts";
import type { OpxEnvironment } from "./config.ts";
import { openContext } from "./context.ts";
import { helpText } from "./help.ts";
import { type Line, parseLine } from "./parse-line.ts";
import { progressOn } from "./progress.ts";

/** Where a command line is read from and written to. */
export interface Console {
  readonly environment: OpxEnvironment;
  readonly stdin: Readable;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown };
}

/** Carries out one command line; the exit code is 0 when done, 1 when it failed or was refused, 2 when not understood. */
export async function runLine(args: readonly string[], console: Console): Promise<number> {
  try {
    const line = parseLine(commands, args);
    if (line.kind === "call") return await call(line, console);
    console.stdout.write(`${helpText(commands, line.words)}\n`);
    return 0;
  } catch (error) {
    console.stderr.write(`opx: ${messageOf(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function call({ command, call: given, common }: Extract<Line, { kind: "call" }>, console: Console) {
  const { environment, stdin, stdout, stderr } = console;
  const { json, kubeconfig, context: cluster } = common;
  const progress = progressOn(json ? { write: () => undefined } : stderr);
  const context = openContext({ kubeconfig, context: cluster, environment, stdin, progress });
  try {
    const { lines, json: data, failed } = await command.run(given, context).finally(() => progress.done());
    stdout.write(json ? `${JSON.stringify(data, null, 2)}\n` : lines.map((line) => `${line}\n`).join(""));
    return failed ? 1 : 0;
  } finally {
    await context.close();
  }
}
