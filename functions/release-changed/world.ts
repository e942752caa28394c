import type { HelmResult } from "../../shared/helm-port.ts";
import type { ReleasePlan } from "../../shared/lifecycle/release-plan.ts";
import type { HelmRelease } from "../../shared/resources/helm-release.ts";
import type { ChartProblem, FoundChart } from "../../shared/trust/repository-chart.ts";

/** What a release is decided on, after Helm did what the plan asked for. */
export interface World {
  readonly release: HelmRelease | undefined;
  readonly plan: ReleasePlan;
  readonly chart?: FoundChart;
  readonly result?: HelmResult;
  readonly problem?: ChartProblem;
  /** What keeps the plan from being carried out now, but perhaps not later. */
  readonly hindrance?: ChartProblem;
  readonly now: Date;
}
