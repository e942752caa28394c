import { expect, it } from "vitest";
import { VersionApproved } from "../../shared/events/version.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { announcedBy, given, happened, LONG_AGO, NOW, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";

const event = happened(VersionApproved, { version: "appv-1" });

it("moves a version from submitted to passed and says so", () => {
  const version = given(HelmApplicationVersion, "appv-1", { spec: {}, status: { state: "submitted" } });
  const decision = subject.decide({ version, now: NOW }, event);
  expect(writtenBy(decision, "replaceStatus")).toMatchObject([
    { status: { state: "passed", audit: [{ event: event.id }] } },
  ]);
  expect(announcedBy(decision)).toEqual(["version.state.changed"]);
});

it("refuses an act that is not legal and leaves the state alone", () => {
  const version = given(HelmApplicationVersion, "appv-1", { spec: {}, status: { state: "suspended" } });
  const decision = subject.decide({ version, now: NOW }, { ...event, time: LONG_AGO });
  expect(decision).toMatchObject({ outcome: "refuse", reason: "IllegalTransition" });
  expect(writtenBy(decision, "replaceStatus")).toMatchObject([{ status: { state: "suspended" } }]);
  expect(writesOf(decision)).toEqual(["replaceStatus helmapplicationversions/appv-1"]);
  expect(announcedBy(decision)).toEqual(["version.action.refused"]);
});
