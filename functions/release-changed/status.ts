import { type ConditionInput, setConditions } from "../../shared/conditions.ts";
import { releaseMark } from "../../shared/lifecycle/release-plan.ts";
import type { HelmRelease, ReleaseState } from "../../shared/resources/helm-release.ts";
import type { ChartProblem } from "../../shared/trust/repository-chart.ts";
import { withoutVerdict, withVerdict } from "../../shared/trust/verdict.ts";
import type { World } from "./world.ts";

type Status = NonNullable<HelmRelease["status"]>;

/** Tries that a release remembers (KubeSphere §1.10). */
const HISTORY_LIMIT = 10;

/** KubeSphere cuts messages at 512 bytes (§1.10). */
const MESSAGE_LIMIT = 512;

/** Status after Helm installed or upgraded: deployed, not yet known to be ready. */
export function deployedStatus(release: HelmRelease, { result, chart, now }: World): Status {
  const state = (release.status?.version ?? 0) > 0 ? "upgraded" : "created";
  const time = now.toISOString();
  const status = {
    ...base(release, { state, message: "", now }),
    version: release.spec.version,
    lastDeployed: time,
    checks: 0,
    ...(result?.outcome === "deployed" ? { revision: result.revision } : {}),
    ...(chart ? { packageDigest: chart.digest } : {}),
    conditions: setConditions(release.status?.conditions, progressing(release, APPLIED), time),
  };
  return chart?.verdict ? withVerdict(status, chart.verdict, release.metadata.generation) : withoutVerdict(status);
}

/** Status after something that no retry of the same wish will mend. */
export function failedStatus(release: HelmRelease, { reason, message, verdict }: ChartProblem, now: Date): Status {
  const status = {
    ...base(release, { state: "failed", message, now }),
    conditions: setConditions(release.status?.conditions, stalled(release, reason, message), now.toISOString()),
  };
  return verdict ? withVerdict(status, verdict, release.metadata.generation) : status;
}

/** Status while something has to come back first. */
export function hinderedStatus(release: HelmRelease, { reason, message }: ChartProblem, now: Date): Status {
  const { conditions, state = "creating" } = release.status ?? {};
  const cut = message.slice(0, MESSAGE_LIMIT);
  const time = now.toISOString();
  const inputs = progressing(release, { reason, message: `${cut}; it is tried again` });
  return {
    ...release.status,
    state,
    message: cut,
    lastUpdate: time,
    conditions: setConditions(conditions, inputs, time),
  };
}

interface Base {
  readonly state: ReleaseState;
  readonly message: string;
  readonly now: Date;
}

function base(release: HelmRelease, { state, message, now }: Base): Status {
  const time = now.toISOString();
  const cut = message.slice(0, MESSAGE_LIMIT);
  const attempt = { state, deployTime: time, ...(cut ? { message: cut } : {}) };
  const { generation } = release.metadata;
  return {
    ...release.status,
    state,
    message: cut,
    deployStatus: [attempt, ...(release.status?.deployStatus ?? [])].slice(0, HISTORY_LIMIT),
    lastUpdate: time,
    mark: releaseMark(release),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
  };
}

const APPLIED: ChartProblem = {
  reason: "Progressing",
  message: "Helm has applied the chart; waiting for its objects to become ready",
};

function progressing(release: HelmRelease, { reason, message }: ChartProblem): readonly ConditionInput[] {
  const observedGeneration = release.metadata.generation ?? 0;
  return [
    { type: "Ready", status: "False", reason, message, observedGeneration },
    { type: "Reconciling", status: "True", reason, message, observedGeneration },
    { type: "Stalled", status: "False", reason, message, observedGeneration },
  ];
}

function stalled(release: HelmRelease, reason: string, message: string): readonly ConditionInput[] {
  const observedGeneration = release.metadata.generation ?? 0;
  return [
    { type: "Ready", status: "False", reason, message, observedGeneration },
    { type: "Reconciling", status: "False", reason, message, observedGeneration },
    { type: "Stalled", status: "True", reason, message, observedGeneration },
  ];
}
