/** One metric with a sample for every set of labels. */
export interface Metric {
  /** With the prefix of the store and the unit: `openpitrix_repo_syncs_total`. */
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** One value; samples without a value are left out. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number | undefined;
}

/** Content type of the text below. */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Metrics in the text format that Prometheus and everything like it reads. */
export function exposition(metrics: readonly Metric[]): string {
  return metrics.map(text).join("");
}

function text({ name, type, help, samples }: Metric): string {
  const lines = samples.flatMap(({ labels, value }) =>
    value === undefined || Number.isNaN(value) ? [] : [`${name}${inBraces(labels)} ${value}\n`],
  );
  if (lines.length === 0) return "";
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function inBraces(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

/** The three characters that the format escapes in label values. */
function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
