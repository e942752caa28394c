import { type ChildProcess, spawn } from "node:child_process";
import { Failure, messageOf } from "../errors.ts";

/** How to run a program. */
export interface CommandOptions {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Time after which the program is asked to stop, and a little later killed. */
  readonly timeoutMs: number;
  /** Time between the request to stop and the kill; default `STOP_MS`. */
  readonly stopMs?: number;
}

/** What became of a program. */
export interface CommandResult {
  /** Exit code; `undefined` where a signal ended it. */
  readonly code: number | undefined;
  readonly stdout: string;
  /** The last 64 KiB of it. */
  readonly stderr: string;
  readonly timedOut: boolean;
}

/** Usual time between the request to stop and the kill: Helm uses it to mark the release as failed. */
export const STOP_MS = 5_000;

const MAX_STDOUT = 32 * 1024 * 1024;
const MAX_STDERR = 64 * 1024;

/**
 * Runs a program without a shell and without input, and collects what it says.
 * Fails with `Unavailable` where it cannot be started, `TooLarge` where it says more than 32 MiB.
 */
export async function runCommand(
  program: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  const { folder, environment, timeoutMs } = options;
  const child = spawn(program, args, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const ended = endOf(program, child);
  const stdout = collect(child, program);
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR);
  });
  const timer = stopAfter(child, timeoutMs, options.stopMs ?? STOP_MS);
  try {
    const code = await ended;
    return { code, stdout: stdout.text(), stderr, timedOut: timer.fired() };
  } finally {
    timer.clear();
  }
}

function endOf(program: string, child: ChildProcess): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    child.once("close", (code) => resolve(code ?? undefined));
    child.once("error", (error) => {
      const message = `cannot start ${program} (${messageOf(error)}); name the program's path in HELM`;
      reject(new Failure("Unavailable", message, { cause: error }));
    });
  });
}

function collect(child: ChildProcess, program: string): { text(): string } {
  const chunks: Buffer[] = [];
  let total = 0;
  child.stdout?.on("data", (chunk: Buffer) => {
    total += chunk.length;
    if (total > MAX_STDOUT) child.kill("SIGKILL");
    else chunks.push(chunk);
  });
  return {
    text() {
      if (total > MAX_STDOUT) throw new Failure("TooLarge", `${program} said more than ${MAX_STDOUT} bytes`);
      return Buffer.concat(chunks).toString("utf8");
    },
  };
}

function stopAfter(child: ChildProcess, timeoutMs: number, stopMs: number) {
  let fired = false;
  let kill: NodeJS.Timeout | undefined;
  const stop = setTimeout(() => {
    fired = true;
    child.kill("SIGTERM");
    kill = setTimeout(() => child.kill("SIGKILL"), stopMs);
  }, timeoutMs);
  return {
    fired: () => fired,
    clear() {
      clearTimeout(stop);
      clearTimeout(kill);
    },
  };
}
