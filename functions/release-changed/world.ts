import type { HelmResult } from "../../shared/helm-port.ts";
import type { ReleasePlan } from "../../shared/lifecycle/release-plan.ts";
import type { HelmRelease } from "../../shared/resources/helm-release.ts";
import type { Verdict } from "../../shared/trust/verdict.ts";

/** Why a release cannot be as it should. */
export interface Problem {
  readonly reason: string;
  readonly message: string;
  /** What was found of signatures, where they were asked for and are the reason. */
  readonly verdict?: Verdict;
}

/** The bytes of the chart that a release installs. */
export interface FoundChart {
  readonly ok: true;
  readonly bytes: Uint8Array;
  /** sha256:<hex> */
  readonly digest: string;
  /** What was found of signatures, where the repository asks for them. */
  readonly verdict?: Verdict;
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
