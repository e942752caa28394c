import * as z from "zod";
import { defineEvent } from "../event.ts";
import { ping } from "../origin.ts";

const Repo = { repo: z.string().min(1).max(253).describe("HelmRepo name.") };

const SyncId = { sync: z.string().min(1).max(256).describe("Id of the event that asked for the sync.") };

const Only = {
  chart: z.string().min(1).max(512).optional().describe("Only this chart is looked at, where the source allows it."),
  version: z.string().min(1).max(256).optional().describe("Version or tag of that chart that was pushed."),
};

const Credential = z.object({
  envelope: z.string().max(128).describe("Key of the sealed credentials in the bucket envelopes."),
  key: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/)
    .describe("What opens the envelope, once: it is given up when the credentials are in their Secret."),
});

const Wish = {
  url: z.string().max(2048).describe("Address of the repository, without user name and password."),
  description: z.string().max(8192).optional().describe("What the repository offers; kept up to 512 bytes."),
  syncPeriod: z.string().max(64).optional().describe('Time between two syncs as Go writes it, e.g. 1h; "" or 0: none.'),
  credential: Credential.optional().describe("How to sign in to the repository."),
};

/** Somebody adds a repository. */
export const RepoAdded = defineEvent({
  type: "repo.added",
  summary: "A repository is to be added to a workspace, or to the store.",
  data: z.object({
    workspace: z.string().max(63).optional().describe("Workspace that the repository is for; default: none."),
    name: z.string().max(253).describe("Name to show, unique in its workspace."),
    ...Wish,
  }),
  example: {
    ...{ workspace: "demo", name: "charts", url: "https://charts.example.com", syncPeriod: "1h" },
    credential: { envelope: `sha256:${"ab".repeat(32)}`, key: `${"A".repeat(43)}=` },
  },
});

/** Somebody edits a repository. */
export const RepoEdited = defineEvent({
  type: "repo.edited",
  summary: "A repository is to be edited; what is left out stays, but credentials do not follow it to another host.",
  data: z.object({
    ...Repo,
    name: z.string().max(253).optional().describe("Name to show, unique in its workspace."),
    ...Wish,
    url: Wish.url.optional(),
  }),
  example: { repo: "repo-300m50zn91nwz5", syncPeriod: "24h" },
});

/** Somebody takes a repository away. */
export const RepoDeleted = defineEvent({
  type: "repo.deleted",
  summary: "A repository is to be deleted with its applications; releases stay. What is gone already succeeds.",
  data: z.object(Repo),
  example: { repo: "repo-300m50zn91nwz5" },
});

/** An act on a repository was accepted. */
export const RepoChanged = defineEvent({
  type: "repo.changed",
  summary: "A repository was added, edited or deleted.",
  data: z.object({ ...Repo, name: z.string().nullable().describe("Name that it shows now; null: it is gone.") }),
  example: { repo: "repo-300m50zn91nwz5", name: "charts" },
});

/** An act on a repository was refused. */
export const RepoActionRefused = defineEvent({
  type: "repo.action.refused",
  summary: "An act on a repository is not allowed.",
  data: z.object({
    repo: z.string().describe("HelmRepo name."),
    action: z.string().describe("What was asked for."),
    reason: z.string().describe("One CamelCase word for programs."),
    message: z.string().describe("Why it was refused."),
    operator: z.string().optional().describe("Who acted."),
  }),
  example: { repo: "repo-300m50zn91nwz5", action: "add", reason: "NameTaken", message: "repo exists" },
});

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
