import { DEAD_LETTER_SUBJECTS, EVENT_SUBJECTS } from "./nats-streams.ts";

const MAX_LENGTH = 255;

/** The subject of events of a type: the type itself where NATS can carry it, else with the odd characters escaped. */
export function subjectOfType(type: string): string {
  return `${EVENT_SUBJECTS}.${tokens(type)}`;
}

/** The subject of dead letters of a function; a letter that could not be read has no type. */
export function deadLetterSubject(functionName: string, type: string | undefined): string {
  return `${DEAD_LETTER_SUBJECTS}.${functionName}.${tokens(type ?? "unreadable")}`;
}

/** Dots separate tokens, and none may be empty; spaces, wildcards and all but plain characters become `~<hex>`. */
function tokens(type: string): string {
  const escaped = type.replace(/[^A-Za-z0-9._-]/gu, (char) => `~${(char.codePointAt(0) ?? 0).toString(16)}`);
  const whole = escaped.split(".").map((token) => (token === "" ? "~" : token));
  return whole
    .join(".")
    .slice(0, MAX_LENGTH - EVENT_SUBJECTS.length)
    .replace(/\.$/, "");
}
