import { sha256 } from "../digest.ts";
import type { Event } from "../event.ts";
import { VersionStateChanged } from "../events/version.ts";
import { subjectOf } from "../resource.ts";
import { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import { LABEL } from "../resources/labels.ts";
import type { Action, ReviewStep, VersionState } from "./states.ts";

/** One entry of a version's history. */
export type AuditEntry = NonNullable<NonNullable<HelmApplicationVersion["status"]>["audit"]>[number];

/** Who did what: the part of an entry that the act decides; the rest follows from the history before it. */
export interface Deed {
  readonly action?: Action;
  readonly step?: ReviewStep;
  readonly from?: VersionState;
  /** State after the act; absent when the version goes. */
  readonly to?: VersionState;
  readonly time: string;
  readonly event: string;
  readonly operator?: string | undefined;
  readonly message?: string | undefined;
}

/** How many audit entries an object keeps (KubeSphere §1.10); the history stream keeps all. */
const AUDIT_LIMIT = 10;

/** The part of a version that its history is about. */
export type Audited = Pick<HelmApplicationVersion, "metadata" | "status">;

/** The entry that a deed makes: numbered, and sealed with the hash of the one before. */
export function auditEntry(version: Audited, deed: Deed): AuditEntry {
  const before = version.status?.audit ?? [];
  const [newest] = before;
  const { to, operator, message, ...rest } = deed;
  const entry = {
    // Half a character would come back as another one, and the seal would be broken.
    ...(message === undefined ? {} : { message: message.toWellFormed() }),
    ...(to === undefined ? {} : { state: to }),
    ...rest,
    ...(operator === undefined ? {} : { operator }),
    // Entries from before the store's time carry no number: they are counted.
    sequence: (newest?.sequence ?? before.length) + 1,
    previous: newest?.hash ?? "",
  };
  return { ...entry, hash: sealOf(version.metadata.name, entry) };
}

/** Who made a version, when, and by which event. */
export interface Making {
  readonly name: string;
  readonly time: string;
  readonly event: string;
  readonly operator?: string;
}

/** The first entry of every history: the version was made. */
export function draftEntry({ name, ...making }: Making): AuditEntry {
  return auditEntry({ metadata: { name } }, { to: "draft", ...making });
}

/** The audit list with a new entry at its head. */
export function withEntry(audit: readonly AuditEntry[] | undefined, entry: AuditEntry): AuditEntry[] {
  return [entry, ...(audit ?? [])].slice(0, AUDIT_LIMIT);
}

/** The hash of an entry: SHA-256 over its fields in a fixed order, the version's name and the hash before. */
export function sealOf(version: string, entry: AuditEntry): string {
  const { sequence, previous, action, step, from, state, operator, time, event, message } = entry;
  const fields = [version, sequence, previous, action, step, from, state, operator, time, event, message];
  return sha256(JSON.stringify(fields.map((field) => field ?? null)));
}

/** Numbers of the entries (newest first) that do not follow from the one before; empty where the history is whole. */
export function brokenSeals(version: string, entries: readonly AuditEntry[]): readonly number[] {
  return entries.flatMap((entry, index) => {
    if (entry.sequence === undefined) return [];
    const before = entries[index + 1];
    const number = before?.sequence ?? entry.sequence - 1;
    const follows = !before || (number === entry.sequence - 1 && (before.hash ?? "") === entry.previous);
    return follows && entry.hash === sealOf(version, entry) ? [] : [entry.sequence];
  });
}

/** The entry that an event made in an earlier attempt, so that it is told again instead of done again. */
export function repeatedEntry(
  { status }: HelmApplicationVersion,
  event: Event,
  action: Action,
): AuditEntry | undefined {
  // Ids that people make up are alike for different acts; those would otherwise be taken for repeats.
  return status?.audit?.find((entry) => entry.event === event.id && entry.action === action);
}

/** The fact that an act was accepted; entries that KubeSphere wrote have no seal to tell of. */
export function stateChanged({ metadata }: Pick<HelmApplicationVersion, "metadata">, entry: AuditEntry) {
  const app = metadata.labels?.[LABEL.appId] ?? "";
  const { state, from, operator, message } = entry;
  return VersionStateChanged.of(
    subjectOf(HelmApplicationVersion, metadata),
    {
      version: metadata.name,
      app,
      from: from ?? null,
      to: state ?? null,
      ...(operator === undefined ? {} : { operator }),
      ...(message === undefined ? {} : { message }),
      ...sealIn(entry),
    },
    { partitionkey: app || metadata.name },
  );
}

function sealIn({ action, step, time, event, sequence, previous = "", hash = "" }: AuditEntry) {
  if (sequence === undefined) return {};
  const audit = {
    ...(action === undefined ? {} : { action }),
    ...(step === undefined ? {} : { step }),
    time,
    ...(event === undefined ? {} : { event }),
    sequence,
    previous,
    hash,
  };
  return { audit };
}
