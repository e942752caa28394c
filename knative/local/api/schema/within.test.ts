import { expect, test } from "vitest";
import { within } from "./within.ts";

test("work that ends in time gives its result", () => {
  expect(within(1000, () => [1, 2])).toEqual([1, 2]);
});

test("work that does not end is ended", () => {
  let steps = 0;
  const endless = (): number => {
    for (;;) steps += 1;
  };
  expect(within(50, endless)).toBeUndefined();
  expect(steps).toBeGreaterThan(0);
});

test("what work throws is thrown", () => {
  expect(() =>
    within(1000, () => {
      throw new TypeError("broken");
    }),
  ).toThrow(TypeError);
});
