import { Failure } from "../../../shared/errors.ts";
import type { Event } from "../../../shared/event.ts";
import { defineCommand } from "../command.ts";
import type { OpxContext } from "../context.ts";
import { durationMs } from "../duration.ts";
import { eventData, type Told, tellEvent } from "../events/tell-event.ts";
import { columns } from "../text.ts";
import { findRepo } from "./find.ts";

const LIMIT = 200;
const PREFIX = "io.openpitrix.";

/** opx repo events */
export const repoEvents = defineCommand({
  name: "repo events",
  summary: "Show what happened to a repository: from the stream of events, else its last syncs.",
  arguments: [{ name: "NAME", description: "name of the repository" }],
  options: {
    nats: {
      type: "string",
      value: "URL",
      description: "addresses of NATS (default: $NATS_URL; without it the last syncs)",
    },
    since: { type: "string", value: "TIME", description: "how far to look back, as 2h or 7d (default: 24h)" },
  },
  examples: ["repo events stable", "repo events stable --nats nats://127.0.0.1:14222 --since 2h"],
  async run({ arguments: [name = ""], options: { nats, since = "24h" } }, context) {
    const sinceMs = durationMs("--since", since);
    const told = (await streamed(name, { nats, sinceMs }, context)) ?? (await fromStatus(name, context));
    const rows = told.map(({ time, event, message }) => [time, event, message]);
    return {
      json: told,
      lines: rows.length === 0 ? ["nothing happened"] : columns(["time", "event", "message"], rows),
    };
  },
});

interface Looking {
  readonly nats: string | undefined;
  readonly sinceMs: number;
}

/** A stream that was asked for must answer; one that the environment happens to name need not. */
async function streamed(name: string, looking: Looking, context: OpxContext) {
  try {
    return await fromStream(name, looking, context);
  } catch (error) {
    if (looking.nats === undefined && error instanceof Failure && error.kind === "Unavailable") return undefined;
    throw error;
  }
}

async function fromStream(name: string, { nats, sinceMs }: Looking, context: OpxContext) {
  const connection = await context.nats(nats);
  if (!connection) return undefined;
  const { readEvents } = await import("../../../shared/adapters/nats-events.ts");
  const since = new Date(context.now().getTime() - sinceMs);
  const matches = (event: Event) => event.subject === `helmrepos/${name}` || eventData(event)["repo"] === name;
  const events = await readEvents(connection, { typePrefix: `${PREFIX}repo`, since, matches, limit: LIMIT });
  return events.map((event) => tellEvent(event, "repo"));
}

/** What the repository itself remembers. */
async function fromStatus(name: string, { kube }: OpxContext): Promise<readonly Told[]> {
  const { status } = await findRepo(kube, name);
  return (status?.syncState ?? []).toReversed().map(({ syncTime, state = "", message = "" }) => ({
    time: syncTime,
    event: `sync ${state}`,
    message,
  }));
}
