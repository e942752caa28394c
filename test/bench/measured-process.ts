import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

/** What one run of a program took. */
export interface ProcessFigures {
  readonly wallMs: number;
  /** User and system time, to the kernel's tick of 10 ms. */
  readonly cpuMs: number;
  /** Most memory that was resident at once. */
  readonly peakMiB: number;
  readonly output: string;
}

/** A program to run. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const POLL_MS = 4;
const TICK_MS = 10;

/** Runs a program to its end; both sides of a comparison are measured by the same means, the kernel's own counts. */
export async function runMeasured({ file, args, env }: Command): Promise<ProcessFigures> {
  const started = performance.now();
  const options = { env: { PATH: process.env["PATH"] ?? "", ...env } };
  const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
  let [output, wallMs] = ["", 0];
  let counts = { peakMiB: 0, cpuMs: 0 };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.once("exit", () => {
    wallMs = performance.now() - started;
  });
  // The peak is kept by the kernel while the process lives, so that only what it does in its last moment is missed.
  const poll = setInterval(() => {
    counts = countsOf(child.pid) ?? counts;
  }, POLL_MS);
  const [code] = await once(child, "close");
  clearInterval(poll);
  if (code !== 0) throw new Error(`${file} ${args.join(" ").slice(0, 200)} ended with ${code}: ${output.slice(-500)}`);
  return { wallMs, output, ...counts };
}

function countsOf(pid: number | undefined): { peakMiB: number; cpuMs: number } | undefined {
  try {
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    if (!peak) return undefined;
    return { peakMiB: Number(peak[1]) / 1024, cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS };
  } catch {
    // It has just ended.
    return undefined;
  }
}
