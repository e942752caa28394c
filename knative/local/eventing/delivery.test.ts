import { expect, test } from "vitest";
import { deliveryOf } from "./delivery.ts";
import { parseDuration } from "./duration.ts";

test.each([
  ["PT1S", 1_000],
  ["PT0.2S", 200],
  ["PT1M30S", 90_000],
  ["P1DT2H", 93_600_000],
])("%s is %i ms", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(["", "P", "PT", "1s", "PT1", "PT-1S", "P1M"])("%j is no duration", (text) => {
  expect(() => parseDuration(text)).toThrow("no ISO 8601 duration");
});

test("exponential back-off doubles from the delay, linear grows by it from zero, no policy means none", () => {
  const delays = (backoffPolicy?: "linear" | "exponential") => {
    const delivery = deliveryOf({ retry: 3, backoffDelay: "PT1S", ...(backoffPolicy ? { backoffPolicy } : {}) });
    return [1, 2, 3, 4].map((attempt) => delivery.delayMs(attempt));
  };
  expect(delays("exponential")).toEqual([1_000, 2_000, 4_000, 8_000]);
  expect(delays("linear")).toEqual([0, 1_000, 2_000, 3_000]);
  expect(delays()).toEqual([0, 0, 0, 0]);
});

test("no delivery spec is one attempt without a limit", () => {
  expect(deliveryOf(undefined)).toMatchObject({ retry: 0, timeoutMs: undefined });
});
