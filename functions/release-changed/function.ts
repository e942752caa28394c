import { change, type Decision, replace, replaceStatus, wait } from "../../shared/decision.ts";
import { ReleaseChanged, ReleaseCheckTick, ReleaseDeployed, ReleaseFailed } from "../../shared/events/release.ts";
import { defineFunction } from "../../shared/function.ts";
import { isYoung } from "../../shared/lifecycle/act.ts";
import { releaseMark, releasePlan } from "../../shared/lifecycle/release-plan.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { FINALIZER } from "../../shared/resources/labels.ts";
import { announcements } from "./announcements.ts";
import { findChart } from "./find-chart.ts";
import { deployedStatus, failedStatus, type Problem } from "./status.ts";
import type { World } from "./world.ts";

/** Time that hooks of one chart may take. */
const HELM_TIMEOUT_MS = 240_000;

type ReleaseDecision = Decision<
  typeof ReleaseDeployed.type | typeof ReleaseFailed.type | typeof ReleaseCheckTick.type,
  "HelmRelease"
>;

/** Brings what runs to what a HelmRelease says: install, upgrade or uninstall, through Helm itself. */
export default defineFunction({
  on: ReleaseChanged,
  summary: "Installs, upgrades or uninstalls a release with Helm.",
  emits: [ReleaseDeployed, ReleaseFailed, ReleaseCheckTick],
  reads: [HelmRelease, HelmApplicationVersion, HelmPackage, HelmRepo, Secret],
  writes: [HelmRelease],
  uses: ["blobs", "charts", "clock", "helm"],
  timeoutMs: 300_000,
  concurrency: 4,
  gather: async ({ data }, ports): Promise<World> => {
    const release = await ports.kube.get(HelmRelease, { namespace: data.namespace, name: data.release });
    const now = () => ports.clock.now();
    const plan = releasePlan(release);
    if (!release || plan === "none") return { release, plan, now: now() };
    const helmName = { namespace: data.namespace, name: release.spec.name };
    if (plan === "uninstall") {
      await ports.helm.uninstall(helmName);
      return { release, plan, now: now() };
    }
    const chart = await findChart(release, ports);
    if (!chart.ok) return { release, plan, problem: chart, now: now() };
    const values = Buffer.from(release.spec.values ?? "", "base64").toString("utf8");
    const desired = { ...helmName, chart: chart.bytes, values, mark: releaseMark(release), timeoutMs: HELM_TIMEOUT_MS };
    return { release, plan, chart, result: await ports.helm.converge(desired), now: now() };
  },
  decide: (world, event): ReleaseDecision => {
    const { release, plan, result, now } = world;
    if (!release) return isYoung(event, now) ? wait("ReleaseNotFound") : change({});
    if (plan === "uninstall") return change({ write: withoutFinalizer(release) });
    if (plan === "none") return change({ announce: announcements(release, release.status) });
    if (result?.outcome === "busy") return wait("HelmBusy");
    const problem = world.problem ?? helmProblem(world);
    const status = problem ? failedStatus(release, problem, now) : deployedStatus(release, world);
    const { chart } = world;
    const keep = !problem && chart ? [{ bucket: "packages" as const, key: chart.digest, bytes: chart.bytes }] : [];
    return change({
      blobs: keep,
      write: [replaceStatus(HelmRelease, release, status)],
      announce: announcements(release, status),
    });
  },
});

function withoutFinalizer(release: HelmRelease) {
  const finalizers = release.metadata.finalizers ?? [];
  if (!finalizers.includes(FINALIZER.HelmRelease)) return [];
  const rest = finalizers.filter((name) => name !== FINALIZER.HelmRelease);
  return [replace(HelmRelease, { ...release, metadata: { ...release.metadata, finalizers: rest } })];
}

function helmProblem({ result }: World): Problem | undefined {
  return result?.outcome === "failed" ? { reason: "HelmFailed", message: result.message } : undefined;
}
