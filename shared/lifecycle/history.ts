import type { EventOf } from "../event.ts";
import { type VersionActionRefused, VersionStateChanged } from "../events/version.ts";
import type { HistoryRecord } from "../history-port.ts";
import type { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import { stateChanged } from "./audit.ts";

/** What the history keeps of an accepted act. */
export type AcceptedRecord = { readonly outcome: "accepted" } & EventOf<typeof VersionStateChanged>["data"];

/** What the history keeps of a refused act. */
export type RefusedRecord = {
  readonly outcome: "refused";
  readonly time: string;
  /** Id of the event that carried the act. */
  readonly event?: string;
} & EventOf<typeof VersionActionRefused>["data"];

type StateChanged = EventOf<typeof VersionStateChanged>["data"];

/** The record of an accepted act: one for each entry of the version's history, and one for its end. */
export function versionRecord({ data }: { readonly data: StateChanged }): readonly HistoryRecord[] {
  if (!data.audit) return [];
  const kept: AcceptedRecord = { outcome: "accepted", ...data };
  return [{ group: data.app, object: data.version, key: keyOf(data.audit, data.to), data: kept }];
}

/**
 * Versions are made anew under old names and begin at number one again, so the seal tells lives apart. A deletion is
 * told by whoever comes across it, each with words of its own: there the entry before tells them apart.
 */
function keyOf({ sequence, hash, previous }: NonNullable<StateChanged["audit"]>, to: StateChanged["to"]): string {
  const seal = (text: string) => text.replace("sha256:", "").slice(0, 16);
  return to === null ? `${sequence}-gone-${seal(previous)}` : `${sequence}-${seal(hash)}`;
}

/**
 * Records of all that a version's object tells of itself, for when it goes: an act whose fact was not announced yet
 * would otherwise go with it.
 */
export function lastRecords(version: HelmApplicationVersion): readonly HistoryRecord[] {
  const numbered = (version.status?.audit ?? []).filter(({ sequence }) => sequence !== undefined);
  return numbered.flatMap((entry) => {
    const data = VersionStateChanged.data.parse(stateChanged(version, entry).data);
    return versionRecord({ data });
  });
}

/**
 * The record of a refused act: one for each event that was refused. They have a group of their own: somebody who asks
 * for the impossible without end shall not make what happened unreadable.
 */
export function refusalRecord(event: EventOf<typeof VersionActionRefused>): readonly HistoryRecord[] {
  const { data, id, time = "", causationid } = event;
  const cause = causationid === undefined ? {} : { event: causationid };
  const kept: RefusedRecord = { outcome: "refused", time, ...cause, ...data };
  return [{ group: `refused:${data.app ?? ""}`, object: data.version, key: `refused-${id}`, data: kept }];
}
