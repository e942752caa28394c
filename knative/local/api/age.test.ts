import { expect, test } from "vitest";
import { ageOf, humanDuration } from "./age.ts";

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

test.each([
  [0, "0s"],
  [-500, "0s"],
  [-5000, "<invalid>"],
  [119 * second, "119s"],
  [2 * minute, "2m"],
  [3 * minute + 20 * second, "3m20s"],
  [10 * minute, "10m"],
  [179 * minute, "179m"],
  [3 * hour + 5 * minute, "3h5m"],
  [8 * hour, "8h"],
  [47 * hour, "47h"],
  [2 * day + 3 * hour, "2d3h"],
  [8 * day, "8d"],
  [2 * 365 * day + 10 * day, "2y10d"],
  [9 * 365 * day, "9y"],
])("%i ms is %s", (milliseconds, text) => {
  expect(humanDuration(milliseconds)).toBe(text);
});

test("what is no time has no age", () => {
  expect(ageOf("")).toBe("<unknown>");
});
