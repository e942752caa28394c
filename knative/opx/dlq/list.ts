import { defineCommand, UsageError } from "../command.ts";
import { NATS_OPTIONS } from "../events/options.ts";
import { age, columns } from "../text.ts";
import { deadLetters } from "./argument.ts";

const HEAD = ["number", "age", "function", "event", "reason", "attempts", "message"];

/** The oldest of more letters are not shown. */
const LIMIT = 200;

/** opx dlq list */
export const dlqList = defineCommand({
  name: "dlq list",
  summary: "List dead letters: events that functions gave up, and why.",
  arguments: [],
  options: {
    function: { type: "string", value: "NAME", description: "only those of this function" },
    ...NATS_OPTIONS,
  },
  examples: ["dlq list", "dlq list --function repo-sync-requested --json"],
  async run({ options: { function: functionName, nats } }, context) {
    if (functionName !== undefined && !/^[\w-]+$/.test(functionName))
      throw new UsageError(`--function ${functionName} is no name of a function`);
    const letters = await deadLetters(context, nats);
    const json = await letters.list({ functionName, limit: LIMIT });
    const rows = json.map((letter) => [
      String(letter.sequence),
      age(letter.time, context.now()),
      letter.functionName,
      letter.type.replace(/^io\.openpitrix\./, ""),
      letter.reason,
      String(letter.attempts),
      letter.message,
    ]);
    return { json, lines: rows.length === 0 ? ["no dead letters"] : columns(HEAD, rows) };
  },
});
