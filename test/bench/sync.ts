import type { ProcessFigures } from "./measured-process.ts";
import type { Row } from "./row.ts";
import { prepareSync, type SyncCase, type SyncSides } from "./sync-sides.ts";

const SYNCS: Readonly<Record<SyncCase, string>> = {
  first: "first sync of an index of 20 MB, stored",
  unchanged: "sync of an index of 20 MB that has not changed, whatever its validators say",
  etag: "sync of an index of 20 MB that has not changed, by its ETag",
  "one changed": "sync of an index of 20 MB with one chart changed, its difference found and stored",
};

const WALL: Figure = { unit: "ms", name: "time", of: ({ wallMs }) => wallMs };
const CPU: Figure = { unit: "ms", name: "CPU time", of: ({ cpuMs }) => cpuMs };
const MEMORY: Figure = { unit: "MiB", name: "peak memory", of: ({ peakMiB }) => peakMiB };

interface Figure {
  readonly unit: string;
  readonly name: string;
  of(figures: ProcessFigures): number;
}

/** What a row compares. */
interface Comparison {
  readonly id: string;
  readonly sync: SyncCase;
  readonly figure: Figure;
  readonly target: number;
}

/** Syncs of a joined index of all real ones. */
export const SYNC_ROWS: readonly Row[] = [
  processRow({ id: "first-sync", sync: "first", figure: WALL, target: 1 / 3.5 }),
  processRow({ id: "first-sync-cpu", sync: "first", figure: CPU, target: 0.5 }),
  processRow({ id: "first-sync-memory", sync: "first", figure: MEMORY, target: 0.3 }),
  processRow({ id: "resync-unchanged", sync: "unchanged", figure: WALL, target: 1 / 12 }),
  processRow({ id: "resync-etag", sync: "etag", figure: WALL, target: 1 / 20 }),
  processRow({ id: "resync-1-changed", sync: "one changed", figure: WALL, target: 1 / 12 }),
  processRow({ id: "resync-1-changed-cpu", sync: "one changed", figure: CPU, target: 0.125 }),
  processRow({ id: "resync-1-changed-memory", sync: "one changed", figure: MEMORY, target: 0.15 }),
  runningRow({ id: "resync-1-changed-running", sync: "one changed", figure: WALL, target: 1 / 35 }),
];

/** A process of its own, from its start to its end. */
function processRow(comparison: Comparison): Row {
  const { figure } = comparison;
  return row(comparison, `${figure.name} of a process`, async (sides) => figure.of(await sides.ours()));
}

/** One of many syncs in a process that goes on running. */
function runningRow(comparison: Comparison): Row {
  return row(comparison, "time in a function that runs already", (sides) => sides.running());
}

function row(
  { id, sync, figure, target }: Comparison,
  measured: string,
  ours: (sides: SyncSides) => Promise<number>,
): Row {
  return {
    id,
    what: `${SYNCS[sync]}: ${measured}`,
    peerName: "helm repo update",
    unit: figure.unit,
    better: "lower",
    target: Number(target.toPrecision(3)),
    async prepare() {
      const sides = await prepareSync(sync);
      return {
        ours: () => ours(sides),
        peer: async () => figure.of(await sides.helm()),
        close: () => sides.close(),
      };
    },
  };
}
