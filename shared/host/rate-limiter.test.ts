import { expect, test } from "vitest";
import { createRateLimiter } from "./rate-limiter.ts";

test("takes as many at once as a minute allows, then one per share of the minute", () => {
  const limiter = createRateLimiter(60);
  const taken = Array.from({ length: 60 }, () => limiter.wait("a", 0));
  expect(new Set(taken)).toEqual(new Set([0]));
  expect(limiter.wait("a", 0)).toBe(1);
  expect(limiter.wait("a", 999)).toBe(1);
  expect(limiter.wait("a", 1_000)).toBe(0);
  expect(limiter.wait("a", 1_000)).toBe(1);
});

test("keys do not share, and a quiet minute restores everything but not more", () => {
  const limiter = createRateLimiter(2);
  expect([limiter.wait("a", 0), limiter.wait("a", 0), limiter.wait("a", 0), limiter.wait("b", 0)]).toEqual([
    0, 0, 30, 0,
  ]);
  const later = 600_000;
  expect([limiter.wait("a", later), limiter.wait("a", later), limiter.wait("a", later)]).toEqual([0, 0, 30]);
});

test("remembers ten thousand keys at most", () => {
  const limiter = createRateLimiter(1);
  limiter.wait("first", 0);
  expect(limiter.wait("first", 0)).toBe(60);
  for (let each = 0; each < 10_000; each++) limiter.wait(`key-${each}`, 0);
  expect(limiter.wait("first", 0)).toBe(0);
});

test("keys of any length are told apart, and kept in little room", () => {
  const limiter = createRateLimiter(1);
  const long = (end: string) => `Bearer ${"x".repeat(10_000)}${end}`;
  expect([limiter.wait(long("a"), 0), limiter.wait(long("b"), 0), limiter.wait(long("a"), 0)]).toEqual([0, 0, 60]);
});
