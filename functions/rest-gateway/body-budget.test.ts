import { expect, it } from "vitest";
import { createBodyBudget } from "./body-budget.ts";

it("gives out no more than there is, and again what came back", () => {
  const budget = createBodyBudget(10);
  expect([budget.take(6), budget.take(5), budget.take(4), budget.take(1)]).toEqual([true, false, true, false]);
  budget.give(6);
  expect([budget.take(7), budget.take(6)]).toEqual([false, true]);
});
