import { destination, pino } from "pino";
import type { Log } from "../ports.ts";
import type { HostConfig } from "./config.ts";

/** JSON lines on standard output, one per message; `fields` stand in every line. */
export function createLog(level: HostConfig["LOG_LEVEL"], fields: Readonly<Record<string, unknown>> = {}): Log {
  return pino(
    {
      level,
      base: fields,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    // Synchronous, so that the last words of a dying process are read.
    destination({ fd: 1, sync: true }),
  );
}
