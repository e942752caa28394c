import type { Outcome } from "../../../shared/outcome.ts";

/**
 * Whose rules of delivery apply: `core` are those of Knative's own brokers and channels; `natss` are those of
 * eventing-natss, which gives up on more codes, counts back-off from one and takes replies less seriously.
 */
export type Dispatcher = "core" | "natss";

/** What an HTTP answer carried: nothing, one CloudEvent, or a body that is none. */
export type AnswerContent = "nothing" | "event" | "other";

/** Codes other than 5xx after which an event is sent again. */
const RETRIED: Readonly<Record<Dispatcher, ReadonlySet<number>>> = {
  core: new Set([404, 408, 409, 429]),
  natss: new Set([408, 429]),
};

/** What a subscriber's answer means for the event it was sent (Knative's data plane contract, and what natss makes of it). */
export function outcomeOfAnswer(status: number, content: AnswerContent, dispatcher: Dispatcher): Outcome {
  if (status >= 200 && status < 300) {
    // Knative's own broker turns such a body into a 502; natss does not look at it.
    if (content !== "other" || dispatcher === "natss") return { kind: "done" };
    return { kind: "retry", reason: `answered ${status} with a body that is no event` };
  }
  if (status >= 500 || RETRIED[dispatcher].has(status)) return { kind: "retry", reason: `answered ${status}` };
  return {
    kind: "dead",
    reason: `Status${status}`,
    message: `the function answered ${status}, which is not tried again`,
  };
}

/** Milliseconds that a Retry-After header asks for, as seconds or as a date; `undefined` where it says nothing. */
export function retryAfterMs(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
