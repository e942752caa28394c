import { expect, it } from "vitest";
import { goDuration } from "./go-duration.ts";

it.each([
  ["1h30m", 5400],
  ["200s", 200],
  ["0", 0],
  ["1.5h", 5400],
  [".5m", 30],
  ["-10s", -10],
  ["1500ms", 1.5],
  ["2µs", 2e-6],
  ["", undefined],
  ["1", undefined],
  ["1d", undefined],
  ["s", undefined],
  ["1h x", undefined],
  [`${"9".repeat(70)}s`, undefined],
])("reads %s as %s seconds", (text, seconds) => {
  expect(goDuration(text)).toBe(seconds);
});
