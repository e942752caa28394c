import type { LabelSelector } from "../eventing/kinds.ts";

/** A label selector as the API server's query language writes it; empty where everything is meant. */
export function selectorText(selector: LabelSelector | undefined): string {
  const labels = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  return [...labels, ...(selector?.matchExpressions ?? []).map(expressionText)].join(",");
}

function expressionText({ key, operator, values }: LabelSelector["matchExpressions"][number]): string {
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
