import type { Event } from "../../../shared/event.ts";
import type { Outcome } from "../../../shared/outcome.ts";

/** One attempt at delivering one event. */
export interface Attempt {
  readonly event: Event;
  /** From 1. */
  readonly attempt: number;
  /** Time for the attempt; `undefined`: no limit. */
  readonly timeoutMs: number | undefined;
}

/** Where a Trigger sends its events; never throws: what goes wrong is an outcome. */
export type Subscriber = (attempt: Attempt) => Promise<Delivered>;

/** What came of an attempt; an HTTP answer that says no is kept for the dead letter. */
export interface Delivered {
  readonly outcome: Outcome;
  readonly answer?: ErrorAnswer;
  /** The event that a subscriber answered with. */
  readonly reply?: Event;
}

/** Who refused an event and how: the `knativeerrordest`, `-code` and `-data` of its dead letter. */
export interface ErrorAnswer {
  readonly destination: string;
  readonly code: number;
  readonly body: Uint8Array;
  /** What the answer's Retry-After asks for. */
  readonly retryAfterMs?: number;
}
