import { UsageError } from "./command.ts";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `90`, `90s`, `5m`, `24h` or `7d`; a bare number counts seconds. Throws `UsageError`. */
export function durationMs(option: string, text: string): number {
  const [, number, unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text) ?? [];
  if (number === undefined) throw new UsageError(`${option} ${text} is no duration; write 90s, 5m or 2h`);
  return Number(number) * (UNITS[unit] ?? 1_000);
}
