import { execFile } from "node:child_process";
import { join } from "node:path";
import { Readable } from "node:stream";
import { runLine } from "../../knative/opx/run.ts";

/** What a command printed and how it ended. */
export interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** What a command gets besides its arguments. */
export interface OpxOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Whether errors and progress go to a terminal. */
  readonly terminal?: boolean;
}

/** Runs a command line of opx in this process, with nothing in its environment but what is given. */
export async function opx(
  args: readonly string[],
  { env = {}, input = "", terminal = false }: OpxOptions = {},
): Promise<Printed> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runLine(args, {
    environment: { KUBECONFIG: "/nonexistent", ...env },
    stdin: Readable.from(input === "" ? [] : [input]),
    stdout: { write: (text) => out.push(text) },
    stderr: { isTTY: terminal, write: (text) => err.push(text) },
  });
  return { code, out: out.join(""), err: err.join("") };
}

const MAIN = join(import.meta.dirname, "../../knative/opx/main.ts");

/** Runs a command line of opx as the program that it is. */
export function opxProcess(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Printed> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], { env, timeout: 60_000 }, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ code, out, err });
    });
  });
}
