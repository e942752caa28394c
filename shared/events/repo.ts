import * as z from "zod";
import { defineEvent } from "../event.ts";
import { ping } from "../origin.ts";

const Repo = { repo: z.string().min(1).max(253).describe("HelmRepo name.") };

const SyncId = { sync: z.string().min(1).max(256).describe("Id of the event that asked for the sync.") };

const Only = {
  chart: z.string().min(1).max(512).optional().describe("Only this chart is looked at, where the source allows it."),
  version: z.string().min(1).max(256).optional().describe("Version or tag of that chart that was pushed."),
};

/** Time to look which repositories are due. */
export const RepoSyncTick = defineEvent({
  type: "repo.sync.tick",
  summary: "Time to look which repositories are due for a sync.",
  data: z.object({}),
  example: {},
  origin: ping("repo-sync-tick", "* * * * *", {}),
});

/** A repository is due, was changed, or somebody asked for a sync. */
export const RepoSyncRequested = defineEvent({
  type: "repo.sync.requested",
  summary: "A repository should be fetched now.",
  data: z.object({
    ...Repo,
    reason: z.enum(["due", "new", "changed", "retry", "requested", "pushed", "resumed"]).describe("Why now."),
    force: z.boolean().optional().describe("Sync even if the state says that it is not due."),
    ...Only,
  }),
  example: { repo: "repo-300m50zn91nwz5", reason: "due" },
});

/** A sync begins. */
export const RepoSyncStarted = defineEvent({
  type: "repo.sync.started",
  summary: "A sync of a repository begins: its index is to be fetched and compared with what is known.",
  data: z.object({
    ...Repo,
    ...SyncId,
    reason: z.string().max(64).describe("Why now."),
    force: z.boolean().optional().describe("Sync even if the state says that it is not due."),
    ...Only,
  }),
  example: { repo: "repo-300m50zn91nwz5", sync: "9d6ffa1d8b1c6a4a7d4b1ef2c6d3b1a0", reason: "due" },
});

/** A sync found changes, and more of its charts are to be brought to them. */
export const RepoSyncContinued = defineEvent({
  type: "repo.sync.continued",
  summary: "The next charts of a repository are to be brought to the index that was fetched.",
  data: z.object({
    ...Repo,
    ...SyncId,
    from: z.string().max(128).optional().describe("Digest of the stored index before."),
    to: z.string().max(128).describe("Digest of the stored index that was fetched."),
    all: z.boolean().describe("Whether all charts are looked at, not only those that changed."),
    limit: z.int().min(1).describe("Versions of each chart that become objects."),
    after: z.string().max(512).describe("Name of the last chart that is done; empty: none is."),
  }),
  example: {
    repo: "repo-300m50zn91nwz5",
    sync: "9d6ffa1d8b1c6a4a7d4b1ef2c6d3b1a0",
    to: "sha256:5f2c1d",
    all: true,
    limit: 10,
    after: "redis",
  },
});

/** A sync ended well. */
export const RepoSynced = defineEvent({
  type: "repo.synced",
  summary: "A repository was fetched and its applications and versions are up to date.",
  data: z.object({
    ...Repo,
    changed: z.boolean().describe("Whether the index differed from the last sync."),
    charts: z.int().describe("Charts in the index."),
    versions: z.int().describe("Chart versions in the index."),
    dropped: z.int().describe("Entries that could not be used."),
  }),
  example: { repo: "repo-300m50zn91nwz5", changed: true, charts: 11, versions: 1628, dropped: 0 },
});

/** A sync failed; the old applications stay. */
export const RepoSyncFailed = defineEvent({
  type: "repo.sync.failed",
  summary: "A repository could not be fetched or read; what was known before stays.",
  data: z.object({ ...Repo, reason: z.string(), message: z.string().max(1024) }),
  example: { repo: "repo-300m50zn91nwz5", reason: "FetchFailed", message: "GET index.yaml: 503" },
});

/** A version was published again with other bytes. */
export const RepoVersionQuarantined = defineEvent({
  type: "repo.version.quarantined",
  summary: "A repository published a version again with other bytes; the old ones keep serving until a person decides.",
  data: z.object({
    ...Repo,
    chart: z.string(),
    version: z.string().describe("Version of the chart."),
    name: z.string().describe("HelmApplicationVersion name."),
    digest: z.string().describe("Digest that keeps serving."),
    offered: z.string().describe("Digest that the repository publishes now."),
  }),
  example: {
    repo: "repo-300m50zn91nwz5",
    chart: "redis",
    version: "1.2.3",
    name: "appv-n04mj714o54k56",
    digest: "5f2c1d",
    offered: "9ab03e",
  },
});

/** What a sync found different in one chart. */
export const RepoChartChanged = defineEvent({
  type: "repo.chart.changed",
  summary: "Versions of one chart appeared, changed their digest, or were withdrawn.",
  data: z.object({
    ...Repo,
    chart: z.string(),
    app: z.string().describe("HelmApplication name."),
    added: z.array(z.string()).max(200).describe("Versions that are new, newest first (at most 200 are named)."),
    redigested: z.array(z.string()).max(200).describe("Versions published again with other bytes."),
    withdrawn: z.array(z.string()).max(200).describe("Versions that the index no longer lists."),
  }),
  example: {
    repo: "repo-300m50zn91nwz5",
    chart: "redis",
    app: "app-n04mj714o54k56",
    added: ["1.2.3"],
    redigested: [],
    withdrawn: [],
  },
});
