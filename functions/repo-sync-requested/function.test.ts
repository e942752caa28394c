import { expect, it } from "vitest";
import { parseIndex } from "../../shared/charts/index-file.ts";
import { encodeEntries } from "../../shared/charts/stored-index.ts";
import { RepoSyncRequested } from "../../shared/events/repo.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { announcedBy, given, happened, NOW, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";
import type { ChangedWorld } from "./world.ts";

const event = happened(RepoSyncRequested, { repo: "repo-1", reason: "new" });
const repo = given(HelmRepo, "repo-1", {
  metadata: { labels: { "kubesphere.io/workspace": "demo" } },
  spec: { name: "charts", url: "https://charts.example.com", syncPeriod: 3600, versionHistoryLimit: 2 },
});

function indexOf(charts: Readonly<Record<string, readonly string[]>>) {
  const entries = Object.entries(charts).map(([name, versions]) => [
    name,
    versions.map((version) => ({
      name,
      version,
      apiVersion: "v2",
      urls: [`${name}-${version}.tgz`],
      digest: "cd".repeat(32),
    })),
  ]);
  return parseIndex(JSON.stringify({ apiVersion: "v1", entries: Object.fromEntries(entries) }));
}

function changedWorld(
  charts: Readonly<Record<string, readonly string[]>>,
  over: Partial<ChangedWorld> = {},
): ChangedWorld {
  const index = indexOf(charts);
  const stored = encodeEntries(index.entries);
  const empty = { validators: { etag: '"1"' }, previous: [], apps: [], versions: [], now: NOW };
  return { plan: "changed", repo, index, stored, digest: `sha256:${"11".repeat(32)}`, ...empty, ...over };
}

it("makes an application per chart, its newest versions as objects, and writes the repository last", () => {
  const decision = subject.decide(changedWorld({ web: ["1.0.0", "1.2.0", "1.1.0"], db: ["2.0.0"] }), event);
  expect(writtenBy(decision, "create", HelmApplication)).toHaveLength(2);
  const versions = writtenBy(decision, "create", HelmApplicationVersion);
  expect(versions.map(({ spec }) => `${spec.name} ${spec.version}`).sort()).toEqual([
    "db 2.0.0",
    "web 1.1.0",
    "web 1.2.0",
  ]);
  expect(versions[0]).toMatchObject({
    metadata: { labels: { "application.kubesphere.io/repo-id": "repo-1", "kubesphere.io/workspace": "demo" } },
    status: { state: "active" },
  });
  expect(decision.write?.at(-1)).toMatchObject({ verb: "replaceStatus", last: true });
  expect(writtenBy(decision, "replaceStatus")).toMatchObject([
    {
      status: {
        state: "successful",
        totalCharts: 2,
        totalChartVersions: 4,
        droppedEntries: 0,
        etag: '"1"',
        lastSyncEvent: event.id,
        nextSyncTime: "2026-05-04T13:00:00.000Z",
        conditions: [
          { type: "Ready", status: "True" },
          { type: "Stalled", status: "False" },
        ],
      },
    },
  ]);
  expect(announcedBy(decision)).toEqual(["repo.chart.changed", "repo.chart.changed", "repo.synced"]);
});

it("lets applications go with their repository, also those that were made without it", () => {
  const world = changedWorld({ web: ["1.0.0"] });
  const [app] = writtenBy(subject.decide(world, event), "create", HelmApplication);
  const owner = {
    apiVersion: "application.kubesphere.io/v1alpha1",
    kind: "HelmRepo",
    name: "repo-1",
    uid: "uid-repo-1",
  };
  expect(app?.metadata.ownerReferences).toEqual([owner]);
  if (!app) throw new Error("no application was made");
  const { ownerReferences: _, ...metadata } = app.metadata;
  const adopted = subject.decide({ ...world, apps: [{ ...app, metadata }] }, event);
  expect(writtenBy(adopted, "apply", HelmApplication)[0]?.metadata.ownerReferences).toEqual([owner]);
  expect(writtenBy(subject.decide({ ...world, apps: [app] }, event), "apply", HelmApplication)).toEqual([]);
});

