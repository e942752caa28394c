import { describe, expect, it } from "vitest";
import { Failure, type FailureKind } from "./errors.ts";
import { backoffMs, DELIVERY_LIMIT, exhaust, type Outcome, outcomeOfError, RETRY, toAck, toHttp } from "./outcome.ts";

const TABLE: readonly { readonly outcome: Outcome; readonly http: object; readonly ack: object }[] = [
  { outcome: { kind: "done" }, http: { status: 202 }, ack: { verb: "ack" } },
  { outcome: { kind: "refused", reason: "R", message: "m" }, http: { status: 202 }, ack: { verb: "ack" } },
  { outcome: { kind: "ignored" }, http: { status: 202 }, ack: { verb: "ack" } },
  {
    outcome: { kind: "retry", reason: "r" },
    http: { status: 503, retryAfterSeconds: 1 },
    ack: { verb: "nak", delayMs: 4000 },
  },
  {
    outcome: { kind: "retry", reason: "r", afterMs: 2500 },
    http: { status: 503, retryAfterSeconds: 3 },
    ack: { verb: "nak", delayMs: 2500 },
  },
  {
    outcome: { kind: "waiting", reason: "w" },
    http: { status: 503, retryAfterSeconds: 1 },
    ack: { verb: "nak", delayMs: 4000 },
  },
  {
    outcome: { kind: "busy", reason: "b", afterMs: 200 },
    http: { status: 429, retryAfterSeconds: 1 },
    ack: { verb: "nak", delayMs: 200 },
  },
  { outcome: { kind: "dead", reason: "D", message: "m" }, http: { status: 202 }, ack: { verb: "term" } },
];

describe("outcome table", () => {
  it.each(TABLE)("maps $outcome.kind to HTTP and JetStream", ({ outcome, http, ack }) => {
    expect(toHttp(outcome)).toEqual(http);
    expect(toAck(outcome, 3)).toEqual(ack);
  });

  it("doubles the delay with each attempt", () => {
    expect([1, 2, 3, 10].map((delivery) => backoffMs(delivery))).toEqual([1_000, 2_000, 4_000, 512_000]);
  });

  it("gives up after the last retry, but lets a waiting event wait", () => {
    const retry: Outcome = { kind: "retry", reason: "down" };
    expect(exhaust(retry, RETRY.retry)).toBe(retry);
    expect(exhaust(retry, RETRY.retry + 1)).toMatchObject({ kind: "dead", reason: "AttemptsExhausted" });
    const waiting: Outcome = { kind: "waiting", reason: "early" };
    expect(exhaust(waiting, RETRY.retry + 1)).toBe(waiting);
    expect(exhaust(waiting, DELIVERY_LIMIT).kind).toBe("dead");
    expect(exhaust({ kind: "done" }, 5_000)).toEqual({ kind: "done" });
  });

  it.each<[FailureKind, Outcome["kind"]]>([
    ["Conflict", "busy"],
    ["Unavailable", "retry"],
    ["Forbidden", "retry"],
    ["Invalid", "dead"],
    ["TooLarge", "dead"],
  ])("classifies %s as %s", (kind, outcome) => {
    expect(outcomeOfError(new Failure(kind, "x")).kind).toBe(outcome);
  });

  it("retries what it does not know, and keeps the delay that a server asked for", () => {
    expect(outcomeOfError(new TypeError("bug"))).toEqual({ kind: "retry", reason: "Unexpected: bug" });
    expect(outcomeOfError(new Failure("Unavailable", "503", { retryAfterMs: 7_000 }))).toMatchObject({
      afterMs: 7_000,
    });
  });
});
