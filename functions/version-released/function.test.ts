import { expect, it } from "vitest";
import { VersionReleased } from "../../shared/events/version.ts";
import { itActs, ONE_STEP, versionIn } from "../../test/support/acts.ts";
import { announcedBy, happened, LONG_AGO, NOW, writesOf } from "../../test/support/objects.ts";
import subject from "./function.ts";

const event = happened(VersionReleased, { version: "appv-1" });

itActs(subject, { event, from: "passed", to: "active" });

it("labels the version as the store's, once", () => {
  const version = versionIn("passed");
  expect(writesOf(subject.decide({ version, settings: ONE_STEP, now: NOW }, event))).toEqual([
    "replaceStatus helmapplicationversions/appv-1",
    "apply helmapplicationversions/appv-1",
  ]);
  const labels = { "application.kubesphere.io/repo-id": "repo-helm" };
  const labelled = { ...version, metadata: { ...version.metadata, labels } };
  expect(writesOf(subject.decide({ version: labelled, settings: ONE_STEP, now: NOW }, event))).toEqual([
    "replaceStatus helmapplicationversions/appv-1",
  ]);
});

it("still labels a version whose state was written before a crash", () => {
  const audit = [
    { action: "release" as const, state: "active" as const, from: "passed" as const, time: LONG_AGO, event: event.id },
  ];
  const version = { ...versionIn("active"), status: { state: "active" as const, audit } };
  const decision = subject.decide({ version, settings: ONE_STEP, now: NOW }, event);
  expect(writesOf(decision)).toEqual(["apply helmapplicationversions/appv-1"]);
  expect(announcedBy(decision)).toEqual(["version.state.changed"]);
});
