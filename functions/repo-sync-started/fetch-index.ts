import { excerpt } from "../../shared/charts/excerpt.ts";
import { IndexError } from "../../shared/charts/index-limits.ts";
import { readIndex } from "../../shared/charts/index-reader.ts";
import type { StoredIndex } from "../../shared/charts/stored-index.ts";
import { Failure } from "../../shared/errors.ts";
import { repositoryAccess, secretName, secretProblem } from "../../shared/lifecycle/repository-access.ts";
import type { Wish } from "../../shared/lifecycle/sync-facts.ts";
import { isEdited } from "../../shared/lifecycle/sync-schedule.ts";
import type { SyncProblem } from "../../shared/lifecycle/sync-status.ts";
import type { FetchedIndex, KnownIndex } from "../../shared/ports.ts";
import { present } from "../../shared/present.ts";
import { Secret } from "../../shared/resources/core.ts";
import type { HelmRepo } from "../../shared/resources/helm-repo.ts";
import type { SyncPorts } from "./gather.ts";
import { withKnownCharts } from "./partial-index.ts";
import type { Fetched, Problems } from "./world.ts";

type Changed = Extract<FetchedIndex, { changed: true }>;

/** What is known before an index is fetched, and what was asked for. */
export interface Knowledge {
  /** Opens the index that is known; it is large, and mostly nothing has changed. */
  readonly known: () => Promise<StoredIndex | undefined>;
  readonly only: Wish;
}

/** Longest name whose labels Kubernetes takes. */
const MAX_LABEL = 63;

/** Entries that could not be used and are named; all are counted. */
const MAX_PROBLEMS = 20;

/** Fetches an index and reads it as it arrives; what is wrong with the repository is told, not thrown. */
export async function fetchIndex(repo: HelmRepo, knowledge: Knowledge, ports: SyncPorts): Promise<Fetched> {
  const unusable = problemOf(repo);
  if (unusable) return failed(unusable);
  const at = secretName(repo);
  const secret = at && (await ports.kube.get(Secret, at));
  if (at && !secret) return failed(missing(`${at.namespace}/${at.name}`));
  const asked = await knownIndex(repo, knowledge);
  const fetched = await blamed(() => ports.charts.fetchIndex(repositoryAccess(repo, secret), asked));
  if ("problem" in fetched) return fetched;
  if (!fetched.changed) return { outcome: "notModified" };
  const known = await knowledge.known();
  return blamed(() => read(fetched, { known, only: knowledge.only.chart }));
}

type Failed = Extract<Fetched, { outcome: "failed" }>;

function failed(problem: SyncProblem): Failed {
  return { outcome: "failed", problem };
}

/** The work of the repository's server and its text; trouble with the store's own services is thrown outside of this. */
async function blamed<T>(work: () => Promise<T>): Promise<T | Failed> {
  try {
    return await work();
  } catch (error) {
    return failed(problemOfError(error));
  }
}

interface Before {
  readonly known: StoredIndex | undefined;
  /** The chart that was asked for. */
  readonly only: string | undefined;
}

async function read(fetched: Changed, { known, only = "" }: Before): Promise<Fetched> {
  const text = await readIndex(fetched.chunks, present({ known }));
  const { index, stored, changed } = fetched.partial && known ? await withKnownCharts(known, text.index, only) : text;
  const { etag, lastModified, pending = 0, retryAfterMs, skipped } = fetched;
  const problems = [...text.problems.first, ...(skipped?.first ?? []).map(skippedProblem)];
  return {
    outcome: "read",
    read: {
      index,
      stored,
      changed,
      complete: text.complete,
      partial: fetched.partial ?? false,
      bytes: text.bytes,
      pending,
      dropped: text.problems.count + (skipped?.count ?? 0),
      problems: problems.slice(0, MAX_PROBLEMS).map(bounded),
      ...present({ etag, lastModified, retryAfterMs }),
    },
  };
}

async function knownIndex(repo: HelmRepo, { known, only: { chart, version } }: Knowledge): Promise<KnownIndex> {
  // After an edit the validators may belong to another address.
  const { etag, lastModified } = isEdited(repo) ? {} : (repo.status ?? {});
  const only = chart === undefined ? undefined : { chart, ...present({ version }) };
  // Only a registry is asked chart by chart; all others send everything or nothing.
  const index = repo.spec.url.startsWith("oci://") ? await known() : undefined;
  const entry = index && ((name: string) => index.entry(name));
  return present({ etag, lastModified, only, entry });
}

function skippedProblem({ chart, tag, message }: NonNullable<Changed["skipped"]>["first"][number]) {
  return { chart, reason: "Skipped", message, ...present({ version: tag }) };
}

function bounded({ chart, version, message, reason }: Problems[number]): Problems[number] {
  return { reason, chart: excerpt(chart), message: message.slice(0, 1024), ...present({ version }) };
}

function problemOf(repo: HelmRepo): SyncProblem | undefined {
  const refused = secretProblem(repo);
  if (refused !== undefined) return { reason: "SecretRefused", message: refused };
  if (repo.metadata.name.length <= MAX_LABEL) return undefined;
  const message = `the name of a repository becomes a label: use at most ${MAX_LABEL} characters`;
  return { reason: "NameTooLong", message };
}

function missing(name: string): SyncProblem {
  return { reason: "SecretNotFound", message: `Secret ${name} of spec.secretRef does not exist; create it` };
}

/** What keeps an index from being fetched or read is told by the repository; trouble with the store itself is not its fault. */
function problemOfError(error: unknown): SyncProblem {
  if (error instanceof IndexError) return { reason: error.reason, message: error.message };
  if (!(error instanceof Failure) || error.kind === "Conflict") throw error;
  const { retryAfterMs } = error;
  const reason = error.kind === "TooLarge" ? "TooLarge" : "FetchFailed";
  return { reason, message: error.message, ...present({ retryAfterMs }) };
}
