import type { Letter } from "../../../shared/adapters/nats-dead-letters.ts";
import { defineCommand } from "../command.ts";
import { NATS_OPTIONS } from "../events/options.ts";
import { fields, plain } from "../text.ts";
import { deadLetters, findLetter, LETTER_ARGUMENT, letterNumber } from "./argument.ts";

/** Bytes of what is no event that are shown. */
const SHOWN = 2_000;

/** opx dlq show */
export const dlqShow = defineCommand({
  name: "dlq show",
  summary: "Show one dead letter: why it was given up, and the event as it came.",
  arguments: [LETTER_ARGUMENT],
  options: NATS_OPTIONS,
  examples: ["dlq show 17", "dlq show 17 --json"],
  async run({ arguments: [text = ""], options: { nats } }, context) {
    const sequence = letterNumber(text);
    const letter = await findLetter(await deadLetters(context, nats), sequence);
    const { body, event, ...head } = letter;
    const json = event ? { ...head, event } : { ...head, body: Buffer.from(body).toString("base64") };
    return { json, lines: linesOf(letter) };
  },
});

function linesOf({ event, body, ...letter }: Letter): readonly string[] {
  const content = event
    ? JSON.stringify(event, null, 2).split("\n")
    : [plain(Buffer.from(body.subarray(0, SHOWN)).toString("utf8"))];
  return [
    ...fields([
      ["number", letter.sequence],
      ["given up", letter.time],
      ["by function", letter.functionName],
      ["event", letter.type],
      ["reason", letter.reason],
      ["message", letter.message],
      ["attempts", letter.attempts],
    ]),
    "",
    event ? "the event:" : `no event, or not all of one; its first bytes of ${body.length}:`,
    ...content.map((line) => `  ${line}`),
  ];
}
