import type { History } from "../../shared/history-port.ts";
import type { AuditEntry } from "../../shared/lifecycle/audit.ts";
import type { AcceptedRecord, RefusedRecord } from "../../shared/lifecycle/history.ts";
import type { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import type { Call } from "./call.ts";

/** One entry of a version's history. */
export interface HistoryEntry {
  readonly version: HelmApplicationVersion;
  readonly entry: AuditEntry;
}

/**
 * The whole history of versions, newest first: what the stream keeps, joined with what the objects keep, which is all
 * there is of acts from before the store's time.
 */
export async function historyOf(
  { ports }: Call,
  versions: readonly HelmApplicationVersion[],
): Promise<readonly HistoryEntry[]> {
  const recorded = await recordsOf(ports.history, versions);
  const entries = versions.map((version) => {
    const records = recorded.get(version.metadata.name) ?? [];
    return joined(version.status?.audit ?? [], records.flatMap(entryOf)).map((entry) => ({ version, entry }));
  });
  return entries.flat().sort(newestFirst);
}

/** By time, and by number where that is the same. */
function newestFirst({ entry: a }: HistoryEntry, { entry: b }: HistoryEntry): number {
  return Date.parse(b.time) - Date.parse(a.time) || (b.sequence ?? 0) - (a.sequence ?? 0);
}

type Kept = AcceptedRecord | RefusedRecord;

/** One look for one version; for more of an application one look for all of them. */
async function recordsOf(
  history: History,
  versions: readonly HelmApplicationVersion[],
): Promise<ReadonlyMap<string, readonly Kept[]>> {
  const byApp = Map.groupBy(versions, ({ metadata }) => metadata.labels?.[LABEL.appId] ?? "");
  const read = await Promise.all(
    [...byApp].map(([app, each]) => history.read(app, each.length === 1 ? each[0]?.metadata.name : undefined)),
  );
  return Map.groupBy(read.flat() as readonly Kept[], ({ version }) => version);
}

/**
 * What the object does not keep any more comes from the stream; entries without a number only the object has. A version
 * that was deleted and made again has two entries of one number, which their seals tell apart.
 */
function joined(kept: readonly AuditEntry[], recorded: readonly AuditEntry[]): readonly AuditEntry[] {
  const known = new Set(kept.map(sealOf));
  return [...kept, ...recorded.filter((entry) => !known.has(sealOf(entry)))];
}

function sealOf({ sequence, hash }: AuditEntry): string {
  return `${sequence} ${hash}`;
}

function entryOf(record: AcceptedRecord | RefusedRecord): readonly AuditEntry[] {
  if (record.outcome === "refused" || !record.audit) return [];
  const { from, to, operator, message, audit } = record;
  return [
    {
      ...audit,
      ...(to === null ? {} : { state: to }),
      ...(from === null ? {} : { from }),
      ...(operator === undefined ? {} : { operator }),
      ...(message === undefined ? {} : { message }),
    },
  ];
}
