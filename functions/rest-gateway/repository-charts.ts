import type { DataOf } from "../../shared/event.ts";
import { type ChartFetched, ChartRequested } from "../../shared/events/chart.ts";
import { isFromRepository } from "../../shared/lifecycle/act.ts";
import { listedVersions } from "../../shared/lifecycle/listed-versions.ts";
import { plainDigest } from "../../shared/lifecycle/repository-version.ts";
import { MAX_PACKAGE_BYTES } from "../../shared/lifecycle/uploaded-package.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { act } from "./acts.ts";
import type { Call } from "./call.ts";

/** Versions that a repository lists for an application and that are no objects; none where it follows no repository. */
export async function listedOnly(
  { ports }: Call,
  app: HelmApplication | undefined,
  objects: readonly HelmApplicationVersion[],
): Promise<readonly HelmApplicationVersion[]> {
  if (!app || !isFromRepository(app)) return [];
  const repo = await ports.kube.get(HelmRepo, app.metadata.labels?.[LABEL.repoId] ?? "");
  const listed = repo ? await listedVersions(repo, app.spec.name, ports.blobs) : [];
  const known = new Set(objects.map(({ metadata }) => metadata.name));
  return listed.filter(({ metadata }) => !known.has(metadata.name));
}

/** A version that is no object, if the application that the path names follows a repository that lists it. */
export async function listedVersion(call: Call, name: string): Promise<HelmApplicationVersion | undefined> {
  const { app } = call.params;
  const found = app === undefined ? undefined : await call.ports.kube.get(HelmApplication, app);
  return (await listedOnly(call, found, [])).find(({ metadata }) => metadata.name === name);
}

/**
 * The package of a repository's version. What is not kept is fetched by the one function that knows the repository's
 * credentials; it is told by an event, as everybody tells it.
 */
export async function repositoryPackage(call: Call, { metadata, spec }: HelmApplicationVersion) {
  const kept = (digest: string) => call.ports.blobs.get("packages", digest, MAX_PACKAGE_BYTES);
  const known = spec.digest ? await kept(`sha256:${plainDigest(spec.digest)}`) : undefined;
  if (known) return known;
  const data = { repo: metadata.labels?.[LABEL.repoId] ?? "", chart: spec.name ?? "", version: metadata.name };
  const outcome = await act(call, ChartRequested.of(subjectOf(HelmApplicationVersion, { name: metadata.name }), data));
  return kept((outcome.data as DataOf<typeof ChartFetched>).digest);
}
