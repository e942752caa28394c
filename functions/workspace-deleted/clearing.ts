import { remove, replace, type Write } from "../../shared/decision.ts";
import { stateOf } from "../../shared/lifecycle/act.ts";
import { removed } from "../../shared/lifecycle/finalizers.ts";
import type { KubeObject } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { ANNOTATION, LABEL } from "../../shared/resources/labels.ts";

/** What bears the label of a workspace, and copies of the store that came from it. */
export interface World {
  readonly releases: readonly HelmRelease[];
  readonly repos: readonly HelmRepo[];
  readonly apps: readonly HelmApplication[];
  readonly copies: readonly HelmApplication[];
  readonly versions: readonly HelmApplicationVersion[];
}

type Written = "HelmRelease" | "HelmRepo" | "HelmApplication" | "HelmApplicationVersion";

/** All writes that are left to do; none once the workspace is cleared. What is being deleted already is left alone. */
export function clearingWrites({ releases, repos, apps, copies, versions }: World): readonly Write<Written>[] {
  const byApp = Map.groupBy(versions.filter(isStaying), ({ metadata }) => metadata.labels?.[LABEL.appId] ?? "");
  const named = new Set(apps.map(({ metadata }) => metadata.name));
  const strays = [...byApp].filter(([app]) => !named.has(app)).flatMap(([, each]) => each);
  return [
    ...releases.filter(isStaying).map((release) => remove(HelmRelease, release)),
    ...repos.filter(isStaying).flatMap((repo) => removed(HelmRepo, repo)),
    ...apps.filter(isStaying).flatMap((app) => appWrites(app, byApp.get(app.metadata.name) ?? [])),
    ...strays.map(versionWrite),
    ...copies.filter(isStaying).flatMap(copyWrites),
  ];
}

/** An application that was never published goes; of the others what is not in the store goes (KubeSphere §2.11). */
function appWrites(app: HelmApplication, versions: World["versions"]): readonly Write<Written>[] {
  // Its versions first: they are counted out while it is still there.
  if (versions.length > 0) return versions.map(versionWrite);
  return isPublished(app.status?.state)
    ? [replace(HelmApplication, withoutOwner(app, LABEL.workspace))]
    : removed(HelmApplication, app);
}

function versionWrite(version: HelmApplicationVersion): Write<Written> {
  if (!isPublished(stateOf(version))) return remove(HelmApplicationVersion, version);
  return replace(HelmApplicationVersion, withoutOwner(version, LABEL.workspace));
}

function copyWrites(copy: HelmApplication): readonly Write<Written>[] {
  if (!isPublished(copy.status?.state)) return removed(HelmApplication, copy);
  return [replace(HelmApplication, withoutOwner(copy, LABEL.workspaceOrigin))];
}

function isPublished(state: string | undefined): boolean {
  return state === "active" || state === "suspended";
}

/** A new workspace of the same name inherits nothing. */
function withoutOwner<O extends HelmApplication | HelmApplicationVersion>(object: O, label: string): O {
  const { labels, annotations } = object.metadata;
  const cleanup = object.kind === HelmApplication.kind ? { [ANNOTATION.appCleanup]: "done" } : {};
  const metadata = {
    ...object.metadata,
    labels: { ...labels, [label]: "" },
    annotations: { ...annotations, ...cleanup },
  };
  return { ...object, metadata };
}

function isStaying({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp === undefined;
}
