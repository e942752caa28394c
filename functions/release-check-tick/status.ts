import { type ConditionInput, findCondition, setConditions } from "../../shared/conditions.ts";
import { ReleaseFailed, ReleaseReady } from "../../shared/events/release.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import type { Verdict } from "./judge.ts";

type Status = NonNullable<HelmRelease["status"]>;

/** The status that a verdict leads to; `undefined` where it says so already. */
export function verdictStatus(release: HelmRelease, verdict: Verdict, now: Date): Status | undefined {
  const before = release.status;
  if (!before) return undefined;
  const told = findCondition(before.conditions, "Ready")?.message;
  if (verdict.state === "open" && told === verdict.message) return undefined;
  const time = now.toISOString();
  const conditions = setConditions(before.conditions, inputs(release, verdict), time);
  const checks = (before.checks ?? 0) + 1;
  if (verdict.state === "open") return { ...before, checks, conditions, lastUpdate: time };
  const state = verdict.state === "ready" ? ("active" as const) : ("failed" as const);
  const message = verdict.state === "ready" ? "" : verdict.message.slice(0, 512);
  return { ...before, state, message, checks, conditions, lastUpdate: time };
}

/** What a release in a final state has to tell; nothing while it is on its way. */
export function factOf({ metadata }: HelmRelease, status: Status) {
  const subject = subjectOf(HelmRelease, metadata);
  const release = { namespace: metadata.namespace ?? "", release: metadata.name };
  const revision = status.revision === undefined ? {} : { revision: status.revision };
  if (status.state === "active") return [ReleaseReady.of(subject, { ...release, ...revision })];
  if (status.state !== "failed") return [];
  const reason = findCondition(status.conditions, "Ready")?.reason ?? "ObjectFailed";
  return [ReleaseFailed.of(subject, { ...release, reason, message: status.message ?? "" })];
}

const REASON = { ready: "Ready", open: "Progressing" } as const;

function inputs({ metadata }: HelmRelease, verdict: Verdict): readonly ConditionInput[] {
  const reason = verdict.state === "failed" ? verdict.reason : REASON[verdict.state];
  const { message } = verdict;
  const common = { reason, message, observedGeneration: metadata.generation ?? 0 };
  const is = (state: Verdict["state"]) => (verdict.state === state ? "True" : "False");
  return [
    { type: "Ready", status: is("ready"), ...common },
    { type: "Reconciling", status: is("open"), ...common },
    { type: "Stalled", status: is("failed"), ...common },
  ];
}
