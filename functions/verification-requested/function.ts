import { mapLimited } from "../../shared/concurrency.ts";
import { findCondition } from "../../shared/conditions.ts";
import { change, replaceStatus } from "../../shared/decision.ts";
import { VerificationCompleted, VerificationRequested } from "../../shared/events/verification.ts";
import { defineFunction } from "../../shared/function.ts";
import { repositoryAccess, secretName, secretProblem } from "../../shared/lifecycle/repository-access.ts";
import { subjectOf } from "../../shared/resource.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { verificationDue } from "../../shared/trust/due.ts";
import { readDemands } from "../../shared/trust/trust-keys.ts";
import { VERIFIED, type Verdict, withVerdict } from "../../shared/trust/verdict.ts";
import { lookAt } from "./look.ts";

/** Versions of one event that are looked at at once. */
const CONCURRENT_LOOKS = 4;

interface Looked {
  readonly version: HelmApplicationVersion;
  /** Absent: the look has been taken already, or the repository did not answer; then the next sync asks again. */
  readonly verdict?: Verdict | undefined;
}

interface World {
  readonly looked: readonly Looked[];
}

const NOTHING: World = { looked: [] };

/** Says on each version whether its signatures hold, so that people see it before they install. */
export default defineFunction({
  on: VerificationRequested,
  summary: "Checks the signatures of some versions and says on each whether they hold.",
  emits: [VerificationCompleted],
  reads: [HelmRepo, HelmApplicationVersion, Secret],
  writes: [HelmApplicationVersion],
  uses: ["attestations", "openpgp", "clock"],
  timeoutMs: 240_000,
  concurrency: 4,
  gather: async ({ data }, ports): Promise<World> => {
    const { kube, clock } = ports;
    const repo = await kube.get(HelmRepo, data.repo);
    const demands = repo && (await readDemands(repo, kube));
    // Other demands or keys than those of the event: the sync that follows every edit asks again.
    if (!repo || demands?.mark !== data.mark || secretProblem(repo) !== undefined) return NOTHING;
    const at = secretName(repo);
    const access = repositoryAccess(repo, at && (await kube.get(Secret, at)));
    const now = clock.now();
    const looked = await mapLimited(data.versions, CONCURRENT_LOOKS, async (name): Promise<Looked | undefined> => {
      const version = await kube.get(HelmApplicationVersion, name);
      if (!version || !verificationDue(version, demands.mark, now)) return version && { version };
      return { version, verdict: await lookAt(version, { access, demands, now }, ports) };
    });
    return { looked: looked.filter((each) => each !== undefined) };
  },
  decide: ({ looked }) => {
    const write = looked.flatMap(({ version, verdict }) => (verdict ? [verified(version, verdict)] : []));
    return change({ write, announce: looked.flatMap(fact) });
  },
});

function verified(version: HelmApplicationVersion, verdict: Verdict) {
  const status = withVerdict(version.status ?? {}, verdict, version.metadata.generation);
  return replaceStatus(HelmApplicationVersion, version, status);
}

function fact({ version, verdict }: Looked) {
  const { metadata, status } = version;
  const after = verdict ? withVerdict(status ?? {}, verdict, metadata.generation) : status;
  const condition = findCondition(after?.conditions, VERIFIED);
  if (!condition) return [];
  const { digest } = after?.verification ?? {};
  const data = {
    version: metadata.name,
    verified: condition.status === "True",
    reason: condition.reason,
    message: condition.message.slice(0, 1024),
    ...(digest === undefined ? {} : { digest }),
  };
  return [VerificationCompleted.of(subjectOf(HelmApplicationVersion, metadata), data)];
}
