import { parseDuration } from "./duration.ts";
import type { DeliverySpec } from "./kinds.ts";

/** How a Trigger's events are delivered, in the units that timers take. */
export interface Delivery {
  /** Retries after the first attempt. */
  readonly retry: number;
  /** Delay before the attempt that follows the n-th (from 1). */
  delayMs(attempt: number): number;
  /** Time for one attempt; `undefined`: no limit of its own. */
  readonly timeoutMs: number | undefined;
}

/** Longest delay: a doubling one would otherwise outgrow what timers hold. */
const MAX_DELAY_MS = 24 * 3_600_000;

/** Reads a delivery spec by Knative's rules (core counts from 0: linear 0, d, 2d…; exponential d, 2d, 4d…); no spec is one attempt. */
export function deliveryOf(spec: DeliverySpec | undefined): Delivery {
  const { retry = 0, backoffPolicy, backoffDelay, timeout } = spec ?? {};
  const delay = backoffDelay === undefined ? 0 : parseDuration(backoffDelay);
  const factor = (attempt: number) => (backoffPolicy === "linear" ? attempt - 1 : 2 ** Math.min(attempt - 1, 40));
  return {
    retry,
    delayMs: (attempt) => (backoffPolicy === undefined ? 0 : Math.min(delay * factor(attempt), MAX_DELAY_MS)),
    timeoutMs: timeout === undefined ? undefined : parseDuration(timeout),
  };
}
