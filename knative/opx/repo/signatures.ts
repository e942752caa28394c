import { findCondition } from "../../../shared/conditions.ts";
import type { KubeReader } from "../../../shared/ports.ts";
import { HelmApplicationVersion } from "../../../shared/resources/helm-application-version.ts";
import type { HelmRepo } from "../../../shared/resources/helm-repo.ts";
import { LABEL } from "../../../shared/resources/labels.ts";
import { VERIFIED } from "../../../shared/trust/verdict.ts";

/** How the versions of a repository that demands signatures stand. */
export interface Signatures {
  readonly policy: string;
  readonly versions: number;
  readonly verified: number;
  /** The first of those that are not vouched for. */
  readonly unverified: readonly { readonly version: string; readonly reason: string; readonly message: string }[];
}

const NAMED = 20;

/** Looks through the versions; `undefined` where the repository demands no signatures. */
export async function signaturesOf(repo: HelmRepo, kube: KubeReader): Promise<Signatures | undefined> {
  const { policy = "off" } = repo.spec.verify ?? {};
  if (policy === "off") return undefined;
  const versions = await kube.list(HelmApplicationVersion, { labels: { [LABEL.repoId]: repo.metadata.name } });
  const looked = versions.map(({ spec, status }) => ({
    version: `${spec.name} ${spec.version}`,
    verified: findCondition(status?.conditions, VERIFIED),
  }));
  const unverified = looked.flatMap(({ version, verified }) =>
    verified?.status === "False" ? [{ version, reason: verified.reason, message: verified.message }] : [],
  );
  const count = looked.filter(({ verified }) => verified?.status === "True").length;
  return { policy, versions: versions.length, verified: count, unverified: unverified.slice(0, NAMED) };
}
