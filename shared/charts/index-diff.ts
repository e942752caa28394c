import type { ChartEntry } from "./index-file.ts";
import { own } from "./records.ts";

/** What an index publishes: chart → version → digest, "" where the index names none. */
export type IndexDigests = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A version that was published again with other bytes. */
interface Redigest {
  readonly version: string;
  readonly before: string;
  readonly now: string;
}

/** What is different in one chart; at least one list is not empty. */
export interface ChartChange {
  readonly chart: string;
  readonly added: readonly string[];
  readonly redigested: readonly Redigest[];
  readonly withdrawn: readonly string[];
}

/** The digests of a parsed index, in its order. */
export function digestsOf(entries: readonly ChartEntry[]): IndexDigests {
  const charts = entries.map(({ name, versions }) => {
    return [name, Object.fromEntries(versions.map(({ version, digest = "" }) => [version, digest]))] as const;
  });
  return Object.fromEntries(charts);
}

/**
 * What changed between two states of an index, chart by chart in code point order. A digest that appears or disappears
 * is no change: only two different digests prove that bytes were replaced.
 */
export function diffIndex(previous: IndexDigests, current: IndexDigests): ChartChange[] {
  const names = [...new Set([...Object.keys(previous), ...Object.keys(current)])].sort();
  return names
    .map((chart) => diffChart(chart, own(previous, chart) ?? {}, own(current, chart) ?? {}))
    .filter(({ added, redigested, withdrawn }) => added.length + redigested.length + withdrawn.length > 0);
}

function diffChart(
  chart: string,
  previous: Readonly<Record<string, string>>,
  current: Readonly<Record<string, string>>,
): ChartChange {
  const versions = Object.keys(current);
  const redigested = versions.flatMap((version) => {
    const [before, now] = [own(previous, version), own(current, version)];
    return before && now && before !== now ? [{ version, before, now }] : [];
  });
  return {
    chart,
    added: versions.filter((version) => own(previous, version) === undefined),
    redigested,
    withdrawn: Object.keys(previous).filter((version) => own(current, version) === undefined),
  };
}
