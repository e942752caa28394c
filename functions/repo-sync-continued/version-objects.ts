import { excerpt } from "../../shared/charts/excerpt.ts";
import type { SavedVersion } from "../../shared/charts/kubesphere-index.ts";
import { type Condition, type ConditionInput, findCondition, setConditions } from "../../shared/conditions.ts";
import { remove, replace, replaceStatus, type Write } from "../../shared/decision.ts";
import { sameJson } from "../../shared/equal.ts";
import { createVersion, type IndexState, plainDigest, versionSpec } from "../../shared/lifecycle/repository-version.ts";
import { present } from "../../shared/present.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import type { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { ANNOTATION, LABEL } from "../../shared/resources/labels.ts";
import type { ChartWork, WriteWorld } from "./world.ts";

type VersionWrite = Write<"HelmApplicationVersion">;
type Spec = HelmApplicationVersion["spec"];

/** What becomes of the versions of one chart. */
export interface VersionOutcome {
  readonly writes: readonly VersionWrite[];
  /** Names of the objects that stay or come, with how those stand that stand out. */
  readonly standing: ReadonlyMap<string, IndexState | undefined>;
}

/** What decides about objects that the index does not ask for. */
export type VersionWorld = Pick<WriteWorld, "repo" | "used" | "now"> & { readonly limit: number };

/** A version that was made a moment ago may be for a release that is not there yet. */
const YOUNG_MS = 10 * 60_000;

/** Brings the objects of a chart's versions to the index: the newest are there, what releases use stays. */
export function versionWrites(work: ChartWork, world: VersionWorld): VersionOutcome {
  const { repo, limit } = world;
  const window = new Set(work.wanted.slice(0, limit).map(({ verId }) => verId));
  const existing = new Set(work.versions.map(({ metadata }) => metadata.name));
  const listed = new Map(work.wanted.map((version) => [version.verId, version]));
  const missing = work.wanted.slice(0, limit).filter(({ verId }) => !existing.has(verId));
  const writes = missing.map((version) => createVersion(repo, { appId: work.appId, version }));
  const standing = new Map<string, IndexState | undefined>(missing.map(({ verId }) => [verId, undefined]));
  for (const version of work.versions) {
    const { name } = version.metadata;
    const entry = listed.get(name);
    const newest = window.has(name);
    if (!newest && !isNeeded(version, world)) writes.push(remove(HelmApplicationVersion, version));
    else {
      const kept = entry ? inIndex(version, entry, newest) : withdrawn(version);
      writes.push(...keptWrites(version, kept, world.now));
      standing.set(name, kept.indexState);
    }
  }
  return { writes, standing };
}

function isNeeded({ metadata, status }: HelmApplicationVersion, { used, now }: VersionWorld): boolean {
  const age = now.getTime() - Date.parse(metadata.creationTimestamp ?? "");
  // What made it withdrawn was a sync: it is no wish that somebody is about to follow.
  const young = metadata.labels?.[LABEL.indexState] === "older" && age < YOUNG_MS && status?.state === "active";
  return used.has(metadata.name) || young;
}

/** How an object is wanted that stays. */
interface Kept {
  readonly spec: Spec;
  readonly state: "active" | "suspended";
  readonly indexState: IndexState | undefined;
  readonly conditions: readonly ConditionInput[];
}

function inIndex(version: HelmApplicationVersion, entry: SavedVersion, newest: boolean): Kept {
  const offered = versionSpec(entry);
  const [held, now] = [plainDigest(version.spec.digest), plainDigest(entry.digest)];
  const moved = held !== "" && now !== "" && held !== now;
  const accepted = plainDigest(version.metadata.annotations?.[ANNOTATION.acceptDigest]) === now;
  if (moved && !accepted) return { ...quarantined(version, held, now), state: "active" };
  const conditions = [
    ...lifted(version, {
      type: "Quarantined",
      reason: moved ? "Accepted" : "SameDigest",
      message: `the digest is ${now}`,
    }),
    ...lifted(version, { type: "Withdrawn", reason: "Listed", message: "the index lists the version again" }),
  ];
  return { spec: offered, state: "active", indexState: newest ? undefined : "older", conditions };
}

