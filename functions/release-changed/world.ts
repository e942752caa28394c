import type { HelmResult } from "../../shared/helm-port.ts";
import type { ReleasePlan } from "../../shared/lifecycle/release-plan.ts";
import type { HelmRelease } from "../../shared/resources/helm-release.ts";

/** Why a release cannot be as it should. */
export interface Problem {
  readonly reason: string;
  readonly message: string;
}

/** The bytes of the chart that a release installs. */
export interface FoundChart {
  readonly ok: true;
  readonly bytes: Uint8Array;
  /** sha256:<hex> */
  readonly digest: string;
}

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
