import type { DeadLetters, Letter } from "../../../shared/adapters/nats-dead-letters.ts";
import { Failure } from "../../../shared/errors.ts";
import { UsageError } from "../command.ts";
import type { OpxContext } from "../context.ts";
import { requiredNats } from "../events/options.ts";

/** The dead letter that a command is about. */
export const LETTER_ARGUMENT = {
  name: "NUMBER",
  description: "number of the letter, as opx dlq list shows it",
} as const;

/** Opens the dead letters of the store. */
export async function deadLetters(context: OpxContext, url: string | undefined): Promise<DeadLetters> {
  const connection = await requiredNats(context, url);
  const { openDeadLetters } = await import("../../../shared/adapters/nats-dead-letters.ts");
  return openDeadLetters(connection);
}

/** The number of a letter. Throws `UsageError`. */
export function letterNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new UsageError(`${text} is no number of a dead letter; see opx dlq list`);
}

/** The letter of that number; fails where there is none. */
export async function findLetter(letters: DeadLetters, sequence: number): Promise<Letter> {
  const letter = await letters.get(sequence);
  if (letter) return letter;
  throw noLetter(sequence);
}

/** Says that there is no such letter. */
export function noLetter(sequence: number): Failure {
  return new Failure("Invalid", `there is no dead letter ${sequence}; see opx dlq list`);
}
