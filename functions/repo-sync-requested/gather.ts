import { type ChartEntry, IndexError, parseIndex } from "../../shared/charts/index-file.ts";
import { decodeEntries, encodeEntries } from "../../shared/charts/stored-index.ts";
import { sha256 } from "../../shared/digest.ts";
import { Failure } from "../../shared/errors.ts";
import type { EventOf } from "../../shared/event.ts";
import type { RepoSyncRequested } from "../../shared/events/repo.ts";
import { repositoryAccess, secretName, secretProblem } from "../../shared/lifecycle/repository-access.ts";
import { syncDue } from "../../shared/lifecycle/sync-schedule.ts";
import type { Blobs, Charts, Clock, KubeReader } from "../../shared/ports.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import type { Problem, Validators, World } from "./world.ts";

/** What a sync needs from outside. */
export interface SyncPorts {
  readonly kube: KubeReader<typeof HelmRepo | typeof HelmApplication | typeof HelmApplicationVersion | typeof Secret>;
  readonly blobs: Blobs;
  readonly charts: Charts;
  readonly clock: Clock;
}

/** A stored index above this is not read back. */
const MAX_INDEX_BYTES = 128 * 1024 * 1024;

/** Longest name whose labels Kubernetes takes. */
const MAX_LABEL = 63;

/** Fetches and reads what the decision needs; a repository that cannot be had is an answer, not an error. */
export async function gather(event: EventOf<typeof RepoSyncRequested>, ports: SyncPorts): Promise<World> {
  const repo = await ports.kube.get(HelmRepo, event.data.repo);
  const now = ports.clock.now();
  if (!repo || repo.metadata.deletionTimestamp !== undefined) return { plan: "none" };
  if (repo.status?.lastSyncEvent === event.id) return repeat(repo, ports);
  if (!event.data.force && !syncDue(repo, now)) return { plan: "none" };
  const failed = (problem: Problem): World => ({ plan: "failed", repo, problem, now });
  const unusable = problemOf(repo);
  if (unusable) return failed(unusable);
  const fetched = await fetchIndex(repo, ports).catch(problemOfError);
  if ("reason" in fetched) return failed(fetched);
  try {
    return await sync(repo, { fetched, now }, ports);
  } catch (error) {
    if (!(error instanceof IndexError)) throw error;
    return failed({ reason: error.reason, message: error.message });
  }
}

interface FetchedAt {
  readonly fetched: ReadIndex;
  readonly now: Date;
}

async function sync(repo: HelmRepo, { fetched, now }: FetchedAt, ports: SyncPorts): Promise<World> {
  if (!fetched.changed) return { plan: "unchanged", repo, validators: {}, now };
  const validators = validatorsOf(fetched);
  const same = fetched.digest === repo.status?.indexDigest && !isEdited(repo);
  return same ? { plan: "unchanged", repo, validators, now } : changed(repo, { fetched, validators, now }, ports);
}

async function repeat(repo: HelmRepo, ports: SyncPorts): Promise<World> {
  const { previousIndexDigest, indexDigest } = repo.status ?? {};
  const [previous, current] = await Promise.all([load(previousIndexDigest, ports), load(indexDigest, ports)]);
  return { plan: "repeat", repo, previous, current };
}

type ReadIndex = { readonly changed: false } | (Validators & Read);

interface Read {
  readonly changed: true;
  readonly text: string;
  readonly digest: string;
}

async function fetchIndex(repo: HelmRepo, ports: SyncPorts): Promise<ReadIndex> {
  const at = secretName(repo);
  const secret = at && (await ports.kube.get(Secret, at));
  if (at && !secret)
    throw new Failure("Invalid", `Secret ${at.namespace}/${at.name} of spec.secretRef does not exist; create it`);
  const { etag, lastModified } = isEdited(repo) ? {} : (repo.status ?? {});
  const known = { ...(etag === undefined ? {} : { etag }), ...(lastModified === undefined ? {} : { lastModified }) };
  const fetched = await ports.charts.fetchIndex(repositoryAccess(repo, secret), known);
  if (!fetched.changed) return fetched;
  const bytes = Buffer.concat(await Array.fromAsync(fetched.chunks));
  return { ...validatorsOf(fetched), changed: true, text: bytes.toString("utf8"), digest: sha256(bytes) };
}

interface Fetched {
  readonly fetched: Extract<ReadIndex, { changed: true }>;
  readonly validators: Validators;
  readonly now: Date;
}

async function changed(repo: HelmRepo, { fetched, validators, now }: Fetched, ports: SyncPorts): Promise<World> {
  const index = parseIndex(fetched.text);
  const query = { labels: { [LABEL.repoId]: repo.metadata.name } };
  const [previous, apps, versions] = await Promise.all([
    load(repo.status?.indexDigest, ports),
    ports.kube.list(HelmApplication, query),
    ports.kube.list(HelmApplicationVersion, query),
  ]);
  const stored = encodeEntries(index.entries);
  return { plan: "changed", repo, index, stored, digest: fetched.digest, validators, previous, apps, versions, now };
}

/** The entries of an index that was synced before; one that is lost counts as empty. */
async function load(digest: string | undefined, { blobs }: SyncPorts): Promise<readonly ChartEntry[]> {
  const bytes = digest === undefined ? undefined : await blobs.get("indexes", digest, MAX_INDEX_BYTES);
  return bytes ? decodeEntries(bytes) : [];
}

function validatorsOf({ etag, lastModified }: Validators): Validators {
  return { ...(etag === undefined ? {} : { etag }), ...(lastModified === undefined ? {} : { lastModified }) };
}

/** After an edit the old validators may belong to another address, and limits may have changed. */
function isEdited({ metadata, status }: HelmRepo): boolean {
  return metadata.generation !== status?.observedGeneration;
}

function problemOf(repo: HelmRepo): Problem | undefined {
  const { metadata, spec } = repo;
  if (spec.type !== undefined && spec.type !== "http") {
    return {
      reason: "UnsupportedType",
      message: `repositories of type ${spec.type} are not synced yet; use type http`,
    };
  }
  const refused = secretProblem(repo);
  if (refused !== undefined) return { reason: "SecretRefused", message: refused };
  if (metadata.name.length <= MAX_LABEL) return undefined;
  return {
    reason: "NameTooLong",
    message: `the name of a repository becomes a label: use at most ${MAX_LABEL} characters`,
  };
}

/** What keeps an index from being fetched is told by the repository; trouble with the store itself is not its fault. */
function problemOfError(error: unknown): Problem {
  if (!(error instanceof Failure) || error.kind === "Conflict") throw error;
  return { reason: error.kind === "TooLarge" ? "TooLarge" : "FetchFailed", message: error.message };
}
