import * as z from "zod";
import { Conditions } from "../conditions.ts";
import { defineResource, type ObjectOf, Timestamp, withDefault } from "../resource.ts";
import { AGE, labelColumn, STATE, specColumn } from "./columns.ts";
import { LabelSelector, ObservedGeneration } from "./fields.ts";
import { LABEL } from "./labels.ts";
import { RECEIVER_RULES, Receivers } from "./receiver.ts";
import { Verify } from "./verification.ts";

const Credential = z.object({
  username: z.string().optional().describe("User name for HTTP basic authentication."),
  password: z.string().optional().describe("Password for HTTP basic authentication; prefer secretRef."),
  certFile: z.string().optional().describe("Path of a client certificate on the machine that fetches."),
  keyFile: z.string().optional().describe("Path of the client certificate's key on the machine that fetches."),
  caFile: z.string().optional().describe("Path of the authority's certificate on the machine that fetches."),
  insecureSkipTLSVerify: z.boolean().optional().describe("true accepts any server certificate."),
  accessKeyID: z.string().optional().describe("Access key of an S3 repository."),
  secretAccessKey: z.string().optional().describe("Secret key of an S3 repository; prefer secretRef."),
});

const SecretRef = z.object({
  name: z.string().min(1).max(253).describe("Name of the Secret."),
  namespace: z.string().max(63).optional().describe("Namespace of the Secret; default: the store's own."),
});

const S3 = z.object({
  endpoint: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional()
    .describe("Address of the object store; with it the URL reads s3://bucket/path, without it s3://host/bucket/path."),
  region: z.string().max(64).optional().describe("Region that requests are signed for; default: read from the host."),
  addressing: z
    .enum(["path", "virtual-host"])
    .optional()
    .describe("Whether the bucket stands in the path (default) or in front of the host."),
});

const spec = z.object({
  name: z.string().describe("Name to show, unique in its workspace."),
  url: z
    .string()
    .max(2048)
    .describe("Address of the folder that holds index.yaml: http://, https://, s3://; or of a registry: oci://."),
  description: z.string().optional().describe("What the repository offers."),
  syncPeriod: z.int().optional().describe("Seconds between two syncs; 0: only when asked; 1 to 179 count as 180."),
  version: z.int().optional().describe("Counted up to ask for a sync."),
  credential: Credential.optional().describe("How to sign in to the repository."),
  type: withDefault(z.enum(["http", "oci", "s3"]), "http").describe(
    "How the repository is spoken to; the URL's scheme decides.",
  ),
  secretRef: SecretRef.optional().describe(
    "Secret with username, password, token, ca.crt, tls.crt, tls.key, .dockerconfigjson, or accessKeyID and secretAccessKey.",
  ),
  charts: z
    .array(z.string().min(1).max(253))
    .max(1000)
    .optional()
    .describe("Charts to take from a registry; default: all that it lists."),
  plainHttp: z
    .boolean()
    .optional()
    .describe("Whether a registry is spoken to over plain HTTP; default: only on loopback addresses."),
  s3: S3.optional().describe("Where the bucket of an s3:// repository is."),
  allowedHosts: z
    .array(z.string().min(1).max(253))
    .max(32)
    .optional()
    .describe("Hosts at private or loopback addresses that redirects and chart URLs may lead to."),
  runtimeSelector: LabelSelector.optional().describe(
    "Namespaces that the applications of this repository are meant for.",
  ),
  visibility: z.enum(["public", "workspace"]).optional().describe("Who sees the applications: all, or one workspace."),
  verify: Verify.optional().describe("Signatures that the charts must carry; default: none."),
  receivers: Receivers,
  versionHistoryLimit: withDefault(z.int().min(1).max(1000), 10).describe("Newest versions of each chart to keep."),
});

const SyncState = z.object({
  state: z.string().optional().describe("successful or failed."),
  message: z.string().optional().describe("Why it failed."),
  syncTime: Timestamp.describe("When the sync ended."),
});

const Problem = z.object({
  chart: z.string().max(253).describe("Chart that the problem is in."),
  version: z.string().max(253).optional().describe("Version that the problem is in; absent: the whole chart."),
  reason: z.string().max(64).describe("One CamelCase word for programs."),
  message: z.string().max(1024).describe("One sentence for people."),
});

const Digest = z.string().max(128);

const Queued = z.object({
  id: z.string().max(256).describe("Id of the event that asked."),
  reason: z.string().max(64).describe("Why a sync was asked for."),
  chart: z.string().max(512).optional().describe("Only this chart was asked for."),
  version: z.string().max(256).optional().describe("Only this version of the chart was asked for."),
});

