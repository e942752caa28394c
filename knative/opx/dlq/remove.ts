import { defineCommand } from "../command.ts";
import { NATS_OPTIONS } from "../events/options.ts";
import { deadLetters, LETTER_ARGUMENT, letterNumber, noLetter } from "./argument.ts";

/** opx dlq remove */
export const dlqRemove = defineCommand({
  name: "dlq remove",
  summary: "Remove a dead letter that was settled; its event is lost with it.",
  arguments: [LETTER_ARGUMENT],
  options: NATS_OPTIONS,
  examples: ["dlq remove 17"],
  async run({ arguments: [text = ""], options: { nats } }, context) {
    const sequence = letterNumber(text);
    const letters = await deadLetters(context, nats);
    if (!(await letters.remove(sequence))) throw noLetter(sequence);
    return { json: { sequence, removed: true }, lines: [`letter ${sequence}: removed`] };
  },
});
