import type { Column } from "../resource.ts";

/** When the object was made. */
export const AGE: Column = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" };

/** The status of the Ready condition. */
export const READY: Column = {
  name: "Ready",
  type: "string",
  jsonPath: '.status.conditions[?(@.type=="Ready")].status',
};

/** KubeSphere's one-word state. */
export const STATE: Column = { name: "State", type: "string", jsonPath: ".status.state" };

/** A column that shows a label. */
export function labelColumn(name: string, label: string): Column {
  return { name, type: "string", jsonPath: `.metadata.labels.${label.replaceAll(".", "\\.")}` };
}

/** A column that shows a text field of the spec. */
export function specColumn(name: string, field: string): Column {
  return { name, type: "string", jsonPath: `.spec.${field}` };
}
