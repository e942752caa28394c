import { originalApp } from "../../shared/charts/ids.ts";
import { apply, change, type Decision, replaceStatus } from "../../shared/decision.ts";
import type { Event } from "../../shared/event.ts";
import { AppChanged, AppDeleted } from "../../shared/events/app.ts";
import { CategoryCreated, CategoryDeleted } from "../../shared/events/category.ts";
import { ReleaseChanged, ReleaseRequested } from "../../shared/events/release.ts";
import { RepoSyncRequested } from "../../shared/events/repo.ts";
import { ResourceChanged } from "../../shared/events/resource.ts";
import { VersionCreated, VersionStateChanged } from "../../shared/events/version.ts";
import { WorkspaceDeleted } from "../../shared/events/workspace.ts";
import { defineFunction } from "../../shared/function.ts";
import { isFromRepository, stateOf } from "../../shared/lifecycle/act.ts";
import { auditEntry, stateChanged } from "../../shared/lifecycle/audit.ts";
import { freed, isLeaving } from "../../shared/lifecycle/finalizers.ts";
import { releaseMark, releasePlan } from "../../shared/lifecycle/release-plan.ts";
import { syncDue } from "../../shared/lifecycle/sync-schedule.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { HelmRequest } from "../../shared/resources/helm-request.ts";
import { ANNOTATION, FINALIZER, LABEL, STORE_REPO } from "../../shared/resources/labels.ts";
import { appFacts, categoryFacts, goneFacts } from "./administered.ts";
import { createdFacts, draftStatus } from "./new-version.ts";

type Emitted =
  | typeof RepoSyncRequested.type
  | typeof ReleaseRequested.type
  | typeof ReleaseChanged.type
  | typeof VersionCreated.type
  | typeof VersionStateChanged.type
  | typeof AppChanged.type
  | typeof AppDeleted.type
  | typeof CategoryCreated.type
  | typeof CategoryDeleted.type
  | typeof WorkspaceDeleted.type;

type Found = HelmRepo | HelmRequest | HelmRelease | HelmApplicationVersion | HelmApplication | HelmCategory;

interface World {
  readonly object: Found | undefined;
  /** The application of which the store's copy is gone. */
  readonly original?: HelmApplication | undefined;
  readonly now: Date;
}

/** Turns what happened to an object into the event that its chain starts with. The object's state decides, not the change. */
export default defineFunction({
  on: ResourceChanged,
  summary: "Starts the chain that an object changed by hand is due for.",
  emits: [
    RepoSyncRequested,
    ReleaseRequested,
    ReleaseChanged,
    VersionCreated,
    VersionStateChanged,
    AppChanged,
    AppDeleted,
    CategoryCreated,
    CategoryDeleted,
    WorkspaceDeleted,
  ],
  reads: [HelmRepo, HelmRequest, HelmRelease, HelmApplicationVersion, HelmApplication, HelmCategory],
  writes: [HelmApplicationVersion, HelmApplication, HelmRepo],
  uses: ["clock"],
  timeoutMs: 20_000,
  gather: async ({ data }, { kube, clock }): Promise<World> => {
    const name = { name: data.name, ...(data.namespace === undefined ? {} : { namespace: data.namespace }) };
    const kind = KINDS.find((each) => each.kind === data.kind);
    const gone = data.change === "delete";
    const object = kind && !gone ? await kube.get(kind, name) : undefined;
    if (!gone || kind !== HelmApplication) return { object, now: clock.now() };
    return { object, original: await kube.get(HelmApplication, originalApp(data.name)), now: clock.now() };
  },
  decide: ({ object, original, now }, event): ChangeDecision => {
    const { data } = event;
    if (!object) return change({ announce: data.change === "delete" ? goneFacts({ ...data, original }) : [] });
    if (isKind(HelmApplication, object)) return appChanged(object);
    if (isKind(HelmCategory, object)) return change({ announce: categoryFacts(object) });
    if (isKind(HelmRepo, object)) return repoChanged(object, now);
    if (isKind(HelmRequest, object)) return requestChanged(object);
    if (isKind(HelmRelease, object)) return releaseChanged(object);
    return isKind(HelmApplicationVersion, object) ? versionChanged(object, event, now) : change({});
  },
});

const KINDS = [HelmRepo, HelmRequest, HelmRelease, HelmApplicationVersion, HelmApplication, HelmCategory];

type ChangeDecision = Decision<Emitted, "HelmApplicationVersion" | "HelmApplication" | "HelmRepo">;

function appChanged(app: HelmApplication): ChangeDecision {
  const copy = app.metadata.labels?.[LABEL.repoId] === STORE_REPO;
  const write = copy && isLeaving(HelmApplication, app) ? freed(HelmApplication, app) : [];
  return change({ write, announce: appFacts(app) });
}

function repoChanged(repo: HelmRepo, now: Date): ChangeDecision {
  if (isLeaving(HelmRepo, repo)) return change({ write: freed(HelmRepo, repo) });
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
  const [newest] = version.status?.audit ?? [];
  const entry = newest?.action === "delete" ? newest : auditEntry(version, made);
  return change({ announce: [stateChanged(version, entry)] });
}

function held({ metadata: { name, uid = "" } }: HelmApplicationVersion) {
  return apply(HelmApplicationVersion, { metadata: { name, uid, finalizers: [FINALIZER.HelmApplicationVersion] } });
}

function isKind<O extends Found>(kind: { readonly kind: string; readonly object?: O }, object: Found): object is O {
  return object.kind === kind.kind;
}
