import { expect, it } from "vitest";
import { nextStep, objectsOf, workList } from "./work-list.ts";

const index = (charts: Readonly<Record<string, number>>) => ({
  charts: Object.entries(charts).map(([name, versions]) => ({ name, versions, content: `${name} ${versions}` })),
});
const many = (count: number, versions: number) =>
  index(Object.fromEntries(Array.from({ length: count }, (_, number) => [`chart-${number}`, versions])));

it("has the charts that differ, those that came and those that went, by name", () => {
  const [from, to] = [index({ web: 3, db: 1, old: 2 }), index({ web: 4, db: 1, new: 1 })];
  const list = workList({ from, to, all: false, limit: 10 });
  expect(list).toEqual([
    { chart: "new", objects: 2 },
    { chart: "old", objects: 3 },
    { chart: "web", objects: 5 },
  ]);
  expect(workList({ from, to, all: true, limit: 2 }).map(({ chart }) => chart)).toEqual(["db", "new", "old", "web"]);
  expect(workList({ from: to, to, all: false, limit: 10 })).toEqual([]);
});

it("is cut into steps of at most 500 objects and 100 charts, of which each chart is in one", () => {
  for (const [to, limit] of [
    [many(300, 40), 10],
    [many(300, 1), 10],
    [many(5, 2000), 1000],
  ] as const) {
    const list = workList({ from: undefined, to, all: false, limit });
    const steps = [];
    for (let step = nextStep(list, ""); step.length > 0; step = nextStep(list, step.at(-1)?.chart ?? ""))
      steps.push(step);
    expect(steps.flat()).toEqual(list);
    for (const step of steps) {
      expect(step.length).toBeLessThanOrEqual(100);
      expect(step.length === 1 || objectsOf(step) <= 500).toBe(true);
    }
  }
});

it("goes on after a chart that is not in the list any more", () => {
  const list = workList({ from: undefined, to: index({ a: 1, c: 1 }), all: false, limit: 10 });
  expect(nextStep(list, "b").map(({ chart }) => chart)).toEqual(["c"]);
  expect(nextStep(list, "c")).toEqual([]);
});
