import { change, type Decision, replace, replaceStatus, wait } from "../../shared/decision.ts";
import { Failure } from "../../shared/errors.ts";
import { ReleaseChanged, ReleaseCheckTick, ReleaseDeployed, ReleaseFailed } from "../../shared/events/release.ts";
import { defineFunction } from "../../shared/function.ts";
import { isYoung } from "../../shared/lifecycle/act.ts";
import { HINDERED, hinderedSince, releaseMark, releasePlan } from "../../shared/lifecycle/release-plan.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { ANNOTATION, FINALIZER } from "../../shared/resources/labels.ts";
import type { ChartProblem } from "../../shared/trust/repository-chart.ts";
import { announcements } from "./announcements.ts";
import { findChart } from "./find-chart.ts";
import { deployedStatus, failedStatus, hinderedStatus } from "./status.ts";
import type { World } from "./world.ts";

/** Time that hooks of one chart may take. */
const HELM_TIMEOUT_MS = 240_000;

/** Time for whatever an installation needs to come back. */
const GIVE_UP_MS = 15 * 60_000;

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
  uses: ["attestations", "blobs", "charts", "clock", "helm", "openpgp"],
  timeoutMs: 300_000,
  concurrency: 4,
  gather: async ({ data }, ports): Promise<World> => {
    const release = await ports.kube.get(HelmRelease, { namespace: data.namespace, name: data.release });
    const now = () => ports.clock.now();
    const plan = releasePlan(release);
    if (!release || plan === "none" || isUnheld(release)) return { release, plan, now: now() };
    const helmName = { namespace: data.namespace, name: release.spec.name };
    // What ran under this object before, under KubeSphere too, belongs to it whoever told Helm.
    const adopt = (release.status?.version ?? 0) > 0;
    if (plan === "uninstall") {
      await ports.helm.uninstall(helmName, adopt);
      return { release, plan, now: now() };
    }
    try {
      const chart = await findChart(release, ports);
      if (!chart.ok) return { release, plan, problem: chart, now: now() };
      const values = Buffer.from(release.spec.values ?? "", "base64").toString("utf8");
      const mark = releaseMark(release);
      const desired = { ...helmName, chart: chart.bytes, values, mark, adopt, timeoutMs: HELM_TIMEOUT_MS };
      return { release, plan, chart, result: await ports.helm.converge(desired), now: now() };
    } catch (error) {
      return { release, plan, hindrance: hindranceOf(error), now: now() };
    }
  },
  decide: (world, event): ReleaseDecision => {
    const { release, plan, result, now } = world;
    if (!release) return isYoung(event, now) ? wait("ReleaseNotFound") : change({});
    if (plan === "uninstall") return change({ write: withoutFinalizer(release) });
    if (plan === "none") return change({ announce: announcements(release, release.status) });
    if (isUnheld(release)) return wait("FinalizerAdded", { write: [held(release)] });
    if (result?.outcome === "busy") return wait("HelmBusy");
    return world.hindrance ? hindered(release, world.hindrance, now) : tried(release, world);
  },
});

function tried(release: HelmRelease, world: World): ReleaseDecision {
  const { chart, now } = world;
  const problem = world.problem ?? helmProblem(world);
  const status = problem ? failedStatus(release, problem, now) : deployedStatus(release, world);
  const keep = !problem && chart ? [{ bucket: "packages" as const, key: chart.digest, bytes: chart.bytes }] : [];
  return change({
    blobs: keep,
    write: [replaceStatus(HelmRelease, release, status)],
    announce: announcements(release, status),
  });
}

/** Somebody who looks at the release learns what it waits for; after a while it fails, so that it does not wait for ever. */
function hindered(release: HelmRelease, { reason, message }: ChartProblem, now: Date): ReleaseDecision {
  const since = hinderedSince(release);
  if (since !== undefined && now.getTime() - Date.parse(since) > GIVE_UP_MS) {
    const problem = { reason, message: `${message}; raise spec.version to try again` };
    return tried(release, { release, plan: "deploy", problem, now });
  }
  const status = hinderedStatus(release, { reason, message }, now);
  return wait(reason, { write: since === undefined ? [replaceStatus(HelmRelease, release, status)] : [] });
}

/** What is down or not granted may be mended any time; everything else is for the host to judge. */
function hindranceOf(error: unknown): ChartProblem {
  if (!(error instanceof Failure) || (error.kind !== "Unavailable" && error.kind !== "Forbidden")) throw error;
  return { reason: HINDERED, message: error.message };
}

/** Whether deleting the object would leave behind what Helm installs: nothing is installed before that is mended. */
function isUnheld({ metadata }: HelmRelease): boolean {
  return metadata.deletionTimestamp === undefined && !metadata.finalizers?.includes(FINALIZER.HelmRelease);
}

/** The event at hand is the announcement of the wish, so this write is none that has to be announced. */
function held(release: HelmRelease) {
  const { metadata } = release;
  const finalizers = [...(metadata.finalizers ?? []), FINALIZER.HelmRelease];
  const annotations = { ...metadata.annotations, [ANNOTATION.announcedMark]: releaseMark(release) };
  return replace(HelmRelease, { ...release, metadata: { ...metadata, finalizers, annotations } });
}

function withoutFinalizer(release: HelmRelease) {
  const finalizers = release.metadata.finalizers ?? [];
  if (!finalizers.includes(FINALIZER.HelmRelease)) return [];
  const rest = finalizers.filter((name) => name !== FINALIZER.HelmRelease);
  return [replace(HelmRelease, { ...release, metadata: { ...release.metadata, finalizers: rest } })];
}

function helmProblem({ result, chart }: World): ChartProblem | undefined {
  if (result?.outcome !== "failed") return undefined;
  return { reason: "HelmFailed", message: result.message, ...(chart?.verdict ? { verdict: chart.verdict } : {}) };
}
