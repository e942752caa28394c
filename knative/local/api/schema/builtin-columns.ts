import type { PrinterColumn } from "./kinds.ts";

/** The columns of a built-in kind that a JSON path can fill, Name left out; unknown kinds get their age. */
export function builtinColumns(group: string, kind: string): readonly PrinterColumn[] {
  const rows = COLUMNS[`${group}/${kind}`] ?? [];
  return [...rows.map(column), { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }];
}

function column(row: Row): PrinterColumn {
  const [name, jsonPath, type = "string", priority = 0] = row;
  return { name, type, jsonPath, priority };
}

type Row = readonly [name: string, jsonPath: string, type?: string, priority?: number];

const COLUMNS: Readonly<Record<string, readonly Row[]>> = {
  "/Namespace": [["Status", ".status.phase"]],
  "/Secret": [["Type", ".type"]],
  "/Service": [
    ["Type", ".spec.type"],
    ["Cluster-IP", ".spec.clusterIP"],
  ],
  "/Pod": [["Status", ".status.phase"]],
  "/PersistentVolumeClaim": [
    ["Status", ".status.phase"],
    ["Volume", ".spec.volumeName"],
  ],
};
