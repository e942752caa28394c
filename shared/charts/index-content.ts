import { createHash } from "node:crypto";
import type { ProblemCount, StoredChart } from "./stored-chart.ts";

const MAX_NAMED = 100;

/** `sha256:<hex>` of what all charts publish, in whatever order. */
export function contentDigestOf(charts: readonly StoredChart[]): string {
  const lines = charts.filter(({ versions }) => versions > 0).map(({ name, content }) => `${content} ${name}\n`);
  return `sha256:${createHash("sha256").update(lines.sort().join("")).digest("hex")}`;
}

/** The names of charts that were not there or had other content before, then of those that are gone. */
export function changedCharts(before: readonly StoredChart[], after: readonly StoredChart[]): readonly string[] {
  const known = new Map(before.map(({ name, content }) => [name, content]));
  const changed = after.filter(({ name, content }) => known.get(name) !== content);
  const present = new Set(after.map(({ name }) => name));
  const gone = before.filter(({ name }) => !present.has(name));
  return [...changed, ...gone].map(({ name }) => name);
}

/** The entries that all charts leave out. */
export function allProblems(charts: readonly StoredChart[]): ProblemCount {
  const problems = charts.flatMap(({ problems = [] }) => problems);
  return {
    count: problems.reduce((sum, { count }) => sum + count, 0),
    first: problems.flatMap(({ first }) => first).slice(0, MAX_NAMED),
  };
}
