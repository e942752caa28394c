import { expect, test } from "vitest";
import { type AnswerContent, outcomeOfAnswer, retryAfterMs } from "./answer.ts";

const DONE = "done";
const AGAIN = "retry";
const NEVER = "dead";

test.each<[status: number, content: AnswerContent, means: { core: string; natss: string }]>([
  [200, "nothing", { core: DONE, natss: DONE }],
  [202, "nothing", { core: DONE, natss: DONE }],
  [204, "nothing", { core: DONE, natss: DONE }],
  [200, "event", { core: DONE, natss: DONE }],
  [202, "event", { core: DONE, natss: DONE }],
  [200, "other", { core: AGAIN, natss: DONE }],
  [299, "other", { core: AGAIN, natss: DONE }],
  [301, "nothing", { core: NEVER, natss: NEVER }],
  [304, "nothing", { core: NEVER, natss: NEVER }],
  [400, "nothing", { core: NEVER, natss: NEVER }],
  [401, "nothing", { core: NEVER, natss: NEVER }],
  [403, "nothing", { core: NEVER, natss: NEVER }],
  [404, "nothing", { core: AGAIN, natss: NEVER }],
  [405, "nothing", { core: NEVER, natss: NEVER }],
  [408, "nothing", { core: AGAIN, natss: AGAIN }],
  [409, "nothing", { core: AGAIN, natss: NEVER }],
  [410, "nothing", { core: NEVER, natss: NEVER }],
  [413, "nothing", { core: NEVER, natss: NEVER }],
  [422, "nothing", { core: NEVER, natss: NEVER }],
  [429, "nothing", { core: AGAIN, natss: AGAIN }],
  [499, "nothing", { core: NEVER, natss: NEVER }],
  [500, "nothing", { core: AGAIN, natss: AGAIN }],
  [502, "other", { core: AGAIN, natss: AGAIN }],
  [503, "nothing", { core: AGAIN, natss: AGAIN }],
  [504, "nothing", { core: AGAIN, natss: AGAIN }],
  [599, "nothing", { core: AGAIN, natss: AGAIN }],
])("%i with %s means %j", (status, content, { core, natss }) => {
  expect(outcomeOfAnswer(status, content, "core").kind).toBe(core);
  expect(outcomeOfAnswer(status, content, "natss").kind).toBe(natss);
});

const now = new Date("2026-01-02T03:04:05Z");

test.each([
  [null, undefined],
  ["3", 3_000],
  ["0", 0],
  ["Fri, 02 Jan 2026 03:04:09 GMT", 4_000],
  ["Fri, 02 Jan 2026 03:04:01 GMT", 0],
  ["soon", undefined],
  ["-1.5e3x", undefined],
])("Retry-After %j is %s ms", (header, ms) => {
  expect(retryAfterMs(header, now)).toBe(ms);
});
