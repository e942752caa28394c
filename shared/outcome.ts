import { Failure, messageOf } from "./errors.ts";

/** What became of one event in one attempt. */
export type Outcome =
  | { readonly kind: "done" }
  | { readonly kind: "refused"; readonly reason: string; readonly message: string }
  /** Not an event of this function: acknowledged without a trace on any object. */
  | { readonly kind: "ignored" }
  | { readonly kind: "retry"; readonly reason: string; readonly afterMs?: number }
  /** The rules say: too early. The function bounds this itself, by the age of the event or of the object. */
  | { readonly kind: "waiting"; readonly reason: string }
  | { readonly kind: "busy"; readonly reason: string; readonly afterMs: number }
  /** No retry will help: goes to the dead letters. */
  | { readonly kind: "dead"; readonly reason: string; readonly message: string };

/** How often and how fast an event comes again; each Trigger carries these numbers. */
export interface RetryPolicy {
  /** Retries after the first attempt. */
  readonly retry: number;
  /** First delay; doubles with each attempt. */
  readonly backoffMs: number;
}

/** The policy of every function: about 17 minutes of trying, then the dead letters. */
export const RETRY: RetryPolicy = { retry: 10, backoffMs: 1_000 };

/** The HTTP answer for an outcome: the three codes that every Knative broker treats alike, always with an empty body. */
export function toHttp(outcome: Outcome): { readonly status: 202 | 429 | 503; readonly retryAfterSeconds?: number } {
  switch (outcome.kind) {
    case "retry":
      return { status: 503, retryAfterSeconds: Math.ceil((outcome.afterMs ?? RETRY.backoffMs) / 1000) };
    case "waiting":
      return { status: 503, retryAfterSeconds: Math.ceil(RETRY.backoffMs / 1000) };
    case "busy":
      return { status: 429, retryAfterSeconds: Math.ceil(outcome.afterMs / 1000) };
    default:
      return { status: 202 };
  }
}

/** What the JetStream consumer does with the message; `dead` has been published to the dead letters before. */
export type Acknowledgement = { readonly verb: "ack" | "term" } | { readonly verb: "nak"; readonly delayMs: number };

/** The JetStream verb for an outcome at its n-th delivery (from 1). */
export function toAck(outcome: Outcome, delivery: number, policy: RetryPolicy = RETRY): Acknowledgement {
  switch (outcome.kind) {
    case "retry":
      return { verb: "nak", delayMs: outcome.afterMs ?? backoffMs(delivery, policy) };
    case "waiting":
      return { verb: "nak", delayMs: backoffMs(delivery, policy) };
    case "busy":
      return { verb: "nak", delayMs: outcome.afterMs };
    case "dead":
      return { verb: "term" };
    default:
      return { verb: "ack" };
  }
}

/** Delay before the attempt after the n-th (from 1): d, 2d, 4d, … as Knative's exponential back-off. */
export function backoffMs(delivery: number, policy: RetryPolicy = RETRY): number {
  return policy.backoffMs * 2 ** Math.min(delivery - 1, 20);
}

/** Deliveries after which an event is given up that waits for ever, or that kills its process each time. */
export const DELIVERY_LIMIT = 40;

/** The same outcome, or death when this was the last attempt that the policy allows. */
export function exhaust(outcome: Outcome, delivery: number, policy: RetryPolicy = RETRY): Outcome {
  if (outcome.kind !== "retry" && outcome.kind !== "busy" && outcome.kind !== "waiting") return outcome;
  const limit = outcome.kind === "waiting" ? DELIVERY_LIMIT : policy.retry + 1;
  if (delivery < limit) return outcome;
  return {
    kind: "dead",
    reason: "AttemptsExhausted",
    message: `gave up after ${delivery} attempts; last reason: ${outcome.reason}. Fix the cause, then replay the dead letter`,
  };
}

/** Classifies anything thrown while handling an event. Unknown errors are retried: a restart or fix may help. */
export function outcomeOfError(error: unknown): Outcome {
  if (!(error instanceof Failure)) return { kind: "retry", reason: `Unexpected: ${messageOf(error)}` };
  switch (error.kind) {
    case "Conflict":
      return { kind: "busy", reason: `Conflict: ${error.message}`, afterMs: 200 };
    case "Invalid":
    case "TooLarge":
      return { kind: "dead", reason: error.kind, message: error.message };
    default:
      return {
        kind: "retry",
        reason: `${error.kind}: ${error.message}`,
        ...(error.retryAfterMs === undefined ? {} : { afterMs: error.retryAfterMs }),
      };
  }
}
