/** Time that a cold start may add to the first request. */
const COLD_START_SECONDS = 10;

/** Longest that Knative Serving lets a request take unless its administrator raises the limit. */
const SERVING_LIMIT_SECONDS = 600;

/** The chain of time limits around one function: each is longer than what it waits for. */
export interface Timing {
  /** Until the broker gives a request up: the function's own limit and a cold start. */
  readonly deliverySeconds: number;
  /** Until Serving cuts the connection; later than the broker, so that the broker's rule is the one that counts. */
  readonly serviceSeconds: number;
}

/** The time limits of a function in seconds; throws where Knative Serving would refuse them. */
export function timingOf(name: string, { timeoutMs }: { readonly timeoutMs: number }): Timing {
  const deliverySeconds = Math.ceil(timeoutMs / 1000) + COLD_START_SECONDS;
  const serviceSeconds = deliverySeconds + 5;
  if (serviceSeconds > SERVING_LIMIT_SECONDS) {
    throw new Error(
      `${name}: timeoutMs ${timeoutMs} needs a Service limit of ${serviceSeconds} s, Knative allows ${SERVING_LIMIT_SECONDS}; ` +
        "split the work into two functions and an event",
    );
  }
  return { deliverySeconds, serviceSeconds };
}
