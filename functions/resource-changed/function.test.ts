import { describe, expect, it } from "vitest";
import { causeOf, type Event } from "../../shared/event.ts";
import { ResourceChanged } from "../../shared/events/resource.ts";
import { releaseMark } from "../../shared/lifecycle/release-plan.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
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
  const audit = [{ action: "delete" as const, operator: "ann", time: LONG_AGO, sequence: 4, previous: "", hash: "c" }];
  const [known] = decide({ ...leaving, status: { state: "suspended", audit } }).announce ?? [];
  expect(known?.data, "it says itself who deletes it").toMatchObject({ operator: "ann", audit: { hash: "c" } });
  const free = { ...leaving, metadata: { ...leaving.metadata, finalizers: [] } };
  expect(decide(free).announce ?? []).toEqual([]);
});

it("leaves versions alone that another function is making", () => {
  expect(decide(given(HelmApplicationVersion, "appv-1", { spec: { package: "pkg-1" } }))).toEqual({
    outcome: "change",
  });
});

it("does nothing for objects that are gone", () => {
  expect(decide(undefined)).toEqual({ outcome: "change", announce: [] });
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

describe("deletions and moves by kubectl", () => {
  const leaving = (name: string) => ({
    deletionTimestamp: LONG_AGO,
    finalizers: [`${name}.application.kubesphere.io`],
  });
  const store = { "application.kubesphere.io/repo-id": "repo-helm" };
  const app = given(HelmApplication, "app-1", { spec: { name: "web" } });

  it("lets go what waits for the store, or has it done by whoever knows what else goes", () => {
    const repo = given(HelmRepo, "repo-1", { metadata: leaving("helmrepo"), spec: { name: "x", url: "https://x" } });
    expect(writesOf(decide(repo))).toEqual(["replace helmrepos/repo-1"]);
    expect(announcedBy(decide(repo))).toEqual([]);
    const going = given(HelmApplication, "app-1", { metadata: leaving("helmapplication"), spec: { name: "web" } });
    expect([writesOf(decide(going)), announcedBy(decide(going))]).toEqual([[], ["app.deleted"]]);
    const metadata = { ...leaving("helmapplication"), labels: store };
    const copy = given(HelmApplication, "app-1-store", { metadata, spec: { name: "web" } });
    expect([writesOf(decide(copy)), announcedBy(decide(copy))]).toEqual([["replace helmapplications/app-1-store"], []]);
    const category = given(HelmCategory, "ctg-1", { metadata: leaving("helmcategories"), spec: { name: "Web" } });
    expect(announcedBy(decide(category))).toEqual(["category.deleted"]);
    expect(
      [app, given(HelmCategory, "ctg-2", { spec: { name: "Web" } })].flatMap((each) => announcedBy(decide(each))),
    ).toEqual([]);
  });

  it("has a copy counted again that is in another category than it was counted in", () => {
    const counted = { "application.kubesphere.io/counted-category": "ctg-1" };
    const copyIn = (category: string) =>
      given(HelmApplication, "app-1-store", {
        metadata: { labels: { ...store, "application.kubesphere.io/app-category-id": category }, annotations: counted },
        spec: { name: "web" },
      });
    expect(decide(copyIn("ctg-2")).announce).toMatchObject([{ data: { app: "app-1", state: "draft" } }]);
    expect(decide(copyIn("ctg-1")).announce).toEqual([]);
  });

  it.each([
    {
      kind: "HelmApplication",
      name: "app-1",
      original: undefined,
      data: { app: "app-1", state: null, latestVersion: "" },
    },
    {
      kind: "HelmApplication",
      name: "app-1-store",
      original: app,
      data: { app: "app-1", state: "draft", latestVersion: "" },
    },
    { kind: "WorkspaceTemplate", name: "demo", original: undefined, data: { workspace: "demo" } },
    { kind: "HelmCategory", name: "ctg-uncategorized", original: undefined, data: { name: "uncategorized" } },
  ])("tells of $name that is gone", ({ kind, name, original, data }) => {
    const gone = happened(ResourceChanged, { change: "delete", kind, name });
    const decision = subject.decide({ object: undefined, original, now: NOW }, gone);
    expect(decision.announce?.map((each) => each.data)).toEqual([data]);
  });
});
