import { change, type Decision, last, replace, type Write, wait } from "../../shared/decision.ts";
import type { EventOf } from "../../shared/event.ts";
import { AppChanged } from "../../shared/events/app.ts";
import { VersionStateChanged } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { isYoung, stateOf } from "../../shared/lifecycle/act.ts";
import { appStateOf, latestVersionOf } from "../../shared/lifecycle/app-state.ts";
import { lastRecords, versionRecord } from "../../shared/lifecycle/history.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { FINALIZER, LABEL, STORE_SUFFIX } from "../../shared/resources/labels.ts";
import { derivedFrom, statusWrite } from "./derived.ts";
import { storeCopy } from "./store-copy.ts";
import type { World } from "./world.ts";

type StateChanged = EventOf<typeof VersionStateChanged>;
type FollowDecision = Decision<typeof AppChanged.type, "HelmApplication" | "HelmApplicationVersion">;

/** An application follows its versions, and the history keeps what happened to them. */
export default defineFunction({
  on: VersionStateChanged,
  summary: "Derives an application's state and latest version, keeps the store's copy of it, and records the act.",
  emits: [AppChanged],
  reads: [HelmApplication, HelmApplicationVersion],
  writes: [HelmApplication, HelmApplicationVersion],
  uses: ["clock"],
  timeoutMs: 20_000,
  gather: async ({ data }, { kube, clock }): Promise<World> => {
    if (data.app === "") {
      // A version that was made by hand may carry no label that says whose it is.
      const version = await kube.get(HelmApplicationVersion, data.version);
      return { app: undefined, copy: undefined, versions: version ? [version] : [], now: clock.now() };
    }
    // The applications first: whoever derives from an older list then finds them changed.
    const [app, copy] = await Promise.all([
      kube.get(HelmApplication, data.app),
      kube.get(HelmApplication, `${data.app}${STORE_SUFFIX}`),
    ]);
    const versions = await kube.list(HelmApplicationVersion, { labels: { [LABEL.appId]: data.app } });
    return { app, copy, versions, now: clock.now() };
  },
  decide: (world, event): FollowDecision => {
    if (world.app) return follow(world.app, world, event);
    const record = recordsOf(world, event);
    const { app, to } = event.data;
    if (app !== "" && to !== null && isYoung(event, world.now)) return wait("ApplicationNotFound", { record });
    return change({ write: leaving(world, event).map(released), record });
  },
});

function follow(app: HelmApplication, world: World, event: StateChanged): FollowDecision {
  const { versions, now } = world;
  const state = appStateOf(versions);
  const latestVersion = latestVersionOf(versions);
  const active = latestVersionOf(versions.filter((version) => stateOf(version) === "active"));
  const derived = { state, latestVersion, derivedFrom: derivedFrom(versions), now };
  const entered = event.data.to === "active";
  const copy = storeCopy(app, world, { derived: { ...derived, latestVersion: active }, entered });
  const name = event.data.app;
  return change({
    write: [...statusWrite(app, derived), ...copy, ...leaving(world, event).map(released)],
    record: recordsOf(world, event),
    announce: [AppChanged.of(subjectOf(HelmApplication, { name }), { app: name, state, latestVersion })],
  });
}

function recordsOf(world: World, event: StateChanged) {
  return [...leaving(world, event).flatMap(lastRecords), ...versionRecord(event)];
}

/** Versions that were only waiting to be counted out, once their own deletion is what is told: then it is recorded. */
function leaving({ versions }: World, { data }: StateChanged): readonly HelmApplicationVersion[] {
  return versions.filter(({ metadata: { name, deletionTimestamp, finalizers = [] } }) => {
    const told = data.to === null && data.audit !== undefined && name === data.version;
    return told && deletionTimestamp !== undefined && finalizers.includes(FINALIZER.HelmApplicationVersion);
  });
}

function released(version: HelmApplicationVersion): Write<"HelmApplicationVersion"> {
  const { finalizers = [] } = version.metadata;
  const kept = finalizers.filter((finalizer) => finalizer !== FINALIZER.HelmApplicationVersion);
  return last(replace(HelmApplicationVersion, { ...version, metadata: { ...version.metadata, finalizers: kept } }));
}
