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

const POLICIES = { backoffDelay: "PT1S", retry: 3 } as const;

test.each([
  ["core", "exponential", [1_000, 2_000, 4_000, 8_000]],
  ["core", "linear", [0, 1_000, 2_000, 3_000]],
  ["natss", "exponential", [2_000, 4_000, 8_000, 16_000]],
  ["natss", "linear", [1_000, 2_000, 3_000, 4_000]],
] as const)("%s waits %s: %j ms", (dispatcher, backoffPolicy, expected) => {
  const delivery = deliveryOf({ ...POLICIES, backoffPolicy }, dispatcher);
  expect([1, 2, 3, 4].map((attempt) => delivery.delayMs(attempt))).toEqual(expected);
});

test("no back-off is computed from a delay without a policy or a policy without a delay", () => {
  expect(deliveryOf(POLICIES).delayMs(3)).toBe(0);
  expect(deliveryOf({ retry: 3, backoffPolicy: "exponential" }).delayMs(3)).toBe(0);
});

test("a delay never outgrows a timer", () => {
  const delivery = deliveryOf({ retry: 100, backoffPolicy: "exponential", backoffDelay: "PT1S" });
  expect(delivery.delayMs(100)).toBe(24 * 3_600_000);
});

test.each([
  ["without retryAfterMax is not heard", {}, [5_000, 1_000]],
  ["counts where it is longer than the back-off", { retryAfterMax: "PT10S" }, [5_000, 5_000]],
  ["counts up to retryAfterMax", { retryAfterMax: "PT3S" }, [5_000, 3_000]],
  ["does not shorten the back-off", { retryAfterMax: "PT10S" }, [200, 1_000]],
  ["is not heard with a retryAfterMax of 0", { retryAfterMax: "PT0S" }, [5_000, 1_000]],
])("a Retry-After %s", (_, limit, [askedMs, expected]) => {
  const delivery = deliveryOf({ ...POLICIES, backoffPolicy: "exponential", ...limit });
  expect(delivery.delayMs(1, askedMs)).toBe(expected);
});

test("natss does not hear Retry-After", () => {
  const delivery = deliveryOf({ ...POLICIES, backoffPolicy: "linear", retryAfterMax: "PT10S" }, "natss");
  expect(delivery.delayMs(1, 5_000)).toBe(1_000);
});

test("no delivery spec is one attempt without a limit", () => {
  expect(deliveryOf(undefined)).toMatchObject({ retry: 0, timeoutMs: undefined });
});

test("a timeout of nothing is refused", () => {
  expect(deliveryOf({ timeout: "PT2.5S" }).timeoutMs).toBe(2_500);
  expect(() => deliveryOf({ timeout: "PT0S" })).toThrow("timeout PT0S leaves no time");
});
