import { expect, it } from "vitest";
import { VersionStateChanged } from "../../shared/events/version.ts";
import type { VersionState } from "../../shared/lifecycle/states.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { announcedBy, given, happened, LONG_AGO, NOW, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";

const event = happened(VersionStateChanged, { version: "appv-1", app: "app-1", from: "passed", to: "active" });
const labels = { "kubesphere.io/workspace": "demo" };
const app = given(HelmApplication, "app-1", { metadata: { labels }, spec: { name: "web" } });

type World = Parameters<typeof subject.decide>[0];

function decideOn(world: Partial<World>, on = event) {
  return subject.decide({ app, copy: undefined, versions: [], now: NOW, ...world }, on);
}

function versions(...states: readonly VersionState[]) {
  return states.map((state, index) =>
    given(HelmApplicationVersion, `appv-${index}`, {
      spec: { name: "web", version: `1.${index}.0` },
      status: { state },
    }),
  );
}

it.each([
  { states: ["active", "suspended", "draft"], state: "active" },
  { states: ["draft", "draft"], state: "draft" },
  { states: [], state: "draft" },
  { states: ["suspended", "draft"], state: "suspended" },
  { states: ["submitted", "passed"], state: "draft" },
] as const)("derives $state from $states", ({ states, state }) => {
  const decision = subject.decide({ app, copy: undefined, versions: versions(...states), now: NOW }, event);
  expect(writtenBy(decision, "replaceStatus")).toMatchObject([{ status: { state } }]);
  expect(decision.announce?.[0]?.data).toMatchObject({ state });
});

it("makes the store's copy with the newest active version, and suspends both later", () => {
  const released = subject.decide({ app, copy: undefined, versions: versions("active", "draft"), now: NOW }, event);
  expect(writesOf(released)).toEqual(["replaceStatus helmapplications/app-1", "create helmapplications/app-1-store"]);
  expect(writtenBy(released, "replaceStatus")).toMatchObject([{ status: { latestVersion: "1.1.0" } }]);
  expect(released.write?.at(-1)?.owner).toEqual({ kind: HelmApplication, name: "app-1" });
  const [copy] = writtenBy(released, "create") as readonly HelmApplication[];
  expect(copy?.metadata.labels).toEqual({
    "application.kubesphere.io/app-category-id": "ctg-uncategorized",
    "application.kubesphere.io/repo-id": "repo-helm",
    "kubesphere.io/workspace-origin": "demo",
  });
  expect(copy?.status).toMatchObject({ state: "active", latestVersion: "1.0.0" });
  const suspended = subject.decide({ app, copy, versions: versions("suspended", "draft"), now: NOW }, event);
  expect(writtenBy(suspended, "replaceStatus")).toMatchObject([
    { status: { state: "suspended" } },
    { status: { state: "suspended" } },
  ]);
});

it("writes nothing, but announces again, when all is as it should be", () => {
  const drafts = versions("draft");
  const [first] = writtenBy(decideOn({ versions: drafts }), "replaceStatus") as readonly HelmApplication[];
  if (!first) throw new Error("the first derivation wrote no status");
  const again = decideOn({ app: first, versions: drafts });
  expect(writesOf(again)).toEqual([]);
  expect(announcedBy(again)).toEqual(["app.changed"]);
});

it("writes where versions moved though nothing follows from it, so that an older view of them conflicts", () => {
  const [first] = writtenBy(decideOn({ versions: versions("draft") }), "replaceStatus") as readonly HelmApplication[];
  if (!first) throw new Error("the first derivation wrote no status");
  const [moved] = writtenBy(decideOn({ app: first, versions: versions("submitted") }), "replaceStatus");
  expect(moved).toMatchObject({ status: { state: "draft", updateTime: first.status?.updateTime } });
});

