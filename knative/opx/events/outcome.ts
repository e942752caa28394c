import * as z from "zod";
import { defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { OWN_BASE } from "../store/paths.ts";
import { tellEvent } from "./tell-event.ts";

const Outcome = z.looseObject({ type: z.string(), subject: z.string(), data: z.unknown() });

/** opx outcome */
export const outcomeCommand = defineCommand({
  name: "outcome",
  summary: "Tell what became of an act of yours that took longer than the store waits.",
  arguments: [{ name: "EVENT", description: "id of the event that the act is kept as" }],
  options: STORE_OPTIONS,
  examples: ["outcome 0c6f1b5d2e9a4c7f8b3a"],
  async run({ arguments: [id = ""], options }, context) {
    const store = await context.store(options);
    const path = `/outcomes/${encodeURIComponent(id)}`;
    const hint = "try again in a while";
    const json = await store.call({ method: "GET", base: OWN_BASE, path, hint }, Outcome);
    const { event, message } = tellEvent({ specversion: "1.0", id, source: "", ...json }, "");
    return { json, lines: [`${event} ${json.subject}: ${message}`] };
  },
});
