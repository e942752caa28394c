import { execFile } from "node:child_process";

/** What may be said about a call besides program and arguments. */
export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly timeoutMs?: number;
}

/** A program that ended with an error, with what it said. */
export class CommandFailed extends Error {
  readonly stderr: string;

  constructor(command: string, stderr: string, options: ErrorOptions) {
    super(`${command} failed: ${firstLine(stderr)}`, options);
    this.name = "CommandFailed";
    this.stderr = stderr;
  }
}

const MAX_OUTPUT = 32 * 1024 * 1024;

/** Runs a program to its end and returns its standard output; throws `CommandFailed` with what it said. */
export function runCommand(file: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { timeoutMs = 120_000, input, ...rest } = options;
  return new Promise((resolve, reject) => {
    const child = execFile(file, [...args], { ...rest, timeout: timeoutMs, maxBuffer: MAX_OUTPUT }, done);
    // A program that ends without reading its input is judged by its exit code alone.
    child.stdin?.on("error", () => {}).end(input ?? "");
    function done(error: Error | null, stdout: string, stderr: string) {
      if (!error) return resolve(stdout);
      reject(new CommandFailed([file, ...args.slice(0, 3)].join(" "), stderr || error.message, { cause: error }));
    }
  });
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}