/** Nobody gets other bytes under a version that is known until a person has decided. */
function quarantined({ spec, metadata }: HelmApplicationVersion, held: string, now: string) {
  const decided = metadata.annotations?.[ANNOTATION.acceptDigest];
  const wrong = decided === undefined ? "" : `; ${excerpt(decided)} was accepted, which is not offered`;
  const accept = `kubectl annotate --overwrite happver ${metadata.name} ${ANNOTATION.acceptDigest}=${now}`;
  const message = `the repository published this version again: digest ${held} keeps serving, ${now} is offered${wrong}; to take that one: ${accept}`;
  const condition = { type: "Quarantined", status: "True", reason: "DigestChanged", message } as const;
  return { spec, indexState: "quarantined" as const, conditions: [condition] };
}

function withdrawn(version: HelmApplicationVersion): Kept {
  const message =
    "the repository does not list this version any more; releases that use it keep it, new ones are refused";
  const condition = { type: "Withdrawn", status: "True", reason: "NotListed", message } as const;
  return { spec: version.spec, state: "suspended", indexState: "withdrawn", conditions: [condition] };
}

/** The end of a condition, where there was a beginning. */
function lifted({ status }: HelmApplicationVersion, { type, reason, message }: Omit<ConditionInput, "status">) {
  return findCondition(status?.conditions, type) ? [{ type, status: "False" as const, reason, message }] : [];
}

function keptWrites(version: HelmApplicationVersion, kept: Kept, now: Date): readonly VersionWrite[] {
  const metadata = keptMetadata(version, kept);
  const { spec, state } = kept;
  const writes: VersionWrite[] = [];
  if (!sameJson({ metadata, spec }, { metadata: version.metadata, spec: version.spec })) {
    writes.push(replace(HelmApplicationVersion, { ...version, metadata, spec }));
  }
  const conditions = newConditions(version.status?.conditions, kept.conditions, now);
  if (version.status?.state !== state || conditions) {
    const told = present({ conditions: conditions ?? version.status?.conditions });
    writes.push(replaceStatus(HelmApplicationVersion, version, { ...version.status, state, ...told }));
  }
  return writes;
}

/** With the label for how it stands, and without a decision that was carried out. */
function keptMetadata({ metadata }: HelmApplicationVersion, { indexState }: Kept): HelmApplicationVersion["metadata"] {
  const { [LABEL.indexState]: _, ...labels } = metadata.labels ?? {};
  const marked = { ...metadata, labels: { ...labels, ...present({ [LABEL.indexState]: indexState }) } };
  if (indexState === "quarantined" || metadata.annotations === undefined) return marked;
  const { [ANNOTATION.acceptDigest]: __, ...annotations } = metadata.annotations;
  return { ...marked, annotations };
}

/** The conditions with these in their place; `undefined` where they say the same already. */
function newConditions(
  before: readonly Condition[] | undefined,
  inputs: readonly ConditionInput[],
  now: Date,
): Condition[] | undefined {
  const news = inputs.filter(({ type, status, message }) => {
    const told = findCondition(before, type);
    return told?.status !== status || told.message !== message;
  });
  return news.length === 0 ? undefined : setConditions(before, news, now.toISOString());
}

/** The versions of a chart whose bytes a repository replaced and that nobody has accepted. */
export function quarantineOf(repo: HelmRepo, { versions, wanted }: ChartWork) {
  const listed = new Map(wanted.map((version) => [version.verId, version]));
  return versions.flatMap((version) => {
    const entry = listed.get(version.metadata.name);
    const kept = entry && inIndex(version, entry, true);
    if (kept?.indexState !== "quarantined") return [];
    const { name } = version.metadata;
    const digests = { digest: plainDigest(version.spec.digest), offered: plainDigest(entry?.digest) };
    return [{ repo: repo.metadata.name, chart: entry?.name ?? "", version: entry?.version ?? "", name, ...digests }];
  });
}
