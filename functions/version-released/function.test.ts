import { expect, it } from "vitest";
import { VersionReleased } from "../../shared/events/version.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { announcedBy, given, happened, LONG_AGO, NOW, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";

const event = happened(VersionReleased, { version: "appv-1" });

it("moves a version from passed to active and says so", () => {
  const version = given(HelmApplicationVersion, "appv-1", { spec: {}, status: { state: "passed" } });
  const decision = subject.decide({ version, now: NOW }, event);
  expect(writtenBy(decision, "replaceStatus")).toMatchObject([
    { status: { state: "active", audit: [{ event: event.id }] } },
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

it("labels the version as the store's, once", () => {
  const version = given(HelmApplicationVersion, "appv-1", { spec: {}, status: { state: "passed" } });
  const decision = subject.decide({ version, now: NOW }, event);
  expect(writesOf(decision)).toEqual([
    "replaceStatus helmapplicationversions/appv-1",
    "apply helmapplicationversions/appv-1",
  ]);
  const labelled = {
    ...version,
    metadata: { ...version.metadata, labels: { "application.kubesphere.io/repo-id": "repo-helm" } },
  };
  expect(writesOf(subject.decide({ version: labelled, now: NOW }, event))).toEqual([
    "replaceStatus helmapplicationversions/appv-1",
  ]);
});

it("still labels a version whose state was written before a crash", () => {
  const audit = [{ state: "active" as const, from: "passed" as const, time: LONG_AGO, event: event.id }];
  const version = given(HelmApplicationVersion, "appv-1", { spec: {}, status: { state: "active", audit } });
  const decision = subject.decide({ version, now: NOW }, event);
  expect(writesOf(decision)).toEqual(["apply helmapplicationversions/appv-1"]);
  expect(announcedBy(decision)).toEqual(["version.state.changed"]);
});
