import { ageOf } from "./age.ts";
import type { Cell } from "./table-cell-values.ts";
import type { TableColumn } from "./tables.ts";

/** A column of texts; priority 1 is shown by `-o wide` only. */
export function text(name: string, cell: Cell, priority = 0): TableColumn {
  return { name, type: "string", priority, cell };
}

/** A column of whole numbers. */
export function whole(name: string, cell: Cell): TableColumn {
  return { name, type: "integer", priority: 0, cell };
}

/** A column of yes and no. */
export function flag(name: string, cell: Cell): TableColumn {
  return { name, type: "boolean", priority: 0, cell };
}

/** How long ago an object was created. */
export const age: TableColumn = text("Age", (object) => ageOf(object.metadata.creationTimestamp ?? ""));

/** When an object was created. */
export const created: TableColumn = {
  name: "Created At",
  type: "date",
  priority: 0,
  cell: (object) => object.metadata.creationTimestamp ?? "",
};
