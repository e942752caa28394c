import type { Event } from "../event.ts";
import type { Outcome } from "../outcome.ts";
import type { Log } from "../ports.ts";
import type { Handled } from "../run.ts";

/** What one attempt of a function at one event came to, for logs and timelines. */
export interface HandledRecord extends Handled {
  readonly function: string;
  readonly event: Event;
  /** From 1; HTTP does not tell, so it is 1 there. */
  readonly attempt: number;
  readonly durationMs: number;
}

/** Hears of every attempt. */
export type OnHandled = (record: HandledRecord) => void;

const MESSAGE: Readonly<Record<Outcome["kind"], string>> = {
  done: "event handled",
  refused: "event refused by the rules",
  ignored: "event is not for this function",
  retry: "event failed, it comes again",
  waiting: "event is too early, it comes again",
  busy: "event met a conflict, it comes again",
  dead: "event is dead, no retry will help",
};

/** Writes one line per attempt. */
export function logHandled(log: Log): OnHandled {
  return ({ event, attempt, durationMs, outcome, wrote, announced }) => {
    const { kind, ...why } = outcome;
    const level = kind === "dead" ? "error" : kind === "retry" ? "warn" : kind === "ignored" ? "debug" : "info";
    const fields = {
      event: event.id,
      type: event.type,
      source: event.source,
      subject: event.subject,
      correlation: event.correlationid,
      traceparent: event.traceparent,
      outcome: kind,
      ...why,
      attempt,
      durationMs: Math.round(durationMs * 10) / 10,
      wrote,
      announced: announced.map(({ type, id }) => `${type} ${id}`),
    };
    log[level](fields, MESSAGE[kind]);
  };
}
