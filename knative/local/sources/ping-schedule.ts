import { Cron } from "croner";
import { messageOf } from "../../../shared/errors.ts";
import type { PingSource } from "../eventing/kinds.ts";

const DESCRIPTOR = /^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)$/;
const NAMES = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)\b/gi;
const FIELDS = /^[\d*?/,-]+(?:\s+[\d*?/,-]+){4,5}$/;

/**
 * Calls back at each time of a PingSource's schedule until stopped: five fields, an optional one for seconds before
 * them, or a descriptor such as `@daily`. Throws on anything that Knative refuses, `@every` among it.
 */
export function startSchedule({ schedule, timezone = "UTC" }: PingSource["spec"], tick: () => Promise<void>): Cron {
  const text = schedule.trim();
  if (text.includes("@every")) throw new Error("@every is not a schedule in Knative; write it in cron fields");
  // The cron library understands more than Knative does.
  if (!DESCRIPTOR.test(text) && !FIELDS.test(text.replaceAll(NAMES, "0"))) {
    throw new Error(`schedule "${schedule}" is neither five or six cron fields nor a descriptor such as @daily`);
  }
  checkTimezone(timezone);
  try {
    return new Cron(text, { mode: "5-or-6-parts", timezone, protect: true, unref: true }, tick);
  } catch (error) {
    throw new Error(`schedule "${schedule}": ${messageOf(error)}`, { cause: error });
  }
}

function checkTimezone(timezone: string): void {
  try {
    new Intl.DateTimeFormat("en", { timeZone: timezone });
  } catch (error) {
    throw new Error(`timezone "${timezone}" is not known; write it like Europe/Berlin`, { cause: error });
  }
}
