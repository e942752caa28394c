import { expect, it } from "vitest";
import { ReleaseRequested } from "../../shared/events/release.ts";
import { Namespace } from "../../shared/resources/core.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import type { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { HelmRequest } from "../../shared/resources/helm-request.ts";
import { announcedBy, given, happened, LONG_AGO, NOW, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";

const event = happened(ReleaseRequested, { request: "req-1" });
const old = { ...event, time: LONG_AGO };
const spec = { name: "web", appVerId: "appv-1", namespace: "demo" };
const request = given(HelmRequest, "req-1", { metadata: { labels: { "kubesphere.io/workspace": "ws" } }, spec });
const labels = { "application.kubesphere.io/app-id": "app-1", "application.kubesphere.io/repo-id": "repo-helm" };
const version = given(HelmApplicationVersion, "appv-1", {
  metadata: { labels },
  spec: { name: "web", version: "1.0.0", package: "pkg-1" },
  status: { state: "active" },
});
const demo = given(Namespace, "demo");
const world = { request, version, namespaces: [demo], releases: [], now: NOW };

it("makes the release in the namespace, then accepts the request", () => {
  const decision = subject.decide(world, event);
  const [release] = writtenBy(decision, "create") as readonly HelmRelease[];
  expect(release).toMatchObject({
    metadata: {
      namespace: "demo",
      finalizers: ["helmrelease.application.kubesphere.io"],
      labels: { "kubesphere.io/workspace": "ws" },
    },
    spec: { name: "web", chartName: "web", chartVersion: "1.0.0", package: "pkg-1", appId: "app-1", version: 1 },
    status: { state: "creating" },
  });
  expect(writtenBy(decision, "replaceStatus")).toMatchObject([
    {
      status: {
        state: "Accepted",
        release: { namespace: "demo", name: release?.metadata.name },
        observedGeneration: 1,
      },
    },
  ]);
  expect(decision.announce?.[0]?.data).toEqual({ namespace: "demo", release: release?.metadata.name });
});

it("announces again, and writes nothing, when all is there", () => {
  const first = subject.decide(world, event);
  const releases = writtenBy(first, "create") as readonly HelmRelease[];
  const [accepted] = writtenBy(first, "replaceStatus") as readonly HelmRequest[];
  const again = subject.decide({ ...world, request: accepted, releases }, event);
  expect(writesOf(again)).toEqual([]);
  expect(again.announce).toEqual(first.announce);
});

it("counts the release up when the request changed", () => {
  const releases = writtenBy(subject.decide(world, event), "create") as readonly HelmRelease[];
  const edited = { ...request, spec: { ...spec, values: "YTogMQ==" } };
  const decision = subject.decide({ ...world, request: edited, releases }, event);
  expect(writtenBy(decision, "replace")).toMatchObject([{ spec: { version: 2, values: "YTogMQ==" } }]);
});

it("installs released versions only: waits a moment, then says what is missing", () => {
  const draft = { ...version, status: { state: "draft" as const } };
  expect(subject.decide({ ...world, version: draft }, event).outcome).toBe("wait");
  const decision = subject.decide({ ...world, version: draft }, old);
  expect(decision).toMatchObject({ outcome: "refuse", reason: "VersionNotReleased" });
  expect(writtenBy(decision, "replaceStatus")).toMatchObject([{ status: { state: "Failed" } }]);
  expect(announcedBy(decision)).toEqual(["release.refused"]);
});

it.each([
  { names: [], state: "Failed", reason: "NamespaceNotFound" },
  { names: ["a", "b"], state: "NeedsChoice", reason: "SeveralNamespaces" },
])("answers a selector that finds $names with $state", ({ names, state, reason }) => {
  const selecting = {
    ...request,
    spec: { name: "web", appVerId: "appv-1", selector: { matchLabels: { stage: "dev" } } },
  };
  const namespaces = names.map((name) => given(Namespace, name));
  const decision = subject.decide({ ...world, request: selecting, namespaces }, event);
  expect(decision).toMatchObject({ outcome: "refuse", reason });
  expect(writtenBy(decision, "replaceStatus")).toMatchObject([{ status: { state } }]);
});

it("takes the one namespace that a selector finds", () => {
  const selecting = {
    ...request,
    spec: { name: "web", appVerId: "appv-1", selector: { matchLabels: { stage: "dev" } } },
  };
  const decision = subject.decide({ ...world, request: selecting }, event);
  expect(writtenBy(decision, "create")).toMatchObject([{ metadata: { namespace: "demo" } }]);
});

it("does not take over a release that another request has made under that name", () => {
  const [release] = writtenBy(subject.decide(world, event), "create") as readonly [HelmRelease];
  const other = { ...release, metadata: { ...release.metadata, name: "rls-other" } };
  expect(subject.decide({ ...world, releases: [other] }, event)).toMatchObject({
    outcome: "refuse",
    reason: "ReleaseExists",
  });
});

it("says that a release stays where and what it is, instead of leaving one behind", () => {
  const releases = writtenBy(subject.decide(world, event), "create") as readonly HelmRelease[];
  const moved = { ...request, spec: { ...spec, namespace: "prod" } };
  const decision = subject.decide(
    { ...world, request: moved, namespaces: [given(Namespace, "prod")], releases },
    event,
  );
  expect(decision).toMatchObject({ outcome: "refuse", reason: "ReleaseStays" });
  expect(decision).toHaveProperty("message", expect.stringContaining("cannot move to namespace prod"));
  const renamed = { ...request, spec: { ...spec, name: "shop" } };
  expect(subject.decide({ ...world, request: renamed, releases }, event)).toMatchObject({ reason: "ReleaseStays" });
});

it("keeps a release where it is when its namespace no longer matches the selector", () => {
  const [release] = writtenBy(subject.decide(world, event), "create") as readonly [HelmRelease];
  const selecting = {
    ...request,
    spec: { name: "web", appVerId: "appv-1", selector: { matchLabels: { stage: "dev" } }, values: "YTogMQ==" },
  };
  const decision = subject.decide({ ...world, request: selecting, namespaces: [], releases: [release] }, event);
  expect(writtenBy(decision, "replace")).toMatchObject([{ metadata: { namespace: "demo" }, spec: { version: 2 } }]);
});

it("does not write a wish into a release that is being uninstalled", () => {
  const [release] = writtenBy(subject.decide(world, event), "create") as readonly [HelmRelease];
  const leaving = { ...release, metadata: { ...release.metadata, deletionTimestamp: LONG_AGO } };
  expect(subject.decide({ ...world, releases: [leaving] }, event).outcome).toBe("wait");
  expect(subject.decide({ ...world, releases: [leaving] }, old)).toMatchObject({ reason: "ReleaseLeaving" });
});

it("takes versions whose names are too long for a label", () => {
  const long = { ...version, metadata: { ...version.metadata, name: `appv-${"x".repeat(80)}` } };
  const [release] = writtenBy(subject.decide({ ...world, version: long }, event), "create") as readonly [HelmRelease];
  for (const value of Object.values(release.metadata.labels ?? {})) expect(value.length).toBeLessThanOrEqual(63);
  expect(release.spec.appVerId).toBe(long.metadata.name);
});

it("makes an object of an older version that only the index has, and installs it", () => {
  const repo = given(HelmRepo, "repo-1", { spec: { name: "charts", url: "https://charts.example.com" } });
  const chart = { apiVersion: "v2", name: "web", version: "0.9.0", urls: ["web-0.9.0.tgz"], verId: "appv-1" };
  const older = { ...world, version: undefined, listed: { repo, appId: "app-1", version: chart } };
  const decision = subject.decide(older, event);
  expect(writtenBy(decision, "create", HelmApplicationVersion)).toMatchObject([
    {
      metadata: { name: "appv-1", labels: { "application.kubesphere.io/index-state": "older" } },
      spec: { version: "0.9.0", urls: ["web-0.9.0.tgz"] },
      status: { state: "active" },
    },
  ]);
  expect(writtenBy(decision, "create")[1]).toMatchObject({
    kind: "HelmRelease",
    spec: { chartVersion: "0.9.0", repoId: "repo-1" },
  });
});

it("refuses a version that its repository withdrew, and says so", () => {
  const conditions = [
    {
      type: "Withdrawn",
      status: "True" as const,
      reason: "NotListed",
      message: "it is not listed any more",
      lastTransitionTime: LONG_AGO,
    },
  ];
  const withdrawn = { ...version, status: { state: "suspended" as const, conditions } };
  expect(subject.decide({ ...world, version: withdrawn }, old)).toMatchObject({
    outcome: "refuse",
    message: "version appv-1: it is not listed any more; choose another one",
  });
});
