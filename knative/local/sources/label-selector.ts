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

/** Whether labels meet a selector; an empty one is met by all. */
export function matchesLabels(
  { matchLabels, matchExpressions }: LabelSelector,
  labels: Readonly<Record<string, string>>,
): boolean {
  const equal = Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
  return equal && matchExpressions.every((expression) => meets(expression, labels[expression.key]));
}

function meets({ operator, values }: LabelSelector["matchExpressions"][number], value: string | undefined): boolean {
  switch (operator) {
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
  }
}
