import type { Blobs } from "../ports.ts";
import { apiVersionOf } from "../resource.ts";
import { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import type { HelmRepo } from "../resources/helm-repo.ts";
import { LABEL } from "../resources/labels.ts";
import { loadIndex } from "./kept-index.ts";
import { repositoryMarks, versionSpec } from "./repository-version.ts";
import { appIdOf, identified, readSavedIndex } from "./version-ids.ts";
import { timestamp } from "./version-object.ts";

/**
 * All versions of a chart that the repository's index lists, newest first, as their objects would be: only the newest
 * ones are objects, the others are known to the kept index alone.
 */
export async function listedVersions(
  repo: HelmRepo,
  chart: string,
  blobs: Blobs,
): Promise<readonly HelmApplicationVersion[]> {
  const index = await loadIndex(repo, repo.status?.indexDigest, blobs);
  const entry = index?.entry(chart);
  if (!entry) return [];
  const identity = { repo: repo.metadata.name, chart, saved: readSavedIndex(repo) };
  const { labels, annotations } = repositoryMarks(repo);
  const own = { ...labels, [LABEL.appId]: appIdOf(identity) };
  const { creationTimestamp = "" } = repo.metadata;
  return identified(identity, entry.versions).map((version) => ({
    apiVersion: apiVersionOf(HelmApplicationVersion),
    kind: HelmApplicationVersion.kind,
    metadata: {
      name: version.verId,
      labels: own,
      annotations,
      creationTimestamp: timestamp(version.created) ?? creationTimestamp,
    },
    spec: versionSpec(version),
    status: { state: "active" as const },
  }));
}
