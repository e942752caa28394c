import { expect, test } from "vitest";
import { Failure } from "../../shared/errors.ts";
import { backoffMs, exhaust, type Outcome, outcomeOfError, RETRY, toAck, toHttp } from "../../shared/outcome.ts";

const retry: Outcome = { kind: "retry", reason: "down" };
const busy: Outcome = { kind: "busy", reason: "conflict", afterMs: 200 };

/** Outcome → answer to a broker → verb to the stream, as the architecture's table has them. */
test.each<[string, Outcome, { status: number; retryAfterSeconds?: number }, object]>([
  ["done", { kind: "done" }, { status: 202 }, { verb: "ack" }],
  ["refused by the rules", { kind: "refused", reason: "R", message: "m" }, { status: 202 }, { verb: "ack" }],
  ["not an event of this function", { kind: "ignored" }, { status: 202 }, { verb: "ack" }],
  ["dependency down", retry, { status: 503, retryAfterSeconds: 1 }, { verb: "nak", delayMs: 1_000 }],
  [
    "dependency down, it said how long",
    { ...retry, afterMs: 2_500 },
    { status: 503, retryAfterSeconds: 3 },
    { verb: "nak", delayMs: 2_500 },
  ],
  [
    "too early",
    { kind: "waiting", reason: "TooEarly" },
    { status: 503, retryAfterSeconds: 1 },
    { verb: "nak", delayMs: 1_000 },
  ],
  ["busy", busy, { status: 429, retryAfterSeconds: 1 }, { verb: "nak", delayMs: 200 }],
  ["dead, told before", { kind: "dead", reason: "R", message: "m" }, { status: 202 }, { verb: "term" }],
])("%s", (...[, outcome, http, ack]) => {
  expect(toHttp(outcome)).toEqual(http);
  expect(toAck(outcome, 1)).toEqual(ack);
});

test.each<[Failure["kind"] | "anything else", string]>([
  ["Conflict", "busy"],
  ["Unavailable", "retry"],
  ["Forbidden", "retry"],
  ["Invalid", "dead"],
  ["TooLarge", "dead"],
  ["anything else", "retry"],
])("%s thrown is %s", (kind, outcome) => {
  const error = kind === "anything else" ? new TypeError("x is undefined") : new Failure(kind, "because");
  expect(outcomeOfError(error).kind).toBe(outcome);
});

test("delays double as Knative's do, and the last attempt is the end", () => {
  expect([1, 2, 3, 4].map((delivery) => backoffMs(delivery))).toEqual([1_000, 2_000, 4_000, 8_000]);
  expect(exhaust(retry, RETRY.retry)).toBe(retry);
  expect(exhaust(retry, RETRY.retry + 1)).toMatchObject({ kind: "dead", reason: "AttemptsExhausted" });
  expect(exhaust(busy, RETRY.retry + 1).kind).toBe("dead");
  expect(exhaust({ kind: "done" }, 99).kind).toBe("done");
});
