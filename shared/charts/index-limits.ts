/** What an index may hold at most; what is left out keeps its default. */
export interface IndexLimits {
  /** Bytes of text that arrives, characters of one that is at hand; default 64 Mi. */
  readonly maxLength?: number;
  /** Default 10,000. */
  readonly maxCharts?: number;
  /** Versions of all charts together, default 200,000. */
  readonly maxVersions?: number;
}

/** Why an index as a whole cannot be used. */
export type IndexErrorReason = "EmptyIndex" | "InvalidYaml" | "InvalidIndex" | "NoApiVersion" | "TooLarge";

/** An index that cannot be used at all. */
export class IndexError extends Error {
  readonly reason: IndexErrorReason;

  constructor(reason: IndexErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "IndexError";
    this.reason = reason;
  }
}

const DEFAULTS: Required<IndexLimits> = { maxLength: 64 * 1024 * 1024, maxCharts: 10_000, maxVersions: 200_000 };

/** Refuses a text that is too long. */
export function refuseLength(length: number, { maxLength = DEFAULTS.maxLength }: IndexLimits): void {
  if (length <= maxLength) return;
  throw new IndexError("TooLarge", `the index has ${length} characters or more, at most ${maxLength} are read`);
}

/** Refuses an index that lists too much. */
export function refuseSize(charts: number, versions: number, limits: IndexLimits): void {
  const { maxCharts, maxVersions } = { ...DEFAULTS, ...limits };
  if (charts > maxCharts) {
    throw new IndexError("TooLarge", `the index lists ${charts} charts, at most ${maxCharts} are taken`);
  }
  if (versions > maxVersions) {
    throw new IndexError("TooLarge", `the index lists ${versions} versions, at most ${maxVersions} are taken`);
  }
}
