import type { SavedVersion } from "../../shared/charts/kubesphere-index.ts";
import { loadIndex } from "../../shared/lifecycle/kept-index.ts";
import { appIdOf, identified, readSavedIndex } from "../../shared/lifecycle/version-ids.ts";
import type { Blobs, KubeReader } from "../../shared/ports.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import type { HelmRequest } from "../../shared/resources/helm-request.ts";
import { LABEL } from "../../shared/resources/labels.ts";

/** A version that an index lists and that is too old to be an object. */
export interface ListedVersion {
  readonly repo: HelmRepo;
  readonly appId: string;
  readonly version: SavedVersion;
}

interface Sources {
  readonly kube: KubeReader<typeof HelmApplication | typeof HelmRepo>;
  readonly blobs: Blobs;
}

/** Repositories that are looked through for a version whose application the request does not name. */
const MAX_REPOS = 100;

/** Finds the version that a request means in the stored indexes, which have all versions of all charts. */
export async function findListed({ spec }: HelmRequest, sources: Sources): Promise<ListedVersion | undefined> {
  const { kube } = sources;
  const app = spec.appId === undefined ? undefined : await kube.get(HelmApplication, spec.appId);
  if (app) {
    const repo = await kube.get(HelmRepo, app.metadata.labels?.[LABEL.repoId] ?? "");
    return repo && inRepository(repo, { id: spec.appVerId, chart: app.spec.name }, sources);
  }
  for (const repo of (await kube.list(HelmRepo)).slice(0, MAX_REPOS)) {
    const found = await inRepository(repo, { id: spec.appVerId }, sources);
    if (found) return found;
  }
  return undefined;
}

interface Wanted {
  readonly id: string;
  readonly chart?: string;
}

async function inRepository(
  repo: HelmRepo,
  { id, chart: only }: Wanted,
  { blobs }: Sources,
): Promise<ListedVersion | undefined> {
  const index = await loadIndex(repo, repo.status?.indexDigest, blobs);
  const saved = readSavedIndex(repo);
  for (const { name: chart } of index?.charts ?? []) {
    if (only !== undefined && chart !== only) continue;
    const identity = { repo: repo.metadata.name, chart, saved };
    const version = identified(identity, index?.entry(chart)?.versions ?? []).find(({ verId }) => verId === id);
    if (version) return { repo, appId: appIdOf(identity), version };
  }
  return undefined;
}
