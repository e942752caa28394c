import { change, type Decision, refuse, replaceStatus } from "../decision.ts";
import type { Event } from "../event.ts";
import { AppActionRefused } from "../events/app.ts";
import { VersionStateChanged } from "../events/version.ts";
import type { Ports } from "../function.ts";
import { subjectOf } from "../resource.ts";
import { HelmApplication } from "../resources/helm-application.ts";
import { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import { LABEL, STORE_REPO } from "../resources/labels.ts";
import { movedStatus, stateOf } from "./act.ts";
import { repeatedEntry, stateChanged } from "./audit.ts";
import type { Action } from "./states.ts";
import { nextState, transitionOf } from "./transitions.ts";

/** What an act on an application is decided on. */
export interface AppWorld {
  readonly app: HelmApplication | undefined;
  readonly versions: readonly HelmApplicationVersion[];
  readonly now: Date;
}

/** The event data of every act on an application. */
export interface AppActData {
  readonly app: string;
  readonly message?: string | undefined;
}

/** What functions that move all versions of an application declare; `on`, `summary` and `decide` are their own. */
export const APP_ACT_FUNCTION = {
  emits: [VersionStateChanged, AppActionRefused],
  reads: [HelmApplication, HelmApplicationVersion],
  writes: [HelmApplicationVersion],
  uses: ["clock"],
  timeoutMs: 30_000,
  gather: (event: Event<AppActData>, ports: AppPorts) => gatherApp(event, ports),
} as const;

type AppPorts = Ports<typeof HelmApplication | typeof HelmApplicationVersion, "clock">;

/** Reads an application with its versions. */
export async function gatherApp({ data }: Event<AppActData>, { kube, clock }: AppPorts): Promise<AppWorld> {
  const [app, versions] = await Promise.all([
    kube.get(HelmApplication, data.app),
    kube.list(HelmApplicationVersion, { labels: { [LABEL.appId]: data.app } }),
  ]);
  return { app, versions, now: clock.now() };
}

type AppDecision = Decision<typeof VersionStateChanged.type | typeof AppActionRefused.type, "HelmApplicationVersion">;

/** Moves all versions of an application that the action can move, each with an entry of its own; refuses where none is. */
export function actOnVersions(action: Action, world: AppWorld, event: Event<AppActData>): AppDecision {
  const { app, versions, now } = world;
  const name = event.data.app;
  if (!app)
    return refuseApp(action, event, { reason: "ApplicationNotFound", why: `no HelmApplication is called ${name}` });
  const repo = app.metadata.labels?.[LABEL.repoId];
  if (repo && repo !== STORE_REPO) {
    const why = `application ${name} follows repository ${repo}`;
    return refuseApp(action, event, { reason: "Immutable", why });
  }
  const repeated = versions.flatMap((version) => {
    const entry = repeatedEntry(version, event, action);
    return entry ? [stateChanged(version, entry)] : [];
  });
  const moved = versions.flatMap((version) => {
    const state = nextState(action, stateOf(version));
    const over =
      version.metadata.deletionTimestamp !== undefined || repeatedEntry(version, event, action) !== undefined;
    if (!state || over) return [];
    return [
      {
        version,
        ...movedStatus(version, { action, event: asVersionAct(event, version), moved: { ok: true, state }, now }),
      },
    ];
  });
  if (repeated.length + moved.length === 0) {
    const why = `application ${name} has no version that is ${transitionOf(action).from.join(" or ")}; ${action} needs one`;
    return refuseApp(action, event, { reason: "IllegalTransition", why });
  }
  return change({
    write: moved.map(({ version, status }) => replaceStatus(HelmApplicationVersion, version, status)),
    announce: [...repeated, ...moved.map(({ version, entry }) => stateChanged(version, entry))],
  });
}

function asVersionAct(event: Event<AppActData>, { metadata }: HelmApplicationVersion) {
  return { ...event, data: { version: metadata.name, message: event.data.message } };
}

/** Refuses an act on an application, with the fact that says so. */
export function refuseApp(
  action: string,
  { data, operator }: Event<AppActData>,
  { reason, why }: { readonly reason: string; readonly why: string },
) {
  const told = { app: data.app, action, reason, message: why, ...(operator === undefined ? {} : { operator }) };
  const fact = AppActionRefused.of(subjectOf(HelmApplication, { name: data.app }), told);
  return refuse(reason, why, { announce: [fact] });
}
