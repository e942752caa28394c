import { expect, it } from "vitest";
import { VersionDeleted } from "../../shared/events/version.ts";
import type { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { ONE_STEP, versionIn } from "../../test/support/acts.ts";
import { announcedBy, happened, LONG_AGO, NOW, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";

const event = happened(VersionDeleted, { version: "appv-1" }, { operator: "ann" });
const world = { settings: ONE_STEP, now: NOW };

it.each(["draft", "rejected", "passed", "suspended"] as const)("deletes a version that is %s", (state) => {
  const decision = subject.decide({ ...world, version: versionIn(state) }, event);
  const name = "helmapplicationversions/appv-1";
  expect(writesOf(decision)).toEqual([`replaceStatus ${name}`, `remove ${name}`]);
  expect(decision.announce?.[0]?.data).toMatchObject({ from: state, to: null, audit: { action: "delete" } });
});

it.each(["submitted", "active"] as const)("keeps a version that is %s", (state) => {
  const decision = subject.decide({ ...world, version: versionIn(state) }, event);
  expect(decision).toMatchObject({ outcome: "refuse", reason: "IllegalTransition" });
  expect(announcedBy(decision)).toEqual(["version.action.refused"]);
});

it("tells again of a version on its way out, and refuses every other act on it", () => {
  const version = versionIn("suspended");
  const leaving = { ...version, metadata: { ...version.metadata, deletionTimestamp: LONG_AGO } };
  const decision = subject.decide({ ...world, version: leaving }, event);
  expect(writesOf(decision)).toEqual([]);
  expect(announcedBy(decision)).toEqual(["version.state.changed"]);
});

it("leaves on the version who deletes it, and after a crash goes on with the deletion", () => {
  const first = subject.decide({ ...world, version: versionIn("draft") }, event);
  const [told] = writtenBy<HelmApplicationVersion>(first, "replaceStatus");
  expect(told?.status).toMatchObject({ state: "draft", audit: [{ action: "delete", operator: "ann" }] });
  const again = subject.decide({ ...world, version: told }, event);
  expect(writesOf(again)).toEqual(["remove helmapplicationversions/appv-1"]);
  expect(again.announce).toEqual(first.announce);
  if (!told) throw new Error("nothing was written");
  const leaving = { ...told, metadata: { ...told.metadata, deletionTimestamp: LONG_AGO } };
  expect(subject.decide({ ...world, version: leaving }, event)).toEqual({
    outcome: "change",
    announce: first.announce,
  });
  const active = { ...told, status: { ...told.status, state: "active" as const } };
  expect(subject.decide({ ...world, version: active }, { ...event, time: LONG_AGO }).outcome).toBe("refuse");
});

it("takes a version that is gone for deleted, once others made before it had time to arrive", () => {
  expect(subject.decide({ ...world, version: undefined }, event).outcome).toBe("wait");
  const late = subject.decide({ ...world, version: undefined }, { ...event, time: LONG_AGO });
  expect(late).toMatchObject({ outcome: "change", announce: [{ data: { from: null, to: null } }] });
});
