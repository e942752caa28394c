import { z } from "zod";
import { change, refuse, wait } from "../../shared/decision.ts";
import { Failure } from "../../shared/errors.ts";
import { defineEvent } from "../../shared/event.ts";
import { defineFunction } from "../../shared/function.ts";
import type { FunctionIdentity } from "../../shared/run.ts";

/** What a test asks the test function to do. */
export const TestAsked = defineEvent({
  type: "test.asked",
  summary: "A test asks for an outcome.",
  data: z.object({ outcome: z.enum(["done", "refused", "waiting", "conflict", "down", "invalid", "slow", "bug"]) }),
  example: { outcome: "done" as const },
});

/** What the test function announces. */
export const TestAnswered = defineEvent({
  type: "test.answered",
  summary: "The test function did as it was asked.",
  data: z.object({ by: z.string() }),
  example: { by: "test" },
});

const definition = defineFunction({
  on: TestAsked,
  summary: "Comes to any outcome a test asks for.",
  emits: [TestAnswered],
  reads: [],
  writes: [],
  timeoutMs: 300,
  concurrency: 8,
  async gather(event, { signal }) {
    switch (event.data.outcome) {
      case "conflict":
        throw new Failure("Conflict", "somebody else wrote first");
      case "down":
        throw new Failure("Unavailable", "the API server is down", { retryAfterMs: 2_500 });
      case "invalid":
        throw new Failure("Invalid", "the API server will never take it");
      case "bug":
        throw new TypeError("x is undefined");
      case "slow":
        await new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        });
    }
    return event.data.outcome;
  },
  decide(outcome, event) {
    if (outcome === "refused") return refuse("Rule", "the rules say no");
    if (outcome === "waiting") return wait("TooEarly");
    return change({ announce: [TestAnswered.of("tests/one", { by: event.id })] });
  },
});

/** A function that comes to any outcome a test asks for. */
export const testFunction = { name: "test-asked", function: definition } as unknown as FunctionIdentity;
