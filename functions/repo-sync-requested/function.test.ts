import { expect, it } from "vitest";
import { RepoSyncRequested } from "../../shared/events/repo.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { announcedBy, given, happened, LONG_AGO, NOW, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";

const spec = { name: "charts", url: "https://charts.example.com" };
const event = happened(RepoSyncRequested, { repo: "repo-1", reason: "new" });
const pushed = happened(RepoSyncRequested, { repo: "repo-1", reason: "pushed", force: true, chart: "web" });
const synced = {
  state: "successful" as const,
  observedGeneration: 1,
  syncState: [{ state: "successful", syncTime: NOW.toISOString() }],
  statistics: { fetchMs: 40 },
};
const sync = { id: "event-0", reason: "due", startedTime: LONG_AGO, renewedTime: NOW.toISOString() };

it("marks a new repository as syncing before its index is fetched", () => {
  const repo = given(HelmRepo, "repo-1", { spec, metadata: { generation: 3 } });
  const decision = subject.decide({ repo, now: NOW }, event);
  expect(writtenBy(decision, "replaceStatus")).toMatchObject([
    {
      status: {
        state: "syncing",
        sync: { id: event.id, reason: "new", generation: 3, version: 0, request: "" },
        conditions: [{ type: "Reconciling", status: "True", reason: "Fetching" }],
      },
    },
  ]);
  expect(decision.announce?.map(({ data }) => data)).toEqual([{ repo: "repo-1", sync: event.id, reason: "new" }]);
});

it("writes nothing where the fetch is known to be quick, and nothing happens where no sync is due", () => {
  const repo = given(HelmRepo, "repo-1", { spec, status: synced });
  expect(subject.decide({ repo, now: NOW }, pushed)).toEqual({
    outcome: "change",
    announce: [
      expect.objectContaining({
        data: { repo: "repo-1", sync: pushed.id, reason: "pushed", force: true, chart: "web" },
      }),
    ],
  });
  expect(subject.decide({ repo, now: NOW }, event)).toEqual({ outcome: "change" });
  expect(subject.decide({ repo: undefined, now: NOW }, event)).toEqual({ outcome: "change" });
});

it("remembers what is asked for during a sync, and asks for no less when more comes", () => {
  const repo = given(HelmRepo, "repo-1", { spec, status: { ...synced, sync } });
  expect(writesOf(subject.decide({ repo, now: NOW }, event))).toEqual([]);
  const [once] = writtenBy(subject.decide({ repo, now: NOW }, pushed), "replaceStatus", HelmRepo);
  expect(once?.status?.queued).toEqual({ id: pushed.id, reason: "pushed", chart: "web" });
  expect(writesOf(subject.decide({ repo: once, now: NOW }, pushed))).toEqual([]);
  const other = { ...pushed, id: "event-2", data: { ...pushed.data, chart: "db" } };
  const [both] = writtenBy(subject.decide({ repo: once, now: NOW }, other), "replaceStatus", HelmRepo);
  expect(both?.status?.queued).toEqual({ id: "event-2", reason: "pushed" });
});

it("begins with what was remembered once the sync is over", () => {
  const queued = { id: "event-0", reason: "pushed", chart: "web", version: "1.0.0" };
  const repo = given(HelmRepo, "repo-1", { spec, status: { ...synced, queued } });
  const decision = subject.decide(
    { repo, now: NOW },
    happened(RepoSyncRequested, { repo: "repo-1", reason: "pushed" }),
  );
  expect(decision.announce?.[0]?.data).toMatchObject({ force: true, chart: "web", version: "1.0.0" });
  expect(writtenBy(decision, "replaceStatus", HelmRepo)[0]?.status).not.toHaveProperty("queued");
});

it("announces its own beginning again, and leaves the sync of another event alone", () => {
  const repo = given(HelmRepo, "repo-1", { spec, status: { ...synced, sync: { ...sync, id: event.id } } });
  expect(announcedBy(subject.decide({ repo, now: NOW }, event))).toEqual(["repo.sync.started"]);
  const other = given(HelmRepo, "repo-1", { spec, status: { ...synced, sync } });
  expect(announcedBy(subject.decide({ repo: other, now: NOW }, event))).toEqual([]);
});

