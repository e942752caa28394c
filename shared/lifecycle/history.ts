import type { EventOf } from "../event.ts";
import type { VersionActionRefused, VersionStateChanged } from "../events/version.ts";
import type { HistoryRecord } from "../history-port.ts";

/** What the history keeps of an accepted act. */
export type AcceptedRecord = { readonly outcome: "accepted" } & EventOf<typeof VersionStateChanged>["data"];

/** What the history keeps of a refused act. */
export type RefusedRecord = { readonly outcome: "refused"; readonly time: string } & EventOf<
  typeof VersionActionRefused
>["data"];

/** The record of an accepted act: one for each number in the version's history. */
export function versionRecord({ data }: EventOf<typeof VersionStateChanged>): readonly HistoryRecord[] {
  if (!data.audit) return [];
  const kept: AcceptedRecord = { outcome: "accepted", ...data };
  return [{ group: data.app, object: data.version, key: String(data.audit.sequence), data: kept }];
}

/** The record of a refused act: one for each event that was refused. */
export function refusalRecord(event: EventOf<typeof VersionActionRefused>): readonly HistoryRecord[] {
  const { data, id, time = "" } = event;
  const kept: RefusedRecord = { outcome: "refused", time, ...data };
  return [{ group: data.app ?? "", object: data.version, key: `refused-${id}`, data: kept }];
}
