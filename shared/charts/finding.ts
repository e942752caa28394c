/** Something about a chart package that people should know, in the words of `helm lint`: an error, a warning or a remark. */
export interface Finding {
  readonly severity: "error" | "warning" | "info";
  /** File or folder below the chart's top-level folder; "" for the chart as a whole. */
  readonly path: string;
  readonly message: string;
}

/** Makes a finding only where the rule is broken. */
export function findingIf(broken: boolean, ...[severity, path, message]: FindingParts): readonly Finding[] {
  return broken ? [{ severity, path, message }] : [];
}

type FindingParts = readonly [severity: Finding["severity"], path: string, message: string];