it("takes up a sync that stands still, in the place where it stopped", () => {
  const stuck = { ...sync, renewedTime: LONG_AGO };
  const fetching = given(HelmRepo, "repo-1", { spec, status: { ...synced, sync: stuck } });
  const again = subject.decide({ repo: fetching, now: NOW }, event);
  expect(again.announce?.[0]?.data).toMatchObject({ sync: "event-0", force: true });
  expect(writtenBy(again, "replaceStatus", HelmRepo)[0]?.status?.sync).toMatchObject({ resumes: 1 });
  const writing = { ...stuck, from: "sha256:00", to: "sha256:11", all: false, limit: 3, after: "redis" };
  const steps = given(HelmRepo, "repo-1", { spec, status: { ...synced, sync: writing } });
  const next = subject.decide({ repo: steps, now: NOW }, event);
  const data = {
    repo: "repo-1",
    sync: "event-0",
    from: "sha256:00",
    to: "sha256:11",
    all: false,
    limit: 3,
    after: "redis",
  };
  expect(next.announce?.map((fact) => fact.data)).toEqual([data]);
});

it("gives up in the end, and says where to look", () => {
  const stuck = { ...sync, renewedTime: LONG_AGO, to: "sha256:11", after: "redis", resumes: 5 };
  const repo = given(HelmRepo, "repo-1", { spec, status: { ...synced, sync: stuck } });
  const decision = subject.decide({ repo, now: NOW }, event);
  const [written] = writtenBy(decision, "replaceStatus", HelmRepo);
  expect(written?.status).not.toHaveProperty("sync");
  expect(written?.status).toMatchObject({ state: "failed", lastSyncEvent: "event-0" });
  expect(decision.announce?.[0]?.data).toMatchObject({
    reason: "SyncStuck",
    message: expect.stringMatching(/after chart redis.*dead letters/),
  });
});

it("moves credentials out of the spec before it begins: the Secret first, then the blanked repository, then the mark", () => {
  const credential = { username: "ann", password: "hidden", insecureSkipTLSVerify: true };
  const repo = given(HelmRepo, "repo-1", { spec: { ...spec, credential } });
  const decision = subject.decide({ repo, now: NOW }, event);
  expect(writesOf(decision)).toEqual([
    "apply secrets/openpitrix/repo-1-credentials",
    "replace helmrepos/repo-1",
    "replaceStatus helmrepos/repo-1",
  ]);
  expect(decision.write?.map((write) => write.last ?? false)).toEqual([false, true, true]);
  expect(writtenBy(decision, "apply")).toMatchObject([{ data: { username: "YW5u", password: "aGlkZGVu" } }]);
  const [blanked] = writtenBy(decision, "replace", HelmRepo);
  expect(blanked?.spec).toMatchObject({
    credential: { insecureSkipTLSVerify: true },
    secretRef: { name: "repo-1-credentials" },
  });
  expect(JSON.stringify(blanked)).not.toContain("hidden");
  const [marked] = writtenBy(decision, "replaceStatus", HelmRepo);
  expect(marked?.status?.sync?.generation).toBe(2);
  expect(marked?.status?.conditions?.map(({ type }) => type)).toEqual(["CredentialsMoved", "Reconciling"]);
});

it("moves credentials out of the URL too, and out of kubectl's copy", () => {
  const url = "https://ann:hidden@charts.example.com/stable";
  const annotations = { "kubectl.kubernetes.io/last-applied-configuration": `{"spec":{"url":"${url}"}}`, team: "web" };
  const repo = given(HelmRepo, "repo-1", { metadata: { annotations }, spec: { ...spec, url } });
  const decision = subject.decide({ repo, now: NOW }, event);
  expect(writtenBy(decision, "apply")).toMatchObject([{ data: { username: "YW5u", password: "aGlkZGVu" } }]);
  const [blanked] = writtenBy(decision, "replace", HelmRepo);
  expect(blanked?.spec).toMatchObject({
    url: "https://charts.example.com/stable",
    secretRef: { name: "repo-1-credentials" },
  });
  expect(blanked?.metadata.annotations).toEqual({ team: "web" });
});

it("leaves credentials where somebody named a Secret of another name", () => {
  const secretRef = { name: "mine" };
  const repo = given(HelmRepo, "repo-1", { spec: { ...spec, credential: { password: "x" }, secretRef } });
  expect(writesOf(subject.decide({ repo, now: NOW }, event))).toEqual(["replaceStatus helmrepos/repo-1"]);
});
