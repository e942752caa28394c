import { apply, change, type Decision, replaceStatus } from "../../shared/decision.ts";
import type { Event } from "../../shared/event.ts";
import { ReleaseChanged, ReleaseRequested } from "../../shared/events/release.ts";
import { RepoSyncRequested } from "../../shared/events/repo.ts";
import { ResourceChanged } from "../../shared/events/resource.ts";
import { VersionCreated, VersionStateChanged } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { isFromRepository, stateOf } from "../../shared/lifecycle/act.ts";
import { auditEntry, stateChanged } from "../../shared/lifecycle/audit.ts";
import { releaseMark, releasePlan } from "../../shared/lifecycle/release-plan.ts";
import { syncDue } from "../../shared/lifecycle/sync-schedule.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { HelmRequest } from "../../shared/resources/helm-request.ts";
import { ANNOTATION, FINALIZER, LABEL } from "../../shared/resources/labels.ts";
import { createdFacts, draftStatus } from "./new-version.ts";

type Emitted =
  | typeof RepoSyncRequested.type
  | typeof ReleaseRequested.type
  | typeof ReleaseChanged.type
  | typeof VersionCreated.type
  | typeof VersionStateChanged.type;

type Found = HelmRepo | HelmRequest | HelmRelease | HelmApplicationVersion;

interface World {
  readonly object: Found | undefined;
  readonly now: Date;
}

/** Turns what happened to an object into the event that its chain starts with. The object's state decides, not the change. */
export default defineFunction({
  on: ResourceChanged,
  summary: "Starts the chain that an object changed by hand is due for.",
  emits: [RepoSyncRequested, ReleaseRequested, ReleaseChanged, VersionCreated, VersionStateChanged],
  reads: [HelmRepo, HelmRequest, HelmRelease, HelmApplicationVersion],
  writes: [HelmApplicationVersion],
  uses: ["clock"],
  timeoutMs: 20_000,
  gather: async ({ data }, { kube, clock }): Promise<World> => {
    const name = { name: data.name, ...(data.namespace === undefined ? {} : { namespace: data.namespace }) };
    const kind = KINDS.find((each) => each.kind === data.kind);
    const object = kind && data.change !== "delete" ? await kube.get(kind, name) : undefined;
    return { object, now: clock.now() };
  },
  decide: ({ object, now }, event): Decision<Emitted, "HelmApplicationVersion"> => {
    if (!object) return change({});
    if (isKind(HelmRepo, object)) return repoChanged(object, now);
    if (isKind(HelmRequest, object)) return requestChanged(object);
    if (isKind(HelmRelease, object)) return releaseChanged(object);
    return isKind(HelmApplicationVersion, object) ? versionChanged(object, event, now) : change({});
  },
});

const KINDS = [HelmRepo, HelmRequest, HelmRelease, HelmApplicationVersion];

type ChangeDecision = Decision<Emitted, "HelmApplicationVersion">;

function repoChanged(repo: HelmRepo, now: Date): ChangeDecision {
  const reason = syncDue(repo, now);
  if (!reason) return change({});
  return change({
    announce: [RepoSyncRequested.of(subjectOf(HelmRepo, repo.metadata), { repo: repo.metadata.name, reason })],
  });
}

function requestChanged({ metadata, status }: HelmRequest): ChangeDecision {
  if (metadata.deletionTimestamp !== undefined || status?.observedGeneration === metadata.generation) return change({});
  return change({ announce: [ReleaseRequested.of(subjectOf(HelmRequest, metadata), { request: metadata.name })] });
}

function releaseChanged(release: HelmRelease): ChangeDecision {
  const plan = releasePlan(release);
  const announced = release.metadata.annotations?.[ANNOTATION.announcedMark] === releaseMark(release);
  if (plan === "none" || (plan === "deploy" && announced)) return change({});
  const { name, namespace = "" } = release.metadata;
  return change({
    announce: [ReleaseChanged.of(subjectOf(HelmRelease, release.metadata), { namespace, release: name })],
  });
}

function versionChanged(version: HelmApplicationVersion, event: Event, now: Date): ChangeDecision {
  if (isFromRepository(version)) return repositoryVersionChanged(version);
  if (version.metadata.deletionTimestamp !== undefined) return versionLeaving(version, event, now);
  // A version with a package is being made by package-uploaded, which sets its state itself.
  if (version.spec.package !== undefined) return change({});
  const first = version.status?.audit?.at(-1);
  if (version.status?.state) return change({ announce: first?.event === event.id ? createdFacts(version) : [] });
  const status = draftStatus(version, event.id);
  return change({
    write: [replaceStatus(HelmApplicationVersion, version, status), held(version)],
    announce: createdFacts({ ...version, status }),
  });
}

/** Versions of repositories follow their index; only what a person decided about one in quarantine has to be carried out. */
function repositoryVersionChanged({ metadata }: HelmApplicationVersion): ChangeDecision {
  const { [LABEL.repoId]: repo = "", [LABEL.indexState]: state } = metadata.labels ?? {};
  if (state !== "quarantined" || metadata.annotations?.[ANNOTATION.acceptDigest] === undefined) return change({});
  const data = { repo, reason: "requested" as const, force: true };
  return change({ announce: [RepoSyncRequested.of(subjectOf(HelmRepo, { name: repo }), data)] });
}

/** Whoever deletes a version, its application is counted again before the version goes. */
function versionLeaving(version: HelmApplicationVersion, event: Event, now: Date): ChangeDecision {
  const finalizers = version.metadata.finalizers ?? [];
  if (!finalizers.includes(FINALIZER.HelmApplicationVersion)) return change({});
  const made = { action: "delete" as const, from: stateOf(version), time: now.toISOString(), event: event.id };
  return change({ announce: [stateChanged(version, auditEntry(version, made))] });
}

function held({ metadata: { name, uid = "" } }: HelmApplicationVersion) {
  return apply(HelmApplicationVersion, { metadata: { name, uid, finalizers: [FINALIZER.HelmApplicationVersion] } });
}

function isKind<O extends Found>(kind: { readonly kind: string; readonly object?: O }, object: Found): object is O {
  return object.kind === kind.kind;
}