it("writes where a version has come back to where it was, so that whoever saw it elsewhere conflicts", () => {
  const active = (sequence: number) => {
    const audit = [{ action: "recover" as const, time: LONG_AGO, sequence, previous: "", hash: "" }];
    const status = { state: "active" as const, audit };
    return [given(HelmApplicationVersion, "appv-1", { spec: { name: "web", version: "1.0.0" }, status })];
  };
  const copy = given(HelmApplication, "app-1-store", { spec: { name: "web" } });
  const [before] = writtenBy(decideOn({ copy, versions: active(4) }), "replaceStatus") as readonly HelmApplication[];
  if (!before) throw new Error("the first derivation wrote no status");
  const stays = writesOf(decideOn({ app: before, copy, versions: active(4) }));
  const moves = writesOf(decideOn({ app: before, copy, versions: active(6) }));
  expect(stays).not.toContain("replaceStatus helmapplications/app-1");
  expect(moves).toContain("replaceStatus helmapplications/app-1");
});

it("brings the copy's texts up to date when a version enters the store, and at no other time", () => {
  const copy = given(HelmApplication, "app-1-store", { spec: { name: "web", description: "old" } });
  const renamed = { ...app, spec: { name: "web", description: "new" } };
  const entering = decideOn({ app: renamed, copy, versions: versions("active") });
  expect(writtenBy(entering, "apply")).toMatchObject([{ metadata: { name: "app-1-store" }, spec: renamed.spec }]);
  const leaving = { ...event, data: { ...event.data, to: "suspended" as const } };
  expect(writtenBy(decideOn({ app: renamed, copy, versions: versions("suspended") }, leaving), "apply")).toEqual([]);
});

it("lets a deleted version go once it is counted out, even when its application is gone", () => {
  const [kept, gone] = versions("draft", "suspended");
  if (!kept || !gone) throw new Error("two versions are needed");
  const finalizers = ["helmappversion.application.kubesphere.io", "else.example.com"];
  const leaving = { ...gone, metadata: { ...gone.metadata, finalizers, deletionTimestamp: LONG_AGO } };
  const audit = { action: "delete" as const, time: LONG_AGO, sequence: 2, previous: "", hash: "" };
  const told = { version: leaving.metadata.name, from: "suspended" as const, to: null, audit };
  const deleted = { ...event, data: { ...event.data, ...told } };
  const decision = decideOn({ versions: [kept, leaving] }, deleted);
  expect(writtenBy(decision, "replaceStatus")).toMatchObject([{ status: { state: "draft" } }]);
  expect(writtenBy(decision, "replace")).toMatchObject([{ metadata: { finalizers: ["else.example.com"] } }]);
  expect(decision.write?.at(-1)?.last).toBe(true);
  expect(writesOf(decideOn({ app: undefined, versions: [leaving] }, deleted))).toEqual([
    "replace helmapplicationversions/appv-1",
  ]);
  expect(writtenBy(decideOn({ versions: [kept, leaving] }), "replace"), "another's news").toEqual([]);
});

it("records each numbered act", () => {
  const audit = { action: "release" as const, time: LONG_AGO, sequence: 3, previous: "a", hash: "b" };
  const acted = { ...event, data: { ...event.data, audit } };
  expect(decideOn({}, acted).record).toMatchObject([
    { group: "app-1", object: "appv-1", key: "3-b", data: { outcome: "accepted", to: "active", audit } },
  ]);
});

it("moves statusTime with the state only", () => {
  const status = { state: "draft" as const, latestVersion: "0.9.0", statusTime: LONG_AGO, updateTime: LONG_AGO };
  const decision = subject.decide(
    { app: { ...app, status }, copy: undefined, versions: versions("draft"), now: NOW },
    event,
  );
  expect(writtenBy(decision, "replaceStatus")).toMatchObject([
    { status: { statusTime: LONG_AGO, updateTime: NOW.toISOString() } },
  ]);
});

it("waits for an application that is being made, and lets go of one that never was", () => {
  const world = { app: undefined, copy: undefined, versions: [], now: NOW };
  expect(subject.decide(world, event).outcome).toBe("wait");
  expect(subject.decide(world, { ...event, time: LONG_AGO })).toMatchObject({ outcome: "change", write: [] });
});

it("looks at the version alone where it belongs to no application", async () => {
  const orphaned = { ...event, data: { ...event.data, app: "" } };
  const [version] = versions("draft");
  const list = async () => {
    throw new Error("there is nothing to look for");
  };
  const kube = { get: async () => version, list };
  const world = await subject.gather(orphaned, { kube, clock: { now: () => NOW } });
  expect(subject.decide(world as World, orphaned)).toMatchObject({ outcome: "change", write: [] });
});
