import type { LabelSelector } from "../eventing/kinds.ts";

/** The text form of a label selector, as the API server's `labelSelector` parameter takes it; `undefined` selects everything. */
export function selectorText(selector: LabelSelector | undefined): string | undefined {
  const labels = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const parts = [...labels, ...(selector?.matchExpressions ?? []).map(expressionText)];
  return parts.length === 0 ? undefined : parts.join(",");
}

type Expression = NonNullable<LabelSelector["matchExpressions"]>[number];

function expressionText({ key, operator, values = [] }: Expression): string {
  switch (operator) {
    case "Exists":
      return key;
    case "DoesNotExist":
      return `!${key}`;
    case "In":
      return `${key} in (${values.join(",")})`;
    case "NotIn":
      return `${key} notin (${values.join(",")})`;
  }
}
