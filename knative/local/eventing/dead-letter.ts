import { encodeStructured, STRUCTURED_HEADERS } from "../../../shared/adapters/cloudevents.ts";
import type { Event } from "../../../shared/event.ts";
import type { DeadLetter } from "../../../shared/ports.ts";
import type { ErrorAnswer } from "../functions/subscriber.ts";

/** What is known of an event that is given up. */
export interface GivenUp extends Pick<DeadLetter, "functionName" | "reason" | "attempts" | "body" | "headers"> {
  readonly why: string;
  /** `undefined` where the bytes could not be read. */
  readonly event: Event | undefined;
  /** Only where somebody answered. */
  readonly answer: ErrorAnswer | undefined;
}

/** Knative cuts the answer's base64 here. */
const MAX_ERROR_DATA = 1024;

/** The letter with the bytes as they came, or, where an HTTP answer refused the event, with Knative's error extensions added. */
export function letterOf({ why, event, answer, ...rest }: GivenUp): DeadLetter {
  const letter: DeadLetter = { ...rest, message: why };
  if (!event) return letter;
  const { source, id, type } = event;
  const known: DeadLetter = { ...letter, cause: { source, id, type } };
  if (!answer) return known;
  return { ...known, body: encodeStructured(withError(event, answer)), headers: STRUCTURED_HEADERS };
}

function withError(event: Event, { destination, code, body }: ErrorAnswer): Event {
  const error = {
    knativeerrordest: destination,
    knativeerrorcode: code,
    knativeerrordata: Buffer.from(body.filter(isPrintable)).toString("base64").slice(0, MAX_ERROR_DATA),
  };
  return { ...event, extensions: { ...event.extensions, ...error } };
}

/** Knative leaves control characters out, since they may not stand in a header. */
function isPrintable(byte: number): boolean {
  return byte >= 0x20 && byte !== 0x7f;
}
