import { steadyUrl } from "../../shared/charts/oci-reference.ts";
import { checkPackage } from "../../shared/charts/package.ts";
import { resolveChartUrl } from "../../shared/charts/resolve-url.ts";
import { findCondition } from "../../shared/conditions.ts";
import { sha256 } from "../../shared/digest.ts";
import { Failure } from "../../shared/errors.ts";
import { isFromRepository } from "../../shared/lifecycle/act.ts";
import { repositoryAccess, secretName, secretProblem } from "../../shared/lifecycle/repository-access.ts";
import { plainDigest } from "../../shared/lifecycle/repository-version.ts";
import type { Blobs, Charts, KubeReader, RepositoryAccess } from "../../shared/ports.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import type { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { stillTrusted, type TrustSources, trusted } from "./trusted-chart.ts";
import type { FoundChart, Problem } from "./world.ts";

type Refused = { readonly ok: false } & Problem;
type Found = FoundChart | Refused;

interface Sources extends TrustSources {
  readonly kube: KubeReader<typeof HelmApplicationVersion | typeof HelmPackage | typeof HelmRepo | typeof Secret>;
  readonly blobs: Blobs;
  readonly charts: Charts;
}

/** Chart packages above this size are refused. */
const MAX_PACKAGE_BYTES = 32 * 1024 * 1024;

/** Finds the package of a release: the uploaded one, the one it already runs, or the repository's. */
export async function findChart(release: HelmRelease, sources: Sources): Promise<Found> {
  const { spec, status } = release;
  if (spec.engine !== undefined && spec.engine !== "helm") {
    return problem("EngineNotAvailable", `engine ${spec.engine} is not available here; set spec.engine to helm`);
  }
  if (spec.package !== undefined) return uploaded(spec.package, sources);
  const version =
    spec.appVerId === undefined ? undefined : await sources.kube.get(HelmApplicationVersion, spec.appVerId);
  if (version?.spec.package !== undefined && !isFromRepository(version)) return uploaded(version.spec.package, sources);
  if (version) return fromRepository(version, sources);
  if (status?.packageDigest !== undefined) return running(release, status.packageDigest, sources);
  return problem(
    "VersionNotFound",
    `version ${spec.appVerId ?? "(none)"} of the release does not exist; choose another one`,
  );
}

/** The package that runs, for a wish that changes something else; never as if it were another version. */
async function running(release: HelmRelease, digest: string, sources: Sources): Promise<Found> {
  const { spec } = release;
  const found = await kept(digest, sources);
  if (!found.ok) return found;
  const check = checkPackage(await sources.charts.readArchive(found.bytes));
  if (check.ok && check.chart.name === spec.chartName && check.chart.version === spec.chartVersion) {
    const repo = spec.repoId === undefined ? undefined : await sources.kube.get(HelmRepo, spec.repoId);
    return stillTrusted(found, { release, repo }, sources);
  }
  const wanted = `${spec.chartName} ${spec.chartVersion}`;
  return problem(
    "VersionNotFound",
    `version ${spec.appVerId ?? "(none)"}, from which ${wanted} should come, does not exist; choose another one`,
  );
}

async function uploaded(name: string, sources: Sources): Promise<Found> {
  const found = await sources.kube.get(HelmPackage, name);
  return found
    ? kept(found.spec.digest, sources)
    : problem("PackageNotFound", `HelmPackage ${name} does not exist; upload it again`);
}

async function kept(digest: string, { blobs }: Sources): Promise<Found> {
  const bytes = await blobs.get("packages", digest, MAX_PACKAGE_BYTES);
  return bytes
    ? checked(bytes, digest)
    : problem("PackageLost", `the bytes of ${digest} are not in the object store; upload them again`);
}

async function fromRepository(version: HelmApplicationVersion, sources: Sources): Promise<Found> {
  const repoId = version.metadata.labels?.[LABEL.repoId] ?? "";
  const repo = await sources.kube.get(HelmRepo, repoId);
  const url = steadyUrl(version.spec.urls ?? []);
  if (!repo || url === undefined) {
    const message = `repository ${repoId} of version ${version.metadata.name} offers no package of it`;
    return problem("RepositoryNotFound", message);
  }
  const refused = secretProblem(repo);
  if (refused !== undefined) return problem("SecretRefused", refused);
  const resolved = resolveChartUrl(repo.spec.url, url);
  if (!resolved.ok) return problem(resolved.reason, resolved.message);
  const at = secretName(repo);
  const access = accessTo(repo, at && (await sources.kube.get(Secret, at)));
  if ("reason" in access) return access;
  const { url: address } = resolved;
  const chart = await packageOf(version, { access, url: address }, sources);
  return chart.ok ? trusted({ chart, repo, version, access, url: address }, sources) : chart;
}

function accessTo(repo: HelmRepo, secret: Secret | undefined): RepositoryAccess | Refused {
  try {
    return repositoryAccess(repo, secret);
  } catch (error) {
    if (error instanceof Failure) return problem("SecretRefused", error.message);
    throw error;
  }
}

interface Place {
  readonly access: RepositoryAccess;
  readonly url: string;
}

/** The bytes that the version was listed with: those that are kept, also after the repository offers others, else its own. */
async function packageOf(version: HelmApplicationVersion, { access, url }: Place, sources: Sources): Promise<Found> {
  const { digest } = version.spec;
  const bytes = digest && (await sources.blobs.get("packages", `sha256:${plainDigest(digest)}`, MAX_PACKAGE_BYTES));
  if (bytes) return checked(bytes, digest);
  try {
    const found = checked(await sources.charts.fetchPackage(access, url), digest);
    const held = findCondition(version.status?.conditions, "Quarantined");
    return !found.ok && held?.status === "True" ? problem("Quarantined", held.message) : found;
  } catch (error) {
    if (error instanceof Failure && error.kind !== "Unavailable") return problem("FetchFailed", error.message);
    throw error;
  }
}

/** Helm does not compare digests; we do, so that nothing is installed that was not reviewed or listed. */
function checked(bytes: Uint8Array, expected: string | undefined): Found {
  const digest = sha256(bytes);
  const wanted = `sha256:${plainDigest(expected)}`;
  if (expected && wanted !== digest) {
    return problem(
      "DigestMismatch",
      `the package has digest ${digest}, but ${wanted} was promised; ask the repository's owner`,
    );
  }
  return { ok: true, bytes, digest };
}

function problem(reason: string, message: string): Refused {
  return { ok: false, reason, message };
}
