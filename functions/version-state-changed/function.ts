import { change, create, type Decision, replaceStatus, type Write, wait } from "../../shared/decision.ts";
import { AppChanged } from "../../shared/events/app.ts";
import { VersionStateChanged } from "../../shared/events/version.ts";
import { defineFunction } from "../../shared/function.ts";
import { isYoung, stateOf } from "../../shared/lifecycle/act.ts";
import { appStateOf, latestVersionOf } from "../../shared/lifecycle/app-state.ts";
import type { AppState } from "../../shared/lifecycle/states.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { LABEL, STORE_REPO, STORE_SUFFIX, UNCATEGORIZED } from "../../shared/resources/labels.ts";

interface World {
  readonly app: HelmApplication | undefined;
  readonly copy: HelmApplication | undefined;
  readonly versions: readonly HelmApplicationVersion[];
  readonly now: Date;
}

/** An application follows its versions. */
export default defineFunction({
  on: VersionStateChanged,
  summary: "Derives an application's state and latest version, and keeps the store's copy of it.",
  emits: [AppChanged],
  reads: [HelmApplication, HelmApplicationVersion],
  writes: [HelmApplication],
  uses: ["clock"],
  timeoutMs: 20_000,
  gather: async ({ data }, { kube, clock }): Promise<World> => {
    // A version that was made by hand may carry no label that says whose it is.
    if (data.app === "") return { app: undefined, copy: undefined, versions: [], now: clock.now() };
    const [app, copy, versions] = await Promise.all([
      kube.get(HelmApplication, data.app),
      kube.get(HelmApplication, `${data.app}${STORE_SUFFIX}`),
      kube.list(HelmApplicationVersion, { labels: { [LABEL.appId]: data.app } }),
    ]);
    return { app, copy, versions, now: clock.now() };
  },
  decide: (world, event): Decision<typeof AppChanged.type, "HelmApplication"> => {
    const { app, versions, now } = world;
    if (!app) return event.data.app !== "" && isYoung(event, now) ? wait("ApplicationNotFound") : change({});
    const state = appStateOf(versions);
    const latestVersion = latestVersionOf(versions);
    const write = [...statusWrite(app, { state, latestVersion, now }), ...storeCopy(app, world, state)];
    const subject = subjectOf(HelmApplication, { name: event.data.app });
    return change({ write, announce: [AppChanged.of(subject, { app: event.data.app, state, latestVersion })] });
  },
});

type Status = NonNullable<HelmApplication["status"]>;

interface Derived {
  readonly state: AppState;
  readonly latestVersion: string;
  readonly now: Date;
}

/** The status of one copy, or nothing where it already says the same (KubeSphere §2.7, §2.8). */
function derivedStatus(before: Status | undefined, { state, latestVersion, now }: Derived): Status | undefined {
  if (before?.state === state && before.latestVersion === latestVersion) return undefined;
  const time = now.toISOString();
  return {
    ...before,
    state,
    latestVersion,
    statusTime: before?.state === state ? before.statusTime : time,
    updateTime: time,
  };
}

function statusWrite(app: HelmApplication, derived: Derived): readonly Write<"HelmApplication">[] {
  const status = derivedStatus(app.status, derived);
  return status ? [replaceStatus(HelmApplication, app, status)] : [];
}

/**
 * 3.4 clients read the store from a copy of the application, whose latest version is an active one (KubeSphere §2.9).
 * The copy goes with the application (§1.7).
 */
function storeCopy(
  app: HelmApplication,
  { copy, versions, now }: World,
  state: AppState,
): readonly Write<"HelmApplication">[] {
  const active = versions.filter((version) => stateOf(version) === "active");
  const derived = { state, latestVersion: latestVersionOf(active), now };
  if (copy) return statusWrite(copy, derived);
  if (state === "draft") return [];
  const { [LABEL.workspace]: workspace = "", ...labels } = app.metadata.labels ?? {};
  const status = derivedStatus(undefined, derived);
  const metadata = {
    name: `${app.metadata.name}${STORE_SUFFIX}`,
    ...(app.metadata.annotations ? { annotations: app.metadata.annotations } : {}),
    labels: {
      [LABEL.categoryId]: UNCATEGORIZED,
      ...labels,
      [LABEL.repoId]: STORE_REPO,
      [LABEL.workspaceOrigin]: workspace,
    },
  };
  const owner = { kind: HelmApplication, name: app.metadata.name };
  return [create(HelmApplication, { metadata, spec: app.spec, ...(status ? { status } : {}) }, owner)];
}
