import { messageOf } from "../errors.ts";
import type { Event } from "../event.ts";
import { DELIVERY_LIMIT, exhaust, type Outcome } from "../outcome.ts";
import type { Bus, DeadLetter, Log } from "../ports.ts";
import { type FunctionIdentity, handle, type Runtime } from "../run.ts";
import type { OnHandled } from "./handled-record.ts";

/** A function with everything it needs to handle events, however they come in. */
export interface HostedFunction {
  readonly identity: FunctionIdentity;
  readonly runtime: Runtime;
  readonly deadLetters: Pick<Bus, "deadLetter">;
  readonly log: Log;
  readonly onHandled: OnHandled;
}

/** An event as it arrived, or why what arrived is none. */
export interface Arrival {
  readonly event?: Event;
  /** What is wrong with bytes that hold no event. */
  readonly problem?: string;
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** The how-manieth try this is, from 1. */
  readonly attempt: number;
  /** Whether the one who delivers leaves it to us to give up after the last try. */
  readonly countsAttempts: boolean;
}

/** Handles what arrived; `dead` is returned only when its dead letter is stored, else the event has to come again. */
export async function attempt(hosted: HostedFunction, arrival: Arrival): Promise<Outcome> {
  const outcome = arrival.event
    ? await handleEvent(hosted, arrival, arrival.event)
    : ({ kind: "dead", reason: "MalformedEvent", message: arrival.problem ?? "not a CloudEvent" } as const);
  if (outcome.kind !== "dead") return outcome;
  return bury(hosted, letterOf(hosted.identity, arrival, outcome));
}

async function bury({ deadLetters, log }: HostedFunction, letter: DeadLetter): Promise<Outcome> {
  const { reason, message, cause, attempts } = letter;
  try {
    await deadLetters.deadLetter(letter);
    log.warn({ reason, detail: message, event: cause?.id, type: cause?.type, attempts }, "dead letter stored");
    return { kind: "dead", reason, message };
  } catch (error) {
    log.error({ reason, event: cause?.id, problem: messageOf(error) }, "dead letter could not be stored");
    return { kind: "retry", reason: `dead letter could not be stored: ${messageOf(error)}` };
  }
}

async function handleEvent(hosted: HostedFunction, arrival: Arrival, event: Event): Promise<Outcome> {
  // Each of so many deliveries ended without giving the event up, as when it kills the process.
  if (arrival.countsAttempts && arrival.attempt > DELIVERY_LIMIT) {
    const message = `delivered ${arrival.attempt} times and never finished; look for crashes of the function, then replay`;
    return { kind: "dead", reason: "NeverFinished", message };
  }
  const { identity, runtime, onHandled } = hosted;
  const started = performance.now();
  const handled = await handle(identity, event, runtime);
  const outcome = arrival.countsAttempts ? exhaust(handled.outcome, arrival.attempt) : handled.outcome;
  const durationMs = performance.now() - started;
  onHandled({ ...handled, outcome, function: identity.name, event, attempt: arrival.attempt, durationMs });
  return outcome;
}

function letterOf(
  { name }: FunctionIdentity,
  { event, body, headers, attempt: attempts }: Arrival,
  { reason, message }: Extract<Outcome, { kind: "dead" }>,
): DeadLetter {
  const cause = event && { source: event.source, id: event.id, type: event.type };
  return { functionName: name, reason, message, attempts, body, headers, ...(cause ? { cause } : {}) };
}
