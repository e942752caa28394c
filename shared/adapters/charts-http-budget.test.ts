import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { createHostBudgets } from "./charts-http-budget.ts";

const turn = (signal = new AbortController().signal) => ({ what: "fetch x", signal });
const answer = (statusCode: number, retryAfter?: string) =>
  ({ statusCode, headers: retryAfter === undefined ? {} : { "retry-after": retryAfter } }) as IncomingMessage;

/** How a request was let in: at once, or not yet. */
async function state(entering: Promise<unknown>): Promise<string> {
  return Promise.race([entering.then(() => "in"), new Promise<string>((done) => setImmediate(() => done("waits")))]);
}

test("each host has its own places, handed over in order of arrival", async () => {
  const budgets = createHostBudgets(2);
  const [first] = await Promise.all([budgets.enter("a", turn()), budgets.enter("a", turn())]);
  const third = budgets.enter("a", turn());
  const fourth = budgets.enter("a", turn());
  expect(await state(third)).toBe("waits");
  expect(await state(budgets.enter("b", turn()))).toBe("in");
  first();
  first();
  expect(await state(third)).toBe("in");
  expect(await state(fourth)).toBe("waits");
});

test("a 429 stops new requests and those that wait, for as long as it says", async () => {
  let now = 1_000;
  const budgets = createHostBudgets(1, () => now);
  const free = await budgets.enter("a", turn());
  const waiting = budgets.enter("a", turn());
  budgets.note("a", answer(429, "7"));
  free();
  await expect(waiting).rejects.toMatchObject({ kind: "Unavailable", retryAfterMs: 7_000 });
  now += 6_000;
  await expect(budgets.enter("a", turn())).rejects.toMatchObject({ retryAfterMs: 1_000 });
  now += 1_000;
  expect(await state(budgets.enter("a", turn()))).toBe("in");
});

test("without Retry-After it is a minute; other answers stop nothing", async () => {
  const budgets = createHostBudgets(2, () => 0);
  await budgets.enter("a", turn());
  budgets.note("a", answer(503, "7"));
  expect(await state(budgets.enter("a", turn()))).toBe("in");
  budgets.note("a", answer(429));
  await expect(budgets.enter("a", turn())).rejects.toMatchObject({ retryAfterMs: 60_000 });
});

test("a request that ends while it waits takes no place", async () => {
  const budgets = createHostBudgets(1);
  const free = await budgets.enter("a", turn());
  const controller = new AbortController();
  const waiting = budgets.enter("a", turn(controller.signal));
  controller.abort();
  await expect(waiting).rejects.toThrow("all 1 connections that a may have at once stayed in use");
  await expect(budgets.enter("a", turn(AbortSignal.abort()))).rejects.toThrow("stayed in use");
  free();
  expect(await state(budgets.enter("a", turn()))).toBe("in");
});
