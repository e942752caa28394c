import { findCondition } from "../conditions.ts";
import { plainDigest } from "../lifecycle/repository-version.ts";
import type { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import { VERIFIED } from "./verdict.ts";

/** Signatures that were missing come often minutes after the package, so the pauses between two looks begin short. */
const FIRST_PAUSE_MS = 10 * 60_000;
const LONGEST_PAUSE_MS = 24 * 3_600_000;

/**
 * Whether the signatures of a version have to be looked at: never done for these bytes and these demands, or found
 * wanting so long ago that they may have come since. Pauses double, from ten minutes to a day.
 */
export function verificationDue({ spec, status }: HelmApplicationVersion, mark: string, now: Date): boolean {
  const { verification, conditions } = status ?? {};
  const verified = findCondition(conditions, VERIFIED);
  if (!verification || !verified || verification.mark !== mark) return true;
  if (spec.digest !== undefined && verification.digest !== `sha256:${plainDigest(spec.digest)}`) return true;
  if (verified.status === "True") return false;
  const looked = Date.parse(verification.time);
  const pause = looked - Date.parse(verified.lastTransitionTime);
  return now.getTime() - looked >= Math.min(Math.max(pause, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
}
