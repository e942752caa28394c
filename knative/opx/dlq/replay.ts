import { Failure } from "../../../shared/errors.ts";
import { defineCommand } from "../command.ts";
import { NATS_OPTIONS } from "../events/options.ts";
import { deadLetters, findLetter, LETTER_ARGUMENT, letterNumber } from "./argument.ts";

/** opx dlq replay */
export const dlqReplay = defineCommand({
  name: "dlq replay",
  summary: "Send the event of a dead letter again, to all functions of its type; whoever did it already does nothing.",
  arguments: [LETTER_ARGUMENT],
  options: NATS_OPTIONS,
  examples: ["dlq replay 17"],
  async run({ arguments: [text = ""], options: { nats } }, context) {
    const sequence = letterNumber(text);
    const letters = await deadLetters(context, nats);
    const { event } = await findLetter(letters, sequence);
    if (!event) {
      const advice = `see opx dlq show ${sequence}, and send what was meant anew`;
      throw new Failure("Invalid", `letter ${sequence} holds no event that could be sent again; ${advice}`);
    }
    await letters.replay(event);
    const { id, type } = event;
    // Should it be given up again at once, the stream takes that for a repeat and keeps no second letter.
    const next = `opx events --chain ${event.correlationid ?? id} shows what follows, opx dlq remove ${sequence} ends it`;
    return { json: { sequence, id, type }, lines: [`${type} ${id}: sent again; ${next}`] };
  },
});
