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
  const entries = await Promise.all(
    versions.map(async (version) => {
      const group = version.metadata.labels?.[LABEL.appId] ?? "";
      const records = (await ports.history.read(group, version.metadata.name)) as readonly (
        | AcceptedRecord
        | RefusedRecord
      )[];
      return joined(version.status?.audit ?? [], records.flatMap(entryOf)).map((entry) => ({ version, entry }));
    }),
  );
  return entries.flat().sort((a, b) => Date.parse(b.entry.time) - Date.parse(a.entry.time));
}

/** What the object does not keep any more comes from the stream; entries without a number only the object has. */
function joined(kept: readonly AuditEntry[], recorded: readonly AuditEntry[]): readonly AuditEntry[] {
  const numbers = new Set(kept.map(({ sequence }) => sequence));
  return [...kept, ...recorded.filter(({ sequence }) => !numbers.has(sequence))];
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
