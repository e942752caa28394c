import { expect, it } from "vitest";
import { ReleaseCheckTick } from "../../shared/events/release.ts";
import { releaseMark } from "../../shared/lifecycle/release-plan.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRequest } from "../../shared/resources/helm-request.ts";
import { announcedBy, given, happened, LONG_AGO, NOW, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";
import { judge } from "./judge.ts";

const event = happened(ReleaseCheckTick, { namespace: "demo", release: "rls-1" });
const spec = { name: "web", chartName: "web", chartVersion: "1.0.0", version: 1 };
const created = { state: "created" as const, version: 1, revision: 1, lastDeployed: NOW.toISOString() };
const release = given(HelmRelease, "rls-1", { metadata: { namespace: "demo" }, spec, status: created });
const deployment = (availableReplicas: number) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  namespace: "demo",
  name: "web",
  live: {
    metadata: { generation: 1 },
    spec: { replicas: 2 },
    status: { observedGeneration: 1, updatedReplicas: 2, availableReplicas },
  },
});
const one = (verdict: ReturnType<typeof judge> | undefined) => ({ scope: "one" as const, release, verdict, now: NOW });

it("says that a release is ready when all of its objects are", () => {
  const decision = subject.decide(one(judge(release, [deployment(2)], NOW)), event);
  expect(writtenBy(decision, "replaceStatus")).toMatchObject([
    {
      status: {
        state: "active",
        conditions: [{ type: "Ready", status: "True" }, { status: "False" }, { status: "False" }],
      },
    },
  ]);
  expect(announcedBy(decision)).toEqual(["release.ready"]);
});

it("looks again soon while it is young, and writes progress once", () => {
  const verdict = judge(release, [deployment(1)], NOW);
  const decision = subject.decide(one(verdict), event);
  expect(decision).toMatchObject({ outcome: "wait", reason: "NotReady" });
  const [written] = writtenBy(decision, "replaceStatus") as readonly HelmRelease[];
  expect(written?.status?.conditions?.[0]).toMatchObject({ type: "Ready", status: "False", reason: "Progressing" });
  expect(writesOf(subject.decide({ ...one(verdict), release: written }, event))).toEqual([]);
});

it("leaves an older release to the cron tick, and gives up after 15 minutes", () => {
  const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
  expect(subject.decide(one(judge(release, [deployment(1)], at(3))), event).outcome).toBe("change");
  const late = subject.decide(one(judge(release, [deployment(1)], at(16))), event);
  expect(late).toMatchObject({ outcome: "refuse", reason: "NotReadyInTime" });
  expect(announcedBy(late)).toEqual(["release.failed"]);
});

it("fails at once when an object has failed or Helm has lost the release", () => {
  const job = {
    apiVersion: "batch/v1",
    kind: "Job",
    name: "init",
    live: { status: { conditions: [{ type: "Failed", status: "True", message: "exit 1" }] } },
  };
  expect(judge(release, [deployment(2), job], NOW)).toMatchObject({ state: "failed", reason: "ObjectFailed" });
  expect(judge(release, undefined, NOW)).toMatchObject({ state: "failed", reason: "ReleaseGone" });
});

it("tells again what it told when a release is in its final state", () => {
  const ready = { ...release, status: { ...created, state: "active" as const } };
  const decision = subject.decide({ ...one(undefined), release: ready }, event);
  expect(writesOf(decision)).toEqual([]);
  expect(announcedBy(decision)).toEqual(["release.ready"]);
});

it("finds on a cron tick what lost its event, and nothing that is on its way", () => {
  const old = { metadata: { namespace: "demo", creationTimestamp: LONG_AGO }, spec };
  const undone = given(HelmRelease, "rls-undone", { ...old, status: { state: "creating", lastUpdate: LONG_AGO } });
  const open = given(HelmRelease, "rls-open", {
    ...old,
    status: { ...created, lastUpdate: LONG_AGO, mark: releaseMark(undone) },
  });
  const busy = given(HelmRelease, "rls-busy", { ...old, status: { state: "creating", lastUpdate: NOW.toISOString() } });
  const wish = { name: "web", appVerId: "appv-1", namespace: "demo" };
  const request = given(HelmRequest, "req-old", { metadata: { creationTimestamp: LONG_AGO }, spec: wish });
  const world = { scope: "all" as const, releases: [undone, open, busy], requests: [request], now: NOW };
  const decision = subject.decide(world, happened(ReleaseCheckTick, {}));
  expect(decision.announce?.map(({ type, subject: about }) => `${type} ${about}`)).toEqual([
    "io.openpitrix.release.requested helmrequests/req-old",
    "io.openpitrix.release.changed helmreleases/demo/rls-undone",
    "io.openpitrix.release.check.tick helmreleases/demo/rls-open",
  ]);
});

it("leaves a release that waits for something to its own event while that comes back", () => {
  const conditions = [
    { type: "Reconciling", status: "True" as const, reason: "Hindered", message: "503", lastTransitionTime: LONG_AGO },
  ];
  const since = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000).toISOString();
  const waiting = (minutes: number) => {
    const status = { state: "creating" as const, lastUpdate: since(minutes), conditions };
    const hindered = given(HelmRelease, "rls-1", { metadata: { namespace: "demo" }, spec, status });
    return subject.decide({ scope: "all", releases: [hindered], requests: [], now: NOW }, event);
  };
  expect(announcedBy(waiting(10))).toEqual([]);
  expect(announcedBy(waiting(30))).toEqual(["release.changed"]);
});

it("does not call a release failed that is being uninstalled", async () => {
  const leaving = { ...release, metadata: { ...release.metadata, deletionTimestamp: LONG_AGO } };
  const ports = {
    kube: { get: async () => leaving, list: async () => [] },
    helm: { objects: async () => undefined },
    clock: { now: () => NOW },
  };
  const world = await subject.gather(event, ports);
  expect(subject.decide(world as Parameters<typeof subject.decide>[0], event)).toEqual({
    outcome: "change",
    announce: [],
  });
});
