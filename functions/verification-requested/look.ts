import { steadyUrl } from "../../shared/charts/oci-reference.ts";
import { resolveChartUrl } from "../../shared/charts/resolve-url.ts";
import { Failure } from "../../shared/errors.ts";
import { plainDigest } from "../../shared/lifecycle/repository-version.ts";
import type { RepositoryAccess } from "../../shared/ports.ts";
import type { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import type { Demands } from "../../shared/trust/trust-keys.ts";
import { unverified, type Verdict } from "../../shared/trust/verdict.ts";
import { type TrustPorts, verifyChart } from "../../shared/trust/verify-chart.ts";

/** What one look at a version needs to know besides it. */
export interface Look {
  readonly access: RepositoryAccess;
  readonly demands: Demands;
  readonly now: Date;
}

/**
 * Looks at the signatures of a version without fetching its package: they speak of the digest that the index states,
 * and bytes are compared with that before anything is installed. Nothing is known where the repository does not answer.
 */
export async function lookAt(
  { spec }: HelmApplicationVersion,
  { access, demands, now }: Look,
  ports: TrustPorts,
): Promise<Verdict | undefined> {
  const { name = "", version = "", digest, urls = [] } = spec;
  const resolved = resolveChartUrl(access.url, steadyUrl(urls) ?? "");
  if (!resolved.ok) return unverified({ reason: "WrongChart", message: resolved.message }, { time: now, ...demands });
  const expected = { name, version, ...(digest ? { digest: `sha256:${plainDigest(digest)}` } : {}) };
  try {
    return await verifyChart({ ...expected, access, url: resolved.url }, { demands, now }, ports);
  } catch (error) {
    if (error instanceof Failure && error.kind === "Unavailable") return undefined;
    throw error;
  }
}
