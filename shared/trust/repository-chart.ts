import { steadyUrl } from "../charts/oci-reference.ts";
import { resolveChartUrl } from "../charts/resolve-url.ts";
import { findCondition } from "../conditions.ts";
import { sha256 } from "../digest.ts";
import { Failure } from "../errors.ts";
import { repositoryAccess, secretName, secretProblem } from "../lifecycle/repository-access.ts";
import { plainDigest } from "../lifecycle/repository-version.ts";
import type { Blobs, Charts, KubeReader, RepositoryAccess } from "../ports.ts";
import { Secret } from "../resources/core.ts";
import type { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import { HelmRepo } from "../resources/helm-repo.ts";
import { LABEL } from "../resources/labels.ts";
import { type TrustSources, trusted } from "./trusted-chart.ts";
import type { Verdict } from "./verdict.ts";

/** Why a chart cannot be had. */
export interface ChartProblem {
  readonly reason: string;
  readonly message: string;
  /** What was found of signatures, where they were asked for and are the reason. */
  readonly verdict?: Verdict;
}

/** The bytes of a chart package. */
export interface FoundChart {
  readonly ok: true;
  readonly bytes: Uint8Array;
  /** sha256:<hex> */
  readonly digest: string;
  /** What was found of signatures, where the repository asks for them. */
  readonly verdict?: Verdict;
}

type Refused = { readonly ok: false } & ChartProblem;

/** A chart that was looked for. */
export type LookedFor = FoundChart | Refused;

/** What looking for the package of a repository's version needs. */
export interface RepositorySources extends TrustSources {
  readonly kube: KubeReader<typeof HelmRepo | typeof Secret>;
  readonly blobs: Blobs;
  readonly charts: Charts;
}

/** Chart packages above this size are refused. */
const MAX_PACKAGE_BYTES = 32 * 1024 * 1024;

/** The package that is kept under a digest. */
export async function keptChart(digest: string, { blobs }: { readonly blobs: Blobs }): Promise<LookedFor> {
  const bytes = await blobs.get("packages", digest, MAX_PACKAGE_BYTES);
  return bytes
    ? checked(bytes, digest)
    : chartProblem("PackageLost", `the bytes of ${digest} are not in the object store; upload them again`);
}

/** The package of a version that follows a repository: what it was listed with, and vouched for where that is demanded. */
export async function repositoryChart(version: HelmApplicationVersion, sources: RepositorySources): Promise<LookedFor> {
  const repoId = version.metadata.labels?.[LABEL.repoId] ?? "";
  const repo = await sources.kube.get(HelmRepo, repoId);
  const url = steadyUrl(version.spec.urls ?? []);
  if (!repo || url === undefined) {
    const message = `repository ${repoId} of version ${version.metadata.name} offers no package of it`;
    return chartProblem("RepositoryNotFound", message);
  }
  const refused = secretProblem(repo);
  if (refused !== undefined) return chartProblem("SecretRefused", refused);
  const resolved = resolveChartUrl(repo.spec.url, url);
  if (!resolved.ok) return chartProblem(resolved.reason, resolved.message);
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
    if (error instanceof Failure) return chartProblem("SecretRefused", error.message);
    throw error;
  }
}

interface Place {
  readonly access: RepositoryAccess;
  readonly url: string;
}

/** The bytes that the version was listed with: those that are kept, also after the repository offers others, else its own. */
async function packageOf(
  version: HelmApplicationVersion,
  { access, url }: Place,
  sources: RepositorySources,
): Promise<LookedFor> {
  const { digest } = version.spec;
  const bytes = digest && (await sources.blobs.get("packages", `sha256:${plainDigest(digest)}`, MAX_PACKAGE_BYTES));
  if (bytes) return checked(bytes, digest);
  try {
    const found = checked(await sources.charts.fetchPackage(access, url), digest);
    const held = findCondition(version.status?.conditions, "Quarantined");
    return !found.ok && held?.status === "True" ? chartProblem("Quarantined", held.message) : found;
  } catch (error) {
    if (error instanceof Failure && error.kind !== "Unavailable") return chartProblem("FetchFailed", error.message);
    throw error;
  }
}

/** Helm does not compare digests; we do, so that nothing is installed that was not reviewed or listed. */
function checked(bytes: Uint8Array, expected: string | undefined): LookedFor {
  const digest = sha256(bytes);
  const wanted = `sha256:${plainDigest(expected)}`;
  if (expected && wanted !== digest) {
    return chartProblem(
      "DigestMismatch",
      `the package has digest ${digest}, but ${wanted} was promised; ask the repository's owner`,
    );
  }
  return { ok: true, bytes, digest };
}

/** Why there is none. */
export function chartProblem(reason: string, message: string): Refused {
  return { ok: false, reason, message };
}
