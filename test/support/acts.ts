import { expect, it } from "vitest";
import type { Decision } from "../../shared/decision.ts";
import type { Event } from "../../shared/event.ts";
import type { ActData, ActDecision, ActWorld } from "../../shared/lifecycle/act.ts";
import type { AppActData, AppWorld } from "../../shared/lifecycle/app-act.ts";
import type { VersionState } from "../../shared/lifecycle/states.ts";
import { readStoreSettings } from "../../shared/lifecycle/store-settings.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { announcedBy, given, LONG_AGO, NOW, writesOf, writtenBy } from "./objects.ts";

/** What is expected of a function that carries out one act. */
export interface ExpectedAct {
  readonly event: Event<ActData>;
  readonly from: VersionState;
  readonly to: VersionState;
}

/** The settings of a store that says nothing about its reviews. */
export const ONE_STEP = readStoreSettings(undefined);

/** A version in that state. */
export function versionIn(state: VersionState): HelmApplicationVersion {
  return given(HelmApplicationVersion, "appv-1", { spec: {}, status: { state } });
}

/** Tests that a function makes its move and no other. */
export function itActs(
  subject: { decide(world: ActWorld, event: Event<ActData>): ActDecision },
  { event, from, to }: ExpectedAct,
): void {
  it(`moves a version from ${from} to ${to} and says so`, () => {
    const decision = subject.decide({ version: versionIn(from), settings: ONE_STEP, now: NOW }, event);
    expect(writtenBy(decision, "replaceStatus")).toMatchObject([
      { status: { state: to, audit: [{ event: event.id }] } },
    ]);
    expect(announcedBy(decision)).toEqual(["version.state.changed"]);
  });

  it("refuses an act that is not legal and leaves the state alone", () => {
    const decision = subject.decide(
      { version: versionIn("suspended"), settings: ONE_STEP, now: NOW },
      { ...event, time: LONG_AGO },
    );
    expect(decision).toMatchObject({ outcome: "refuse", reason: "IllegalTransition" });
    expect(writtenBy(decision, "replaceStatus")).toMatchObject([{ status: { state: "suspended" } }]);
    expect(writesOf(decision)).toEqual(["replaceStatus helmapplicationversions/appv-1"]);
    expect(announcedBy(decision)).toEqual(["version.action.refused"]);
  });
}

/** Tests that a function moves the versions of an application that can be moved, and those alone. */
export function itActsOnVersions(
  subject: { decide(world: AppWorld, event: Event<AppActData>): Decision },
  { event, from }: { readonly event: Event<AppActData>; readonly from: VersionState },
): void {
  const app = given(HelmApplication, "app-1", { spec: { name: "web" } });
  const named = (name: string, state: VersionState) =>
    given(HelmApplicationVersion, name, { spec: {}, status: { state } });

  it(`moves every version that is ${from}, and no other`, () => {
    const versions = [named("appv-1", from), named("appv-2", "draft"), named("appv-3", from)];
    const decision = subject.decide({ app, versions, now: NOW }, event);
    expect(writesOf(decision)).toEqual([
      "replaceStatus helmapplicationversions/appv-1",
      "replaceStatus helmapplicationversions/appv-3",
    ]);
    expect(announcedBy(decision)).toEqual(["version.state.changed", "version.state.changed"]);
  });

  it("goes on after a crash with those that were not moved yet, and tells of all", () => {
    const all = [named("appv-1", from), named("appv-3", from)];
    const [moved] = writtenBy<HelmApplicationVersion>(
      subject.decide({ app, versions: all, now: NOW }, event),
      "replaceStatus",
    );
    if (!moved) throw new Error("no version was moved");
    const again = subject.decide({ app, versions: [moved, named("appv-3", from)], now: NOW }, event);
    expect(writesOf(again)).toEqual(["replaceStatus helmapplicationversions/appv-3"]);
    expect(announcedBy(again)).toHaveLength(2);
  });

  it("does not move a version again that was moved back since", () => {
    const [moved] = writtenBy<HelmApplicationVersion>(
      subject.decide({ app, versions: [named("appv-1", from)], now: NOW }, event),
      "replaceStatus",
    );
    if (!moved) throw new Error("no version was moved");
    const back = { ...moved, status: { ...moved.status, state: from } };
    const again = subject.decide({ app, versions: [back], now: NOW }, event);
    expect(writesOf(again)).toEqual([]);
    expect(announcedBy(again)).toEqual(["version.state.changed"]);
  });

  it.each([
    { world: { app: undefined, versions: [] }, reason: "ApplicationNotFound" },
    { world: { app, versions: [named("appv-2", "draft")] }, reason: "IllegalTransition" },
    {
      world: {
        app: given(HelmApplication, "app-1", {
          metadata: { labels: { [LABEL.repoId]: "repo-1" } },
          spec: { name: "web" },
        }),
        versions: [named("appv-1", from)],
      },
      reason: "Immutable",
    },
  ])("refuses visibly: $reason", ({ world, reason }) => {
    const decision = subject.decide({ ...world, now: NOW }, event);
    expect(decision).toMatchObject({ outcome: "refuse", reason });
    expect(announcedBy(decision)).toEqual(["app.action.refused"]);
  });
}
