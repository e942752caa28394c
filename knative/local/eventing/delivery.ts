import type { Dispatcher } from "./answer.ts";
import { parseDuration } from "./duration.ts";
import type { DeliverySpec } from "./kinds.ts";

/** How a Trigger's events are delivered, in the units that timers take. */
export interface Delivery {
  /** Retries after the first attempt. */
  readonly retry: number;
  /** Delay before the attempt that follows the n-th (from 1); `askedMs` is what the answer's Retry-After says. */
  delayMs(attempt: number, askedMs?: number): number;
  /** Time for one attempt; `undefined`: no limit of its own. */
  readonly timeoutMs: number | undefined;
}

/** Longest delay: a doubling one would otherwise outgrow what timers hold. */
const MAX_DELAY_MS = 24 * 3_600_000;

/**
 * Reads a delivery spec by Knative's rules; no spec is one attempt. Core counts from 0 (linear 0, d, 2d…; exponential
 * d, 2d, 4d…), natss from 1 (linear d, 2d…; exponential 2d, 4d…). Retry-After counts only up to `retryAfterMax`, and
 * not at all with natss. Throws on a duration that is none and on a timeout of 0.
 */
export function deliveryOf(spec: DeliverySpec | undefined, dispatcher: Dispatcher = "core"): Delivery {
  const { retry = 0, backoffPolicy, backoffDelay, timeout, retryAfterMax } = spec ?? {};
  const delay = backoffDelay === undefined ? 0 : parseDuration(backoffDelay);
  const timeoutMs = timeout === undefined ? undefined : parseDuration(timeout);
  if (timeoutMs === 0) throw new Error(`timeout ${timeout} leaves no time; give more, or leave it out for no limit`);
  const maxAskedMs = retryAfterMax === undefined || dispatcher === "natss" ? 0 : parseDuration(retryAfterMax);
  const first = dispatcher === "natss" ? 1 : 0;
  const backoffMs = (attempt: number): number => {
    if (backoffPolicy === undefined) return 0;
    const count = attempt - 1 + first;
    return delay * (backoffPolicy === "linear" ? count : 2 ** Math.min(count, 40));
  };
  return {
    retry,
    delayMs: (attempt, askedMs = 0) =>
      Math.min(Math.max(backoffMs(attempt), Math.min(askedMs, maxAskedMs)), MAX_DELAY_MS),
    timeoutMs,
  };
}
