import { checkPackage } from "../../shared/charts/package.ts";
import { isFromRepository } from "../../shared/lifecycle/act.ts";
import type { KubeReader } from "../../shared/ports.ts";
import type { Secret } from "../../shared/resources/core.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import type { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import {
  chartProblem,
  keptChart,
  type LookedFor,
  type RepositorySources,
  repositoryChart,
} from "../../shared/trust/repository-chart.ts";
import { stillTrusted } from "../../shared/trust/trusted-chart.ts";

interface Sources extends RepositorySources {
  readonly kube: KubeReader<typeof HelmApplicationVersion | typeof HelmPackage | typeof HelmRepo | typeof Secret>;
}

/** Finds the package of a release: the uploaded one, the one it already runs, or the repository's. */
export async function findChart(release: HelmRelease, sources: Sources): Promise<LookedFor> {
  const { spec, status } = release;
  if (spec.engine !== undefined && spec.engine !== "helm") {
    return chartProblem("EngineNotAvailable", `engine ${spec.engine} is not available here; set spec.engine to helm`);
  }
  if (spec.package !== undefined) return uploaded(spec.package, sources);
  const version =
    spec.appVerId === undefined ? undefined : await sources.kube.get(HelmApplicationVersion, spec.appVerId);
  if (version?.spec.package !== undefined && !isFromRepository(version)) return uploaded(version.spec.package, sources);
  if (version) return repositoryChart(version, sources);
  if (status?.packageDigest !== undefined) return running(release, status.packageDigest, sources);
  return chartProblem(
    "VersionNotFound",
    `version ${spec.appVerId ?? "(none)"} of the release does not exist; choose another one`,
  );
}

/** The package that runs, for a wish that changes something else; never as if it were another version. */
async function running(release: HelmRelease, digest: string, sources: Sources): Promise<LookedFor> {
  const { spec } = release;
  const found = await keptChart(digest, sources);
  if (!found.ok) return found;
  const check = checkPackage(await sources.charts.readArchive(found.bytes));
  if (check.ok && check.chart.name === spec.chartName && check.chart.version === spec.chartVersion) {
    const repo = spec.repoId === undefined ? undefined : await sources.kube.get(HelmRepo, spec.repoId);
    return stillTrusted(found, { release, repo }, sources);
  }
  const wanted = `${spec.chartName} ${spec.chartVersion}`;
  return chartProblem(
    "VersionNotFound",
    `version ${spec.appVerId ?? "(none)"}, from which ${wanted} should come, does not exist; choose another one`,
  );
}

async function uploaded(name: string, sources: Sources): Promise<LookedFor> {
  const found = await sources.kube.get(HelmPackage, name);
  return found
    ? keptChart(found.spec.digest, sources)
    : chartProblem("PackageNotFound", `HelmPackage ${name} does not exist; upload it again`);
}
