import { expect, it } from "vitest";
import { readIndex } from "../../shared/charts/index-reader.ts";
import { RepoSyncStarted } from "../../shared/events/repo.ts";
import { syncDue } from "../../shared/lifecycle/sync-schedule.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { ANNOTATION } from "../../shared/resources/labels.ts";
import { indexText } from "../../test/support/index-text.ts";
import { announcedBy, given, happened, NOW, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";
import type { ReadIndex, SyncWorld } from "./world.ts";

const event = happened(RepoSyncStarted, { repo: "repo-1", sync: "event-0", reason: "due" });
const spec = { name: "charts", url: "https://charts.example.com", syncPeriod: 3600 };
const sync = {
  id: "event-0",
  reason: "due",
  startedTime: NOW.toISOString(),
  renewedTime: NOW.toISOString(),
  request: "",
  version: 0,
  generation: 1,
};

async function read(charts: Parameters<typeof indexText>[0], over: Partial<ReadIndex> = {}): Promise<ReadIndex> {
  const text = indexText(charts);
  const { index, stored, complete, changed, bytes, problems } = await readIndex(
    ReadableStream.from([Buffer.from(text)]),
  );
  const rest = { partial: false, dropped: problems.count, problems: [], pending: 0 };
  return { index, stored, complete, changed, bytes, ...rest, ...over };
}

async function world(over: Partial<SyncWorld> = {}): Promise<SyncWorld> {
  const repo = given(HelmRepo, "repo-1", { spec });
  return {
    plan: "sync",
    repo,
    sync,
    fetched: { outcome: "notModified" },
    known: undefined,
    standouts: false,
    now: NOW,
    ...over,
  };
}

const ended = "2026-05-04T11:00:00.000Z";
const synced = {
  state: "successful" as const,
  observedGeneration: 1,
  syncState: [{ state: "successful", syncTime: ended }],
  lastSuccessfulTime: ended,
  lastHandledRequest: "",
  version: 0,
  totalCharts: 2,
  totalChartVersions: 3,
};

it("keeps a new index and plans the steps that write it, without touching an application", async () => {
  const found = await read({ web: ["1.0.0", "1.1.0"], db: ["2.0.0"] }, { etag: '"1"' });
  const decision = subject.decide(await world({ fetched: { outcome: "read", read: found } }), event);
  expect(decision.blobs).toEqual([
    { bucket: "indexes", key: `repo-1/${found.index.contentDigest}`, bytes: found.stored },
  ]);
  expect(writesOf(decision)).toEqual(["replaceStatus helmrepos/repo-1"]);
  const [written] = writtenBy(decision, "replaceStatus", HelmRepo);
  expect(written?.status).toMatchObject({
    state: "syncing",
    sync: {
      to: found.index.contentDigest,
      all: true,
      limit: 10,
      after: "",
      chartsDone: 0,
      chartsTotal: 2,
      objectsTotal: 5,
      etag: '"1"',
    },
    statistics: { bytes: found.bytes, indexBytes: found.bytes },
    conditions: [{ type: "Reconciling", message: `charts 0 of 2, objects 0 of 5, since ${sync.startedTime}` }],
  });
  expect(written?.status).not.toHaveProperty("etag");
  const plan = { repo: "repo-1", sync: "event-0", to: found.index.contentDigest, all: true, limit: 10, after: "" };
  expect(decision.announce?.map(({ data }) => data)).toEqual([plan]);
});

it("counts syncs that found nothing new, and touches nothing but the repository", async () => {
  const found = await read({ web: ["1.0.0"] }, { bytes: 700 });
  const status = {
    ...synced,
    indexDigest: found.index.contentDigest,
    notModifiedCount: 3,
    statistics: { indexBytes: 600, syncs: 4 },
  };
  const repo = given(HelmRepo, "repo-1", { spec, status });
  const same = subject.decide(
    await world({ repo, known: found.index, fetched: { outcome: "read", read: found } }),
    event,
  );
  expect(writtenBy(same, "replaceStatus")).toMatchObject([
    {
      status: {
        notModifiedCount: 4,
        totalCharts: 2,
        lastSuccessfulTime: NOW.toISOString(),
        statistics: { syncs: 5, unchanged: 1, bytes: 700 },
      },
    },
  ]);
  expect(same.announce?.[0]?.data).toEqual({ repo: "repo-1", changed: false, charts: 2, versions: 3, dropped: 0 });
  const spared = subject.decide(await world({ repo }), event);
  expect(writtenBy(spared, "replaceStatus")).toMatchObject([
    { status: { statistics: { notModified: 1, bytesSaved: 600 } } },
  ]);
});

it("writes nothing at all where the same was found within the minute", async () => {
  const status = { ...synced, lastSuccessfulTime: new Date(NOW.getTime() - 30_000).toISOString() };
  const repo = given(HelmRepo, "repo-1", { spec, status });
  const decision = subject.decide(await world({ repo }), event);
  expect(writesOf(decision)).toEqual([]);
  expect(announcedBy(decision)).toEqual(["repo.synced"]);
  const asked = { ...sync, request: "now" };
  expect(writesOf(subject.decide(await world({ repo, sync: asked }), event))).toHaveLength(1);
});

it("keeps what was known when a sync fails, says why, and waits as long as the server asks", async () => {
  const repo = given(HelmRepo, "repo-1", { spec, status: { ...synced, indexDigest: "sha256:00" } });
  const problem = { reason: "FetchFailed", message: "GET index.yaml: 503", retryAfterMs: 900_000 };
  const decision = subject.decide(await world({ repo, fetched: { outcome: "failed", problem } }), event);
  const [written] = writtenBy(decision, "replaceStatus", HelmRepo);
  expect(written?.status).toMatchObject({
    state: "failed",
    indexDigest: "sha256:00",
    lastSuccessfulTime: ended,
    nextSyncTime: "2026-05-04T12:15:00.000Z",
    statistics: { failures: 1 },
    conditions: [
      {
        type: "Ready",
        status: "False",
        reason: "FetchFailed",
        message: `GET index.yaml: 503; applications are as of ${ended}`,
      },
      { type: "Stalled", status: "True" },
    ],
  });
  expect(announcedBy(decision)).toEqual(["repo.sync.failed"]);
  const again = subject.decide({ plan: "repeat", repo: written ?? repo }, event);
  expect(announcedBy(again)).toEqual(["repo.sync.failed"]);
  expect(writesOf(again)).toEqual([]);
});

it("does not believe at once that most of a repository is gone, or a text that was cut off", async () => {
  const versions = Array.from({ length: 20 }, (_, at) => `1.0.${at}`);
  const known = (await read({ web: versions, db: versions })).index;
  const repo = given(HelmRepo, "repo-1", { spec, status: { ...synced, indexDigest: known.contentDigest } });
  const less = await read({ web: versions.slice(0, 5) }, { changed: ["web", "db"] });
  const first = subject.decide(await world({ repo, known, fetched: { outcome: "read", read: less } }), event);
  const [told] = writtenBy(first, "replaceStatus", HelmRepo);
  expect(told?.status).toMatchObject({ state: "failed", suspect: { digest: less.index.contentDigest } });
  expect(first.announce?.[0]?.data).toMatchObject({
    reason: "SuspectIndex",
    message: expect.stringContaining("35 of 40"),
  });
  const second = subject.decide(
    await world({ repo: told ?? repo, known, fetched: { outcome: "read", read: less } }),
    event,
  );
  expect(announcedBy(second)).toEqual(["repo.sync.continued"]);
  const cut = await read({ web: versions, db: versions.slice(1) }, { changed: ["db"], complete: false });
  const third = subject.decide(await world({ repo, known, fetched: { outcome: "read", read: cut } }), event);
  expect(third.announce?.[0]?.data).toMatchObject({ message: expect.stringContaining("1 of 40") });
  const meant = { ...cut, complete: true };
  const fourth = subject.decide(await world({ repo, known, fetched: { outcome: "read", read: meant } }), event);
  expect(announcedBy(fourth)).toEqual(["repo.sync.continued"]);
});

it("looks at all charts again after an edit, and where a version stands out", async () => {
  const found = await read({ web: ["1.0.0"] });
  const status = { ...synced, indexDigest: found.index.contentDigest };
  const edited = given(HelmRepo, "repo-1", { spec, status, metadata: { generation: 2 } });
  const fetched = { outcome: "read" as const, read: found };
  const both = [
    subject.decide(await world({ repo: edited, known: found.index, fetched }), event),
    subject.decide(
      await world({ repo: given(HelmRepo, "repo-1", { spec, status }), known: found.index, standouts: true }),
      event,
    ),
  ];
  for (const decision of both)
    expect(decision.announce?.[0]?.data).toMatchObject({ all: true, to: found.index.contentDigest });
});

it("asks again for a push that another sync was begun before, so that it is not lost", () => {
  const repo = given(HelmRepo, "repo-1", { spec, status: { ...synced, sync: { ...sync, id: "event-9" } } });
  const pushed = { repo: "repo-1", sync: "event-0", reason: "pushed", force: true, chart: "web", version: "1.2.0" };
  const { announce } = subject.decide({ plan: "overtaken", repo }, happened(RepoSyncStarted, pushed));
  expect(announce?.map(({ type, data }) => ({ type, data }))).toEqual([
    {
      type: "io.openpitrix.repo.sync.requested",
      data: { repo: "repo-1", reason: "pushed", force: true, chart: "web", version: "1.2.0" },
    },
  ]);
});

it("counts as handled what was asked before the fetch, and leaves what came later to the next sync", async () => {
  const found = await read({ web: ["1.0.0"] });
  const queued = { id: "event-7", reason: "pushed", chart: "web" };
  const status = { ...synced, indexDigest: found.index.contentDigest, queued };
  const annotations = { [ANNOTATION.requestedAt]: "second" };
  const repo = given(HelmRepo, "repo-1", {
    spec: { ...spec, version: 2 },
    status,
    metadata: { annotations, generation: 2 },
  });
  const unedited = { ...repo, metadata: { ...repo.metadata, generation: 1 } };
  const before = { ...sync, request: "first", version: 1 };
  const seen = { sync: before, known: found.index, fetched: { outcome: "read" as const, read: found } };
  const [written] = writtenBy(
    subject.decide(await world({ repo: unedited, ...seen }), event),
    "replaceStatus",
    HelmRepo,
  );
  expect(written?.status).toMatchObject({ lastHandledRequest: "first", version: 1, observedGeneration: 1, queued });
  if (!written) throw new Error("no status was written");
  const { queued: _, ...left } = written.status ?? {};
  expect(syncDue(written, NOW)).toBe("pushed");
  expect(syncDue({ ...written, status: left }, NOW)).toBe("requested");
});
