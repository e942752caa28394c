import type { Log } from "../../shared/ports.ts";

/** Severity from which lines are written. */
export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error", "silent"];

/** A log for people: one line per message on standard error, fields behind it. */
export function createLocalLog(level: LogLevel): Log {
  const writer = (own: LogLevel) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    if (LEVELS.indexOf(own) < LEVELS.indexOf(level)) return;
    const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${text(value)}`);
    process.stderr.write(`${own} ${message}${rest.join("")}\n`);
  };
  return { debug: writer("debug"), info: writer("info"), warn: writer("warn"), error: writer("error") };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
