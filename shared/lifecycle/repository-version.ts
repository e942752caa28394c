import type { SavedVersion } from "../charts/kubesphere-index.ts";
import { create, type Write } from "../decision.ts";
import { present } from "../present.ts";
import { HelmApplication } from "../resources/helm-application.ts";
import { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import type { HelmRepo } from "../resources/helm-repo.ts";
import { ANNOTATION, LABEL } from "../resources/labels.ts";
import { metadataSpec, timestamp } from "./version-object.ts";

/** How a version stands to its repository's index where it is not simply in it. */
export type IndexState = "quarantined" | "withdrawn" | "older";

/** What makes an object of a version in an index. */
export interface RepositoryVersion {
  readonly appId: string;
  readonly version: SavedVersion;
  readonly indexState?: IndexState;
}

/** Makes the object of a version that a repository lists, offered at once as everything in an index is. */
export function createVersion(
  repo: HelmRepo,
  { appId, version, indexState }: RepositoryVersion,
): Write<"HelmApplicationVersion"> {
  const { labels, annotations } = repositoryMarks(repo);
  const state = present({ [LABEL.indexState]: indexState });
  const metadata = { name: version.verId, annotations, labels: { ...labels, [LABEL.appId]: appId, ...state } };
  const object = { metadata, spec: versionSpec(version), status: { state: "active" as const } };
  return create(HelmApplicationVersion, object, { kind: HelmApplication, name: appId });
}

/** What an object says of a version that an index lists. */
export function versionSpec({
  verId: _,
  urls,
  digest,
  created,
  removed: __,
  ...metadata
}: SavedVersion): HelmApplicationVersion["spec"] {
  return {
    ...metadataSpec(metadata),
    urls: [...urls],
    ...present({ digest: digest || undefined, created: timestamp(created) }),
  };
}

/** The digest of a package without what some write before it, in lower case; "" where there is none. */
export function plainDigest(digest: string | undefined): string {
  return (digest ?? "").toLowerCase().replace(/^sha256:/, "");
}

/** Labels and annotations that everything from a repository has. */
export function repositoryMarks({ metadata }: HelmRepo) {
  const workspace = metadata.labels?.[LABEL.workspace];
  const creator = metadata.annotations?.[ANNOTATION.creator];
  return {
    labels: { [LABEL.repoId]: metadata.name, ...(workspace ? { [LABEL.workspace]: workspace } : {}) },
    annotations: creator ? { [ANNOTATION.creator]: creator } : {},
  };
}
