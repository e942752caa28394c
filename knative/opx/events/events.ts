import type { Event } from "../../../shared/event.ts";
import { defineCommand, UsageError } from "../command.ts";
import { durationMs } from "../duration.ts";
import { columns } from "../text.ts";
import { NATS_OPTIONS, requiredNats } from "./options.ts";
import { tellEvent } from "./tell-event.ts";

const PREFIX = "io.openpitrix";
const HEAD = ["time", "event", "subject", "by", "id", "message"];

/** opx events */
export const eventsCommand = defineCommand({
  name: "events",
  summary: "Show what happened in the store, oldest first: the events that the stream keeps.",
  arguments: [],
  options: {
    type: { type: "string", value: "TYPE", description: "only events whose type begins so: version, repo.sync" },
    subject: { type: "string", value: "TEXT", description: "only events with this in their subject" },
    chain: { type: "string", value: "ID", description: "only the event of this id and what followed from it" },
    since: { type: "string", value: "TIME", description: "how far to look back, as 2h or 7d (default: 1h)" },
    limit: { type: "string", value: "COUNT", description: "most events shown, the newest (default: 100)" },
    ...NATS_OPTIONS,
  },
  examples: ["events --type version --since 2h", "events --subject appv-x1y2z3 --json", "events --chain 0c6f1b"],
  async run({ options }, context) {
    const sinceMs = durationMs("--since", options.since ?? "1h");
    const limit = count(options.limit ?? "100");
    const type = options.type === undefined ? PREFIX : wholeType(options.type);
    const matches = matcher({ ...options, type });
    const connection = await requiredNats(context, options.nats);
    const { readEvents } = await import("../../../shared/adapters/nats-events.ts");
    const since = new Date(context.now().getTime() - sinceMs);
    const typePrefix = streamPrefix(type);
    const events = await readEvents(connection, { typePrefix, since, matches, limit });
    const rows = events.map(row);
    return { json: events, lines: rows.length === 0 ? ["nothing happened"] : columns(HEAD, rows) };
  },
});

interface Wanted {
  readonly type: string;
  readonly subject: string | undefined;
  readonly chain: string | undefined;
}

function matcher({ type, subject, chain }: Wanted): (event: Event) => boolean {
  return (event) =>
    (event.type === type || event.type.startsWith(`${type}.`)) &&
    (subject === undefined || (event.subject ?? "").includes(subject)) &&
    (chain === undefined || event.id === chain || event.correlationid === chain);
}

function wholeType(text: string): string {
  if (!/^[\w-]+(\.[\w-]+)*$/.test(text)) throw new UsageError(`--type ${text} is no type of events; try version`);
  return text.startsWith("io.") || text.startsWith("dev.") ? text : `${PREFIX}.${text}`;
}

/** The stream tells types apart by whole words and wants one behind the prefix: a noun always has one, its verb may not. */
function streamPrefix(type: string): string {
  const words = type.split(".");
  return words.slice(0, words.length <= 3 ? words.length : -1).join(".");
}

function count(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new UsageError(`--limit ${text} is no number from 1 to 99999`);
}

function row(event: Event): readonly string[] {
  const { time, event: name, message } = tellEvent(event, "");
  return [time, name, event.subject ?? "", event.operator ?? "", event.id, message];
}
