import { expect, it } from "vitest";
import type { ChartVersion } from "../../shared/charts/index-file.ts";
import { readIndex } from "../../shared/charts/index-reader.ts";
import type { StoredIndex } from "../../shared/charts/stored-index.ts";
import { nextStep, workList } from "../../shared/charts/work-list.ts";
import { RepoSyncContinued } from "../../shared/events/repo.ts";
import { appIdOf, identified } from "../../shared/lifecycle/version-ids.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { type IndexItem, indexText } from "../../test/support/index-text.ts";
import { announcedBy, given, happened, LONG_AGO, NOW, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";
import type { WriteWorld } from "./world.ts";

type Charts = Readonly<Record<string, readonly IndexItem[]>>;
type Objects = readonly (HelmApplication | HelmApplicationVersion)[];

const LIMIT = 2;
const sync = {
  id: "event-0",
  reason: "due",
  startedTime: LONG_AGO,
  renewedTime: LONG_AGO,
  fetchedTime: LONG_AGO,
  request: "",
  version: 0,
};
const repo = given(HelmRepo, "repo-1", {
  metadata: { labels: { "kubesphere.io/workspace": "demo" } },
  spec: { name: "charts", url: "https://charts.example.com", syncPeriod: 3600 },
  status: {
    state: "syncing",
    sync: { ...sync, from: "sha256:00", to: "sha256:11", after: "", generation: 1, etag: '"1"' },
  },
});
const event = happened(RepoSyncContinued, {
  repo: "repo-1",
  sync: "event-0",
  to: "sha256:11",
  all: true,
  limit: LIMIT,
  after: "",
});

async function index(charts: Charts): Promise<StoredIndex> {
  return (await readIndex(ReadableStream.from([Buffer.from(indexText(charts))]))).index;
}

/** The last step of a sync from one index to another, with the objects that there are. */
async function step([before, after]: readonly [Charts, Charts], over: Over = {}): Promise<WriteWorld> {
  const { objects = [], ...rest } = over;
  const [from, to] = [await index(before), await index(after)];
  const items = nextStep(workList({ from, to, all: false, limit: LIMIT }), "");
  const works = items.map(({ chart }) => {
    const versions: readonly ChartVersion[] = to.entry(chart)?.versions ?? [];
    const identity = { repo: "repo-1", chart, saved: undefined };
    const appId = appIdOf(identity);
    const mine = objects.filter(({ metadata }) => metadata.labels?.[LABEL.appId] === appId);
    const app = objects.find(({ metadata }) => metadata.name === appId) as HelmApplication | undefined;
    const found = { before: from.entry(chart), after: to.entry(chart), app };
    return {
      chart,
      appId,
      wanted: identified(identity, versions),
      ...found,
      versions: mine as HelmApplicationVersion[],
    };
  });
  return {
    plan: "write",
    repo,
    to,
    step: { items, last: true },
    works,
    standouts: [],
    used: new Set(),
    now: NOW,
    ...rest,
  };
}

type Over = Partial<WriteWorld> & { readonly objects?: Objects };

/** What a decision made, as the API server would hand it out later. */
function made(decision: ReturnType<typeof subject.decide>): Objects {
  const created = writtenBy(decision, "create") as Objects;
  return created.map((object) => ({
    ...object,
    metadata: { ...object.metadata, creationTimestamp: LONG_AGO, resourceVersion: "1" },
  }));
}

const versionsOf = (objects: Objects) =>
  objects.filter(({ kind }) => kind === "HelmApplicationVersion") as HelmApplicationVersion[];

it("makes an application per chart, its newest versions as objects, and writes the repository last", async () => {
  const decision = subject.decide(await step([{}, { web: ["1.0.0", "1.2.0", "1.1.0"], db: ["2.0.0"] }]), event);
  expect(writtenBy(decision, "create", HelmApplication)).toHaveLength(2);
  const versions = writtenBy(decision, "create", HelmApplicationVersion);
  expect(versions.map(({ spec }) => `${spec.name} ${spec.version}`)).toEqual(["db 2.0.0", "web 1.2.0", "web 1.1.0"]);
  expect(versions[0]).toMatchObject({
    metadata: { labels: { "application.kubesphere.io/repo-id": "repo-1", "kubesphere.io/workspace": "demo" } },
    status: { state: "active" },
  });
  expect(decision.write?.at(-1)).toMatchObject({ verb: "replaceStatus", last: true });
  const [written] = writtenBy(decision, "replaceStatus", HelmRepo);
  expect(written?.status).toMatchObject({
    state: "successful",
    totalCharts: 2,
    totalChartVersions: 4,
    etag: '"1"',
    indexDigest: "sha256:11",
    previousIndexDigest: "sha256:00",
    lastSyncEvent: "event-0",
    lastSuccessfulTime: LONG_AGO,
    lastUpdateTime: NOW.toISOString(),
    data: expect.any(String),
    conditions: [
      { type: "Ready", status: "True", message: `2 charts with 4 versions; fresh as of ${LONG_AGO}` },
      { type: "Stalled", status: "False" },
    ],
  });
  expect(written?.status).not.toHaveProperty("sync");
  expect(announcedBy(decision)).toEqual(["repo.chart.changed", "repo.chart.changed", "repo.synced"]);
});

it("moves on by one step where charts are left, and names the next one", async () => {
  const world = await step([{}, { web: ["1.0.0"], db: ["2.0.0"] }]);
  const [first] = world.works;
  const one = { ...world, works: first ? [first] : [], step: { items: world.step.items.slice(0, 1), last: false } };
  const decision = subject.decide(one, event);
  const [written] = writtenBy(decision, "replaceStatus", HelmRepo);
  expect(written?.status).toMatchObject({ state: "syncing", sync: { after: "db", chartsDone: 1, objectsDone: 2 } });
  expect(announcedBy(decision)).toEqual(["repo.chart.changed", "repo.sync.continued"]);
  expect(decision.announce?.[1]?.data).toMatchObject({ sync: "event-0", after: "db" });
  const again = subject.decide({ plan: "repeat", repo: written ?? repo, step: one.step, works: one.works }, event);
  expect(again).toEqual({ outcome: "change", announce: decision.announce });
});

it("writes only what is new, takes away what the index lost, and tells what is different", async () => {
  const [before, after] = [{ web: ["1.0.0"], db: ["2.0.0"] }, { web: ["1.1.0", "1.0.0"] }];
  const objects = made(subject.decide(await step([{}, before]), event));
  const decision = subject.decide(await step([before, after], { objects: objects }), event);
  expect(decision.write?.map(({ verb, kind }) => `${verb} ${kind.kind}`)).toEqual([
    "remove HelmApplication",
    "remove HelmApplicationVersion",
    "replaceStatus HelmApplication",
    "create HelmApplicationVersion",
    "replaceStatus HelmRepo",
  ]);
  expect(decision.announce?.map(({ data }) => data)).toMatchObject([
    { chart: "db", added: [], withdrawn: ["2.0.0"] },
    { chart: "web", added: ["1.1.0"], withdrawn: [] },
    { repo: "repo-1", changed: true, charts: 1, versions: 2 },
  ]);
});

it("keeps a version that the index lost while a release uses it, refuses it to others, and takes it back", async () => {
  const [before, after] = [{ web: ["1.0.0"] }, { db: ["2.0.0"] }];
  const objects = made(subject.decide(await step([{}, before]), event));
  const [version] = versionsOf(objects);
  const used = new Set([version?.metadata.name ?? ""]);
  const decision = subject.decide(await step([before, after], { objects: objects, used }), event);
  const [kept] = writtenBy(decision, "replace", HelmApplicationVersion);
  const [told] = writtenBy(decision, "replaceStatus", HelmApplicationVersion);
  expect(kept?.metadata.labels).toMatchObject({ "application.kubesphere.io/index-state": "withdrawn" });
  expect(told?.status).toMatchObject({ state: "suspended", conditions: [{ type: "Withdrawn", status: "True" }] });
  expect(writtenBy(decision, "replaceStatus", HelmApplication)).toMatchObject([{ status: { state: "suspended" } }]);
  expect(writtenBy(decision, "remove")).toEqual([]);
  expect(writtenBy(decision, "replaceStatus", HelmRepo)).toMatchObject([{ status: { withdrawnVersions: 1 } }]);
  const [app] = writtenBy(decision, "replaceStatus", HelmApplication);
  const left = [{ ...kept, status: told?.status }, app] as Objects;
  const back = subject.decide(await step([after, { ...before, ...after }], { objects: left, used }), event);
  expect(writtenBy(back, "replaceStatus", HelmApplicationVersion)).toMatchObject([{ status: { state: "active" } }]);
  expect(writtenBy(back, "replace", HelmApplicationVersion)[0]?.metadata.labels).not.toHaveProperty(
    "application.kubesphere.io/index-state",
  );
  const unused = subject.decide(await step([before, { other: ["1.0.0"] }], { objects: left }), event);
  expect(writesOf(unused)).toContain(`remove helmapplicationversions/${version?.metadata.name}`);
});

it("holds a version that was published again in quarantine until a person accepts the new digest", async () => {
  const [old, now] = ["ab".repeat(32), "cd".repeat(32)];
  const [before, after] = [
    { web: [{ version: "1.0.0", digest: old }] },
    { web: [{ version: "1.0.0", digest: `sha256:${now}` }] },
  ];
  const objects = made(subject.decide(await step([{}, before]), event));
  const decision = subject.decide(await step([before, after], { objects: objects }), event);
  const [held] = writtenBy(decision, "replace", HelmApplicationVersion);
  const [told] = writtenBy(decision, "replaceStatus", HelmApplicationVersion);
  expect(held?.spec.digest).toBe(old);
  expect(held?.metadata.labels).toMatchObject({ "application.kubesphere.io/index-state": "quarantined" });
  expect(told?.status?.state).toBe("active");
  expect(told?.status?.conditions?.[0]).toMatchObject({
    type: "Quarantined",
    status: "True",
    message: expect.stringMatching(new RegExp(`${old}.*${now}`)),
  });
  expect(writtenBy(decision, "replaceStatus", HelmRepo)).toMatchObject([{ status: { quarantinedVersions: 1 } }]);
  expect(announcedBy(decision)).toEqual(["repo.chart.changed", "repo.version.quarantined", "repo.synced"]);
  const version = { ...held, status: told?.status } as HelmApplicationVersion;
  const app = objects.filter(({ kind }) => kind === "HelmApplication");
  const still = subject.decide(await step([before, after], { objects: [...app, version] }), event);
  expect(writesOf(still)).toEqual(["replaceStatus helmrepos/repo-1"]);
  const annotations = { "application.kubesphere.io/accept-digest": now };
  const accepted = { ...version, metadata: { ...version.metadata, annotations } };
  const taken = subject.decide(await step([before, after], { objects: [...app, accepted] }), event);
  const [moved] = writtenBy(taken, "replace", HelmApplicationVersion);
  expect(moved?.spec.digest).toBe(`sha256:${now}`);
  expect(moved?.metadata).not.toHaveProperty("labels.application.kubesphere.io/index-state");
  expect(moved?.metadata.annotations).toEqual({});
  expect(writtenBy(taken, "replaceStatus", HelmApplicationVersion)[0]?.status?.conditions?.[0]).toMatchObject({
    status: "False",
    reason: "Accepted",
  });
});

it("keeps an older version while a release uses it, and for a moment after it was asked for", async () => {
  const before = { web: ["1.0.0", "1.1.0"] };
  const after = { web: ["1.0.0", "1.1.0", "1.2.0"] };
  const objects = made(subject.decide(await step([{}, before]), event));
  const oldest = versionsOf(objects).find(({ spec }) => spec.version === "1.0.0");
  const name = oldest?.metadata.name ?? "";
  const gone = subject.decide(await step([before, after], { objects: objects }), event);
  expect(writesOf(gone)).toContain(`remove helmapplicationversions/${name}`);
  const stays = subject.decide(await step([before, after], { objects: objects, used: new Set([name]) }), event);
  expect(writtenBy(stays, "replace", HelmApplicationVersion)[0]?.metadata.labels).toMatchObject({
    "application.kubesphere.io/index-state": "older",
  });
  expect(writtenBy(stays, "replaceStatus", HelmRepo)).toMatchObject([{ status: { olderVersions: 1 } }]);
});

it("takes over what an index says anew of the same bytes, and that a chart is deprecated", async () => {
  const before = { web: ["1.0.0"] };
  const after = { web: [{ version: "1.0.0", deprecated: true }] };
  const objects = made(subject.decide(await step([{}, before]), event));
  const decision = subject.decide(await step([before, after], { objects: objects }), event);
  expect(writtenBy(decision, "replace", HelmApplicationVersion)).toMatchObject([{ spec: { deprecated: true } }]);
  expect(writtenBy(decision, "replaceStatus", HelmApplication)[0]?.status?.conditions).toMatchObject([
    { type: "Deprecated", status: "True" },
  ]);
});

it("lets applications go with their repository, also those that were made without it", async () => {
  const world = await step([{}, { web: ["1.0.0"] }]);
  const [app] = writtenBy(subject.decide(world, event), "create", HelmApplication);
  const owner = {
    apiVersion: "application.kubesphere.io/v1alpha1",
    kind: "HelmRepo",
    name: "repo-1",
    uid: "uid-repo-1",
  };
  expect(app?.metadata.ownerReferences).toEqual([owner]);
  const { ownerReferences: _, ...metadata } = app?.metadata ?? { name: "" };
  const bare = { ...app, metadata } as HelmApplication;
  const adopted = subject.decide(await step([{}, { web: ["1.0.0"] }], { objects: [bare] }), event);
  expect(writtenBy(adopted, "replace", HelmApplication)[0]?.metadata.ownerReferences).toEqual([owner]);
});

it("finishes versions whose status a crash cut off", async () => {
  const objects = made(subject.decide(await step([{}, { web: ["1.0.0"] }]), event));
  const cut = objects.map(({ status: _, ...object }) => object) as unknown as Objects;
  const decision = subject.decide(await step([{}, { web: ["1.0.0"] }], { objects: cut }), event);
  expect(decision.write?.map(({ verb, kind }) => `${verb} ${kind.kind}`)).toEqual([
    "replaceStatus HelmApplication",
    "replaceStatus HelmApplicationVersion",
    "replaceStatus HelmRepo",
  ]);
});

it("fails a sync whose index is lost, so that the next one fetches it again", () => {
  const decision = subject.decide({ plan: "lost", repo, now: NOW }, event);
  expect(writtenBy(decision, "replaceStatus")).toMatchObject([{ status: { state: "failed" } }]);
  expect(decision.announce?.[0]?.data).toMatchObject({ reason: "IndexLost" });
});

it("gives up the index before last, which nothing speaks of any more", async () => {
  const world = await step([{}, { web: ["1.0.0"] }]);
  const status = { ...repo.status, previousIndexDigest: "sha256:99" };
  const decision = subject.decide({ ...world, repo: { ...repo, status } }, event);
  expect(decision.forget).toEqual([{ bucket: "indexes", key: "repo-1/sha256:99" }]);
  const flipped = { ...repo, status: { ...repo.status, previousIndexDigest: "sha256:11" } };
  expect(subject.decide({ ...world, repo: flipped }, event).forget).toEqual([]);
});
