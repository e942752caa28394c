import { describe, expect, it } from "vitest";
import { causeOf, type Event } from "../../shared/event.ts";
import { ResourceChanged } from "../../shared/events/resource.ts";
import { releaseMark } from "../../shared/lifecycle/release-plan.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { HelmRequest } from "../../shared/resources/helm-request.ts";
import { announcedBy, given, happened, LONG_AGO, NOW, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";

const event = happened(ResourceChanged, { change: "add", kind: "HelmRepo", name: "x" });
const HELD = "helmappversion.application.kubesphere.io";
const decide = (object: Parameters<typeof subject.decide>[0]["object"]) => subject.decide({ object, now: NOW }, event);

it("starts a sync for a new repository and none for one that has just been synced", () => {
  const spec = { name: "charts", url: "https://charts.example.com" };
  expect(announcedBy(decide(given(HelmRepo, "repo-1", { spec })))).toEqual(["repo.sync.requested"]);
  const status = { observedGeneration: 1, syncState: [{ state: "successful", syncTime: LONG_AGO }] };
  expect(announcedBy(decide(given(HelmRepo, "repo-1", { spec, status })))).toEqual([]);
});

it("passes on requests that were not answered in their present form", () => {
  const spec = { name: "web", appVerId: "appv-1", namespace: "demo" };
  expect(announcedBy(decide(given(HelmRequest, "req-1", { spec })))).toEqual(["release.requested"]);
  const status = { state: "Accepted" as const, observedGeneration: 1 };
  expect(announcedBy(decide(given(HelmRequest, "req-1", { spec, status })))).toEqual([]);
});

it("passes on releases whose wish was not tried, and deletions", () => {
  const spec = { name: "web", chartName: "web", chartVersion: "1.0.0", version: 1 };
  const fresh = given(HelmRelease, "rls-1", { metadata: { namespace: "demo" }, spec });
  expect(announcedBy(decide(fresh))).toEqual(["release.changed"]);
  const done = { ...fresh, status: { state: "active" as const, mark: releaseMark(fresh) } };
  expect(announcedBy(decide(done))).toEqual([]);
  expect(announcedBy(decide({ ...done, metadata: { ...done.metadata, deletionTimestamp: LONG_AGO } }))).toEqual([
    "release.changed",
  ]);
});

it("leaves a wish to whoever wrote and announced it, but follows a later edit", () => {
  const spec = { name: "web", chartName: "web", chartVersion: "1.0.0", version: 1 };
  const annotations = { "application.kubesphere.io/announced-mark": releaseMark({ spec }) };
  const made = given(HelmRelease, "rls-1", { metadata: { namespace: "demo", annotations }, spec });
  expect(announcedBy(decide(made))).toEqual([]);
  expect(announcedBy(decide({ ...made, spec: { ...spec, values: "YTogMQ==" } }))).toEqual(["release.changed"]);
});

it("makes a version without state a draft, once, and announces again after a crash", () => {
  const labels = { "application.kubesphere.io/app-id": "app-1" };
  const metadata = { labels, annotations: { "kubesphere.io/creator": "ann" }, creationTimestamp: LONG_AGO };
  const version = given(HelmApplicationVersion, "appv-1", { metadata, spec: {} });
  const first = decide(version);
  const [written] = writtenBy(first, "replaceStatus") as readonly HelmApplicationVersion[];
  expect(written?.status).toMatchObject({
    state: "draft",
    audit: [{ state: "draft", time: LONG_AGO, event: event.id, operator: "ann", sequence: 1 }],
  });
  expect(writtenBy(first, "apply")).toMatchObject([{ metadata: { finalizers: [HELD] } }]);
  expect(announcedBy(first)).toEqual(["version.created", "version.state.changed"]);
  const again = decide(written);
  expect(writesOf(again)).toEqual([]);
  expect(again.announce).toEqual(first.announce);
});

it("has the application counted again before a version that somebody deletes may go", () => {
  const labels = { "application.kubesphere.io/app-id": "app-1" };
  const metadata = { labels, finalizers: [HELD], deletionTimestamp: LONG_AGO };
  const leaving = given(HelmApplicationVersion, "appv-1", { metadata, spec: {}, status: { state: "suspended" } });
  const [fact] = decide(leaving).announce ?? [];
  expect(fact?.data).toMatchObject({ app: "app-1", from: "suspended", to: null, audit: { action: "delete" } });
  const free = { ...leaving, metadata: { ...leaving.metadata, finalizers: [] } };
  expect(decide(free).announce ?? []).toEqual([]);
});

it("leaves versions alone that another function is making", () => {
  expect(decide(given(HelmApplicationVersion, "appv-1", { spec: { package: "pkg-1" } }))).toEqual({
    outcome: "change",
  });
});

it("does nothing for objects that are gone", () => {
  expect(decide(undefined)).toEqual({ outcome: "change" });
});

describe("events of an ApiServerSource", () => {
  const foreign = (mode: string, id: string, data: unknown): Event => ({
    specversion: "1.0",
    id,
    source: "https://10.0.0.1:443",
    type: `dev.knative.apiserver.${mode}.update`,
    data,
  });
  const object = given(HelmRelease, "rls-1", { metadata: { namespace: "demo", uid: "u-1", resourceVersion: "42" } });
  const reference = { apiVersion: object.apiVersion, kind: "HelmRelease", namespace: "demo", name: "rls-1" };

  it.each([
    ["ref", reference],
    ["resource", object],
  ])("are read in mode %s", (mode, data) => {
    const told = ResourceChanged.origin?.read(foreign(mode, "random", data));
    expect(told).toEqual({ change: "update", kind: "HelmRelease", namespace: "demo", name: "rls-1" });
  });

  it("are the same occurrence when they tell of the same version of an object", () => {
    const cause = (id: string) => causeOf(ResourceChanged, foreign("resource", id, object));
    expect(cause("random")).toEqual(cause("other"));
    const referred = (id: string) => causeOf(ResourceChanged, foreign("ref", id, reference));
    expect(referred("random")).not.toEqual(referred("other"));
  });
});

it("has a decision about a version in quarantine carried out, and leaves all other versions of repositories alone", () => {
  const labels = {
    "application.kubesphere.io/repo-id": "repo-1",
    "application.kubesphere.io/index-state": "quarantined",
  };
  const held = given(HelmApplicationVersion, "appv-1", { metadata: { labels }, spec: {}, status: { state: "active" } });
  expect(decide(held)).toEqual({ outcome: "change" });
  const annotations = { "application.kubesphere.io/accept-digest": "cd" };
  const decided = { ...held, metadata: { ...held.metadata, annotations } };
  const asked = { repo: "repo-1", reason: "requested", force: true };
  expect(decide(decided).announce?.map(({ data }) => data)).toEqual([asked]);
});
