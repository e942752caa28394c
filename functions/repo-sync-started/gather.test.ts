import { expect, it } from "vitest";
import { readIndex } from "../../shared/charts/index-reader.ts";
import { Failure } from "../../shared/errors.ts";
import { RepoSyncStarted } from "../../shared/events/repo.ts";
import type { FetchedIndex, KnownIndex } from "../../shared/ports.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { indexText } from "../../test/support/index-text.ts";
import { given, happened, LONG_AGO, NOW } from "../../test/support/objects.ts";
import { gather, type SyncPorts } from "./gather.ts";

const started = () => happened(RepoSyncStarted, { repo: "repo-1", sync: "event-0", reason: "new" });
const spec = { name: "charts", url: "https://charts.example.com" };
const repo = given(HelmRepo, "repo-1", { spec });
const synced = {
  observedGeneration: 1,
  etag: '"1"',
  indexDigest: "sha256:00",
  syncState: [{ state: "successful", syncTime: LONG_AGO }],
};
const down = async () => {
  throw new Failure("Unavailable", "it is down", { retryAfterMs: 5_000 });
};

interface Given {
  readonly repo?: HelmRepo;
  readonly stored?: Uint8Array;
  fetchIndex(access: unknown, known?: KnownIndex): Promise<FetchedIndex>;
}

function ports({ repo: found = repo, stored, fetchIndex }: Given): SyncPorts {
  return {
    kube: { get: async () => found as never, list: down },
    blobs: { get: stored ? async () => stored : down, put: down, remove: down },
    charts: { fetchIndex, fetchPackage: down, readArchive: down },
    clock: { now: () => NOW },
  };
}

const answer =
  (text: string, more: object = {}) =>
  async (): Promise<FetchedIndex> => ({
    changed: true,
    chunks: ReadableStream.from([Buffer.from(text)]),
    ...more,
  });

it("blames the repository for what keeps its index from being fetched or read", async () => {
  const failed = await gather(started(), ports({ fetchIndex: down }));
  const problem = { reason: "FetchFailed", message: "it is down", retryAfterMs: 5_000 };
  expect(failed).toMatchObject({ plan: "sync", fetched: { outcome: "failed", problem } });
  const empty = await gather(started(), ports({ fetchIndex: answer("") }));
  expect(empty).toMatchObject({ fetched: { outcome: "failed", problem: { reason: "EmptyIndex" } } });
});

it("tries again when the object store is down, without blaming the repository", async () => {
  const known = ports({ repo: given(HelmRepo, "repo-1", { spec, status: synced }), fetchIndex: answer(indexText({})) });
  const event = { ...started(), data: { ...started().data, force: true } };
  await expect(gather(event, known)).rejects.toThrow("it is down");
});

it("fetches an index once for an event, however often the event is decided", async () => {
  let fetches = 0;
  const fetchIndex = () => {
    fetches += 1;
    return answer(indexText({ web: ["1.0.0"] }))();
  };
  const event = started();
  const first = await gather(event, ports({ fetchIndex }));
  const written = given(HelmRepo, "repo-1", { spec, metadata: { resourceVersion: "2", labels: { a: "b" } } });
  const again = await gather(event, ports({ repo: written, fetchIndex }));
  expect(again).toEqual({ ...first, repo: written });
  expect(fetches).toBe(1);
  const edited = given(HelmRepo, "repo-1", { spec, metadata: { generation: 2 } });
  await gather(event, ports({ repo: edited, fetchIndex }));
  expect(fetches).toBe(2);
});

it("sends the validators along, but not after an edit, and opens a known index only where one has come", async () => {
  const asked: (KnownIndex | undefined)[] = [];
  const fetchIndex = async (_: unknown, known?: KnownIndex): Promise<FetchedIndex> => {
    asked.push(known);
    return { changed: false };
  };
  const event = { ...started(), data: { ...started().data, force: true, chart: "web" } };
  const world = await gather(event, ports({ repo: given(HelmRepo, "repo-1", { spec, status: synced }), fetchIndex }));
  expect(world).toMatchObject({ plan: "sync", fetched: { outcome: "notModified" }, known: undefined });
  const edited = given(HelmRepo, "repo-1", { spec, status: { ...synced, observedGeneration: 0 } });
  await gather({ ...event }, ports({ repo: edited, fetchIndex }));
  expect(asked).toEqual([{ etag: '"1"', only: { chart: "web" } }, { only: { chart: "web" } }]);
});

it("keeps the charts that an answer for one chart says nothing about", async () => {
  const { stored, index } = await readIndex(
    ReadableStream.from([Buffer.from(indexText({ db: ["1.0.0"], web: ["1.0.0"] }))]),
  );
  const fetchIndex = answer(indexText({ web: ["1.1.0", "1.0.0"] }), { partial: true });
  const known = given(HelmRepo, "repo-1", { spec, status: synced });
  const event = { ...started(), data: { ...started().data, force: true, chart: "web" } };
  const world = await gather(event, ports({ repo: known, stored, fetchIndex }));
  const whole = await readIndex(
    ReadableStream.from([Buffer.from(indexText({ db: ["1.0.0"], web: ["1.1.0", "1.0.0"] }))]),
  );
  if (world.plan !== "sync" || world.fetched.outcome !== "read") throw new Error("nothing was read");
  const { read } = world.fetched;
  expect(read.changed).toEqual(["web"]);
  expect(read.index.contentDigest).toBe(whole.contentDigest);
  expect(read.index.entry("db")).toEqual(index.entry("db"));
});

it("leaves a sync to others that is not its own, and tells again what its own has come to", async () => {
  const sync = { id: "event-9", reason: "due", startedTime: LONG_AGO, renewedTime: LONG_AGO };
  const portsFor = (status: NonNullable<HelmRepo["status"]>) =>
    ports({ repo: given(HelmRepo, "repo-1", { spec, status }), fetchIndex: down });
  expect(await gather(started(), portsFor({ sync }))).toEqual({ plan: "none" });
  expect(await gather(started(), portsFor(synced))).toEqual({ plan: "none" });
  const fetched = { ...sync, id: "event-0", to: "sha256:11" };
  expect(await gather(started(), portsFor({ sync: fetched }))).toMatchObject({ plan: "repeat" });
  expect(await gather(started(), portsFor({ ...synced, lastSyncEvent: "event-0" }))).toMatchObject({ plan: "repeat" });
});
