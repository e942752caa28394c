import type { StoredIndex } from "./stored-index.ts";

/** One chart that a sync has to look at. */
export interface WorkItem {
  readonly chart: string;
  /** Objects that it may take: the application and its newest versions. */
  readonly objects: number;
}

type Charts = Pick<StoredIndex, "charts">;

/** What a sync has to look at, and how. */
export interface WorkScope {
  readonly from: Charts | undefined;
  readonly to: Charts;
  /** Whether all charts are looked at, not only those that changed. */
  readonly all: boolean;
  /** Versions of each chart that become objects. */
  readonly limit: number;
}

/** One step of a sync looks at about this many objects, so that it is over within seconds. */
const STEP_OBJECTS = 500;

/** The names of a step's applications go into one query. */
const STEP_CHARTS = 100;

/** The charts that a sync has to look at, by name: the same two indexes give the same list, always. */
export function workList({ from, to, all, limit }: WorkScope): readonly WorkItem[] {
  const before = new Map(from?.charts.map((chart) => [chart.name, chart]));
  const after = new Map(to.charts.map((chart) => [chart.name, chart]));
  const names = [...new Set([...before.keys(), ...after.keys()])].sort(byCodeUnit);
  const due = names.filter((name) => all || before.get(name)?.content !== after.get(name)?.content);
  return due.map((chart) => {
    const versions = Math.max(before.get(chart)?.versions ?? 0, after.get(chart)?.versions ?? 0);
    return { chart, objects: 1 + Math.min(versions, limit) };
  });
}

/** The charts of the step that follows after a chart, "" for the first one; at least one where any is left. */
export function nextStep(list: readonly WorkItem[], after: string): readonly WorkItem[] {
  const rest = list.filter(({ chart }) => chart > after || after === "");
  let objects = 0;
  const end = rest.findIndex((item, at) => {
    objects += item.objects;
    return at > 0 && (objects > STEP_OBJECTS || at >= STEP_CHARTS);
  });
  return end === -1 ? rest : rest.slice(0, end);
}

/** How many objects the charts of a list may take together. */
export function objectsOf(list: readonly WorkItem[]): number {
  return list.reduce((sum, { objects }) => sum + objects, 0);
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
