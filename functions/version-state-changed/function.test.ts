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
  const status = { state: "draft" as const, latestVersion: "1.0.0", statusTime: LONG_AGO, updateTime: LONG_AGO };
  const decision = subject.decide(
    { app: { ...app, status }, copy: undefined, versions: versions("draft"), now: NOW },
    event,
  );
  expect(writesOf(decision)).toEqual([]);
  expect(announcedBy(decision)).toEqual(["app.changed"]);
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
  expect(subject.decide(world, { ...event, time: LONG_AGO })).toEqual({ outcome: "change" });
});

it("has nothing to do for a version that belongs to no application", async () => {
  const orphaned = { ...event, data: { ...event.data, app: "" } };
  const unused = async () => {
    throw new Error("there is nothing to look for");
  };
  const world = await subject.gather(orphaned, { kube: { get: unused, list: unused }, clock: { now: () => NOW } });
  expect(subject.decide(world as Parameters<typeof subject.decide>[0], orphaned)).toEqual({ outcome: "change" });
});
