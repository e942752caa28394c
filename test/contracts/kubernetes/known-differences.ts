import { readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** What a check is held against: the laptop's API, a whole cluster, or an API server without any controller. */
export type Side = (typeof sides)[number];

/** The sides that the list may name. */
export const sides = ["laptop", "cluster", "api-server"] as const;

/** A check, or a group of them, that one side does not pass. */
interface Difference {
  /** File, groups and title, joined by " > ". */
  readonly checks: string;
  readonly side: string;
  readonly reason: string;
}

/** As much of a check as its name takes. */
export interface Check {
  readonly fullTestName: string;
  readonly file: { readonly filepath: string };
}

/** The list that `known-differences.md` keeps. */
export const differences: readonly Difference[] = readDifferences();

/** Why a check is not held against this side; undefined holds it. */
export function knownDifference(side: Side, check: Check, list = differences): string | undefined {
  const name = `${basename(check.file.filepath, ".test.ts")} > ${check.fullTestName}`;
  return list.find((one) => one.side === side && `${name} > `.startsWith(`${one.checks} > `))?.reason;
}

function readDifferences(): readonly Difference[] {
  const text = readFileSync(join(import.meta.dirname, "known-differences.md"), "utf8");
  const rows = [...text.matchAll(/^\| `(?<checks>[^`]+)` \| (?<side>\S+) \| (?<reason>.+) \|$/gmu)];
  return rows.map(({ groups = {} }) => {
    const { checks = "", side = "", reason = "" } = groups;
    return { checks, side, reason };
  });
}