const Sync = z.object({
  id: z.string().max(256).describe("Id of the event that asked for the sync."),
  reason: z.string().max(64).describe("Why the sync was begun."),
  startedTime: Timestamp.describe("When the sync was begun."),
  renewedTime: Timestamp.describe("When it last moved on; after five minutes without, it is taken up again."),
  resumes: z.int().optional().describe("Times that it was taken up again since it last moved on."),
  request: z.string().max(1024).optional().describe("Value of the requested-at annotation when it was begun."),
  generation: z.int().optional().describe("metadata.generation that it was begun for."),
  version: z.int().optional().describe("spec.version that it was begun for."),
  from: Digest.optional().describe("Digest of the index that the applications were made from when it was begun."),
  to: Digest.optional().describe("Digest of the index that they are brought to; absent while it is fetched."),
  all: z.boolean().optional().describe("Whether all charts are looked at, not only those that changed."),
  limit: z.int().optional().describe("Versions of each chart that become objects."),
  after: z.string().max(512).optional().describe("Name of the last chart that is done; charts are taken by name."),
  fetchedTime: Timestamp.optional().describe("When the index was asked for."),
  etag: z.string().max(1024).optional().describe("ETag of the index that was fetched."),
  lastModified: z.string().max(128).optional().describe("Last-Modified of the index that was fetched."),
  chartsDone: z.int().optional().describe("Charts that are done."),
  chartsTotal: z.int().optional().describe("Charts that there are to do."),
  objectsDone: z.int().optional().describe("Applications and versions that were looked at."),
  objectsTotal: z.int().optional().describe("Applications and versions that there are to look at, about."),
});

const Statistics = z.object({
  syncs: z.int().optional().describe("Syncs that ended well."),
  failures: z.int().optional().describe("Syncs that failed."),
  notModified: z.int().optional().describe("Syncs that the server answered with not modified."),
  unchanged: z.int().optional().describe("Syncs that found nothing new, those included."),
  bytes: z.int().optional().describe("Bytes of index that were read."),
  bytesSaved: z.int().optional().describe("Bytes of index that did not have to be sent."),
  durationMs: z.int().optional().describe("Milliseconds that the last sync took."),
  fetchMs: z.int().optional().describe("Milliseconds until the index was there and read, the last time."),
  indexBytes: z.int().optional().describe("Bytes of the index as it was read last."),
});

const Suspect = z.object({
  digest: Digest.describe("Digest of the content of the index that was not believed."),
  since: Timestamp.describe("When it was first seen."),
});

const status = z.object({
  data: z.string().optional().describe("Index in KubeSphere's encoding, while it fits into an object."),
  lastUpdateTime: Timestamp.optional().describe("When the last sync was tried."),
  state: z
    .enum(["syncing", "successful", "failed"])
    .optional()
    .describe("Whether a sync is under way, else what the last one came to."),
  syncState: z.array(SyncState).max(20).optional().describe("The last syncs, newest first."),
  version: z.int().optional().describe("spec.version at the last successful sync."),
  conditions: Conditions,
  observedGeneration: ObservedGeneration,
  totalCharts: z.int().optional().describe("Charts in the index."),
  totalChartVersions: z.int().optional().describe("Chart versions in the index."),
  droppedEntries: z.int().optional().describe("Index entries that could not be used."),
  problems: z.array(Problem).max(20).optional().describe("The first of the entries that could not be used, and why."),
  etag: z.string().max(1024).optional().describe("ETag of the index, sent along to learn whether it has changed."),
  lastModified: z.string().max(128).optional().describe("Last-Modified of the index, for servers without ETag."),
  indexDigest: z.string().max(128).optional().describe("Digest of the index that the applications were made from."),
  previousIndexDigest: z.string().max(128).optional().describe("Digest of the index before that one."),
  lastSyncEvent: z.string().max(256).optional().describe("Id of the event that asked for the last sync."),
  lastSuccessfulTime: Timestamp.optional().describe(
    "When the index that the applications show was last known to be the newest.",
  ),
  nextSyncTime: Timestamp.optional().describe("When the next sync is due."),
  notModifiedCount: z.int().optional().describe("Syncs in a row that found nothing new."),
  lastHandledRequest: z.string().max(1024).optional().describe("Value of the requested-at annotation last acted on."),
  sync: Sync.optional().describe("The sync that is under way."),
  queued: Queued.optional().describe("What was asked for while a sync was under way; it is done afterwards."),
  suspect: Suspect.optional().describe("An index that lost so much that it is believed only if it comes again."),
  notBefore: Timestamp.optional().describe("Time before which the server does not want to be asked again."),
  pendingVersions: z.int().optional().describe("Versions in a registry that are not read yet."),
  quarantinedVersions: z.int().optional().describe("Versions published again with other bytes that nobody accepted."),
  withdrawnVersions: z.int().optional().describe("Versions that the index lost and that releases still use."),
  olderVersions: z.int().optional().describe("Versions beyond versionHistoryLimit that releases use."),
  statistics: Statistics.optional().describe("Counters over the life of the repository."),
});

/** A Helm repository that the store takes applications from. */
export const HelmRepo = defineResource({
  kind: "HelmRepo",
  shortNames: ["hrepo"],
  scope: "Cluster",
  summary: "A Helm repository whose charts appear in the store as applications.",
  spec,
  status,
  rules: RECEIVER_RULES,
  columns: [
    specColumn("name", "name"),
    labelColumn("Workspace", LABEL.workspace),
    specColumn("url", "url"),
    STATE,
    AGE,
  ],
});
export type HelmRepo = ObjectOf<typeof HelmRepo>;