it("gives the same names again after all state is lost", () => {
  const names = () => writesOf(subject.decide(changedWorld({ web: ["1.0.0"] }), event));
  expect(names()).toEqual(names());
});

it("writes only what is new, and removes what the index no longer lists", () => {
  const before = changedWorld({ web: ["1.0.0"], db: ["2.0.0"] });
  const first = subject.decide(before, event);
  const apps = writtenBy(first, "create", HelmApplication);
  const versions = writtenBy(first, "create", HelmApplicationVersion);
  const after = changedWorld({ web: ["1.1.0", "1.0.0"] }, { previous: before.index.entries, apps, versions });
  const decision = subject.decide(after, event);
  const verbs = decision.write?.map(({ verb, kind }) => `${verb} ${kind.kind}`);
  expect(verbs).toEqual([
    "replaceStatus HelmApplication",
    "create HelmApplicationVersion",
    "remove HelmApplicationVersion",
    "remove HelmApplication",
    "replaceStatus HelmRepo",
  ]);
  expect(decision.announce?.map(({ data }) => data)).toMatchObject([
    { chart: "db", added: [], withdrawn: ["2.0.0"] },
    { chart: "web", added: ["1.1.0"], withdrawn: [] },
    { repo: "repo-1", changed: true, charts: 1, versions: 2 },
  ]);
});

it("finishes versions whose status a crash cut off", () => {
  const world = changedWorld({ web: ["1.0.0"] });
  const [app, version] = writtenBy(subject.decide(world, event), "create") as readonly [
    HelmApplication,
    HelmApplicationVersion,
  ];
  const { status: _, ...bare } = version;
  const decision = subject.decide({ ...world, apps: [app], versions: [bare as HelmApplicationVersion] }, event);
  expect(writesOf(decision)).toEqual([
    `replaceStatus helmapplicationversions/${version.metadata.name}`,
    "replaceStatus helmrepos/repo-1",
  ]);
});

it("tells the same facts again when the status has this event's sync already", () => {
  const world = changedWorld({ web: ["1.0.0"] });
  const first = subject.decide(world, event);
  const [written] = writtenBy(first, "replaceStatus") as readonly HelmRepo[];
  if (!written) throw new Error("no status was written");
  const again = subject.decide({ plan: "repeat", repo: written, previous: [], current: world.index.entries }, event);
  expect(again.write).toBeUndefined();
  expect(again.announce).toEqual(first.announce);
});

it("keeps what was known when a sync fails, and says why", () => {
  const known = {
    state: "successful" as const,
    indexDigest: "sha256:00",
    totalCharts: 2,
    lastSuccessfulTime: "2026-05-01T00:00:00Z",
  };
  const problem = { reason: "FetchFailed", message: "GET index.yaml: 503" };
  const decision = subject.decide({ plan: "failed", repo: { ...repo, status: known }, problem, now: NOW }, event);
  expect(writtenBy(decision, "replaceStatus")).toMatchObject([
    {
      status: {
        ...known,
        state: "failed",
        syncState: [{ state: "failed", message: problem.message }],
        nextSyncTime: "2026-05-04T12:01:00.000Z",
        conditions: [
          { type: "Ready", status: "False", reason: "FetchFailed" },
          { type: "Stalled", status: "True" },
        ],
      },
    },
  ]);
  expect(announcedBy(decision)).toEqual(["repo.sync.failed"]);
});

it("counts syncs that found nothing new, and touches nothing but the repository", () => {
  const status = { indexDigest: "sha256:00", totalCharts: 2, totalChartVersions: 5, notModifiedCount: 3 };
  const decision = subject.decide({ plan: "unchanged", repo: { ...repo, status }, validators: {}, now: NOW }, event);
  expect(writesOf(decision)).toEqual(["replaceStatus helmrepos/repo-1"]);
  expect(writtenBy(decision, "replaceStatus")).toMatchObject([{ status: { notModifiedCount: 4, totalCharts: 2 } }]);
  expect(decision.announce?.[0]?.data).toMatchObject({ changed: false, charts: 2, versions: 5 });
});
