import { expect, it } from "vitest";
import type { Event } from "../../shared/event.ts";
import type { ActData, ActDecision, ActWorld } from "../../shared/lifecycle/act.ts";
import type { VersionState } from "../../shared/lifecycle/states.ts";
import { readStoreSettings } from "../../shared/lifecycle/store-settings.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
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
