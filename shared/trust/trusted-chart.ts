import { checkPackage } from "../charts/package.ts";
import { Failure } from "../errors.ts";
import type { Charts, Clock, KubeReader, RepositoryAccess } from "../ports.ts";
import type { Secret } from "../resources/core.ts";
import type { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import type { HelmRelease } from "../resources/helm-release.ts";
import type { HelmRepo } from "../resources/helm-repo.ts";
import type { Verification } from "../resources/verification.ts";
import type { FoundChart, LookedFor } from "./repository-chart.ts";
import { type Demands, readDemands } from "./trust-keys.ts";
import { type Distrust, unverified, type Verdict } from "./verdict.ts";
import { type TrustPorts, verifyChart } from "./verify-chart.ts";

/** What checking the signatures of a chart needs from outside. */
export interface TrustSources extends TrustPorts {
  readonly kube: KubeReader<typeof Secret>;
  readonly charts: Pick<Charts, "readArchive">;
  readonly clock: Clock;
}

/** A package as it was fetched, and where from. */
export interface FetchedChart {
  readonly chart: FoundChart;
  readonly repo: HelmRepo;
  readonly version: HelmApplicationVersion;
  readonly access: RepositoryAccess;
  readonly url: string;
}

/**
 * Holds a fetched package against what its repository demands. Signatures are looked at anew before every installation,
 * whatever earlier looks found: keys may have been revoked or taken away since.
 */
export async function trusted(fetched: FetchedChart, sources: TrustSources): Promise<LookedFor> {
  const demands = await readDemands(fetched.repo, sources.kube);
  if (!demands) return fetched.chart;
  const found = await judge(fetched, demands, sources);
  const verdict = found.verified ? found : (earlier(fetched, demands, found) ?? found);
  return admitted(fetched.chart, { demands, verdict, repo: fetched.repo });
}

/**
 * A package that runs already but whose version is gone, so that nothing can be fetched for it any more: it needs the
 * evidence that was found when it was installed.
 */
export async function stillTrusted(
  chart: FoundChart,
  { release, repo }: { readonly release: HelmRelease; readonly repo: HelmRepo | undefined },
  sources: TrustSources,
): Promise<LookedFor> {
  const demands = repo && (await readDemands(repo, sources.kube));
  if (!repo || !demands) return chart;
  const known = vouched(release.status?.verification, demands, chart.digest);
  if (known) return { ...chart, verdict: known };
  const message = `the version of ${chart.digest} was withdrawn and nobody vouched for it with today's keys; choose another version`;
  const at = { time: sources.clock.now(), mark: demands.mark, digest: chart.digest };
  return admitted(chart, { demands, repo, verdict: unverified({ reason: "SignatureMissing", message }, at) });
}

/**
 * Once a repository publishes a version again, its signature speaks of the new bytes. Those that were vouched for before,
 * by today's keys, keep serving.
 */
function earlier({ chart, version }: FetchedChart, demands: Demands, found: Verdict): Verdict | undefined {
  const moved = !found.verified && found.reason === "DigestMismatch";
  return moved ? vouched(version.status?.verification, demands, chart.digest) : undefined;
}

/** Evidence counts for the bytes and the keys that it was found for. */
function vouched(known: Verification | undefined, { mark }: Demands, digest: string): Verdict | undefined {
  const same = known?.mark === mark && known.digest === digest && known.evidence.length > 0;
  return known && same ? { ...known, verified: true } : undefined;
}

interface Judged {
  readonly demands: Demands;
  readonly verdict: Verdict;
  readonly repo: HelmRepo;
}

function admitted(chart: FoundChart, { demands, verdict, repo }: Judged): LookedFor {
  if (verdict.verified || demands.policy === "warn") return { ...chart, verdict };
  const message = `repository ${repo.metadata.name} requires signatures: ${verdict.message}`;
  return { ok: false, reason: verdict.reason, message, verdict };
}

async function judge(fetched: FetchedChart, demands: Demands, sources: TrustSources): Promise<Verdict> {
  const { chart, version, access, url } = fetched;
  const { name = "", version: number = "" } = version.spec;
  const now = sources.clock.now();
  const at = { time: now, mark: demands.mark, digest: chart.digest };
  const other = await otherChart(fetched, sources.charts);
  if (other) return unverified(other, at);
  try {
    const wanted = { name, version: number, digest: chart.digest, access, url };
    return await verifyChart(wanted, { demands, now }, sources);
  } catch (error) {
    // A mere warning must not keep anybody waiting for a signature that may come later.
    if (demands.policy === "require" || !(error instanceof Failure)) throw error;
    return unverified({ reason: "SignatureUnreadable", message: error.message }, at);
  }
}

/** Signatures vouch for bytes, so those must be the chart that was asked for. */
async function otherChart({ chart, version: { spec } }: FetchedChart, charts: TrustSources["charts"]) {
  const check = checkPackage(await charts.readArchive(chart.bytes));
  if (check.ok && check.chart.name === spec.name && check.chart.version === spec.version) return undefined;
  const found = check.ok ? `holds ${check.chart.name} ${check.chart.version}` : `is refused: ${check.message}`;
  const message = `the package of ${spec.name} ${spec.version} ${found}`;
  return { reason: "WrongChart", message } satisfies Distrust;
}
