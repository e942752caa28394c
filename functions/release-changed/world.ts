import type { ReleasePlan } from "../../shared/lifecycle/release-plan.ts";
import type { HelmResult } from "../../shared/ports.ts";
import type { HelmRelease } from "../../shared/resources/helm-release.ts";
import type { FoundChart } from "./find-chart.ts";
import type { Problem } from "./status.ts";

/** What a release is decided on, after Helm did what the plan asked for. */
export interface World {
  readonly release: HelmRelease | undefined;
  readonly plan: ReleasePlan;
  readonly chart?: FoundChart;
  readonly result?: HelmResult;
  readonly problem?: Problem;
  /** What keeps the plan from being carried out now, but perhaps not later. */
  readonly hindrance?: Problem;
  readonly now: Date;
}
