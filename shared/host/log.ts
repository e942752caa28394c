import { writeSync } from "node:fs";
import { messageOf } from "../errors.ts";
import type { Log } from "../ports.ts";
import type { HostConfig } from "./config.ts";

const LEVELS = ["debug", "info", "warn", "error", "silent"] as const satisfies readonly HostConfig["LOG_LEVEL"][];

/**
 * JSON lines on standard output, one per message of at least this level; `fields` stand in every line. Our own, since
 * loading pino takes 7 to 10 ms, a tenth of a cold start.
 */
export function createLog(level: HostConfig["LOG_LEVEL"], fields: Readonly<Record<string, unknown>> = {}): Log {
  const least = LEVELS.indexOf(level);
  const at = (name: keyof Log) => (more: Readonly<Record<string, unknown>>, msg: string) => {
    if (LEVELS.indexOf(name) < least) return;
    const head = { level: name, time: new Date().toISOString(), ...fields };
    write(Buffer.from(`${lineOf(head, more, msg)}\n`));
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** A line that cannot be written is still told of: bigints and circles have no JSON. */
function lineOf(head: object, more: object, msg: string): string {
  try {
    return JSON.stringify({ ...head, ...more, msg });
  } catch (error) {
    return JSON.stringify({ ...head, unwritable: messageOf(error), msg });
  }
}

const FULL_PIPE_TRIES = 100;
const FULL_PIPE_WAIT_MS = 10;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Synchronous, so that the last words of a dying process are read; a reader that is gone or stuck stops no function. */
function write(bytes: Uint8Array): void {
  let rest = bytes;
  for (let tries = FULL_PIPE_TRIES; rest.length > 0 && tries > 0; ) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
      tries--;
      Atomics.wait(sleeper, 0, 0, FULL_PIPE_WAIT_MS);
    }
  }
}
