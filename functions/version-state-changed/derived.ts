import { replaceStatus, type Write } from "../../shared/decision.ts";
import { sha256 } from "../../shared/digest.ts";
import { stateOf } from "../../shared/lifecycle/act.ts";
import type { AppState } from "../../shared/lifecycle/states.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import type { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";

type Status = NonNullable<HelmApplication["status"]>;

/** What follows from the versions. */
export interface Derived {
  readonly state: AppState;
  readonly latestVersion: string;
  readonly derivedFrom: string;
  readonly now: Date;
}

/**
 * A digest of all versions' states and how many acts led to them. It is part of the status, so of two who derive it at
 * the same time the one with the older view finds the object changed, even if all is again as it was before.
 */
export function derivedFrom(versions: readonly HelmApplicationVersion[]): string {
  const states = versions.map((version) => {
    const { name, uid, deletionTimestamp } = version.metadata;
    const acts = version.status?.audit?.[0]?.sequence ?? 0;
    return `${name} ${uid} ${deletionTimestamp === undefined ? stateOf(version) : "gone"} ${acts}`;
  });
  return sha256(states.sort().join("\n"));
}

/** The status of one copy, or nothing where it already says the same (KubeSphere §2.7, §2.8). */
export function derivedStatus(before: Status | undefined, { now, ...derived }: Derived): Status | undefined {
  const { state, latestVersion } = derived;
  const same = before?.state === state && before.latestVersion === latestVersion;
  if (same && before.derivedFrom === derived.derivedFrom) return undefined;
  const time = now.toISOString();
  return {
    ...before,
    ...derived,
    statusTime: before?.state === state ? before.statusTime : time,
    updateTime: same ? before.updateTime : time,
  };
}

/** The write that brings an application's status up to what follows from its versions. */
export function statusWrite(app: HelmApplication, derived: Derived): readonly Write<"HelmApplication">[] {
  const status = derivedStatus(app.status, derived);
  return status ? [replaceStatus(HelmApplication, app, status)] : [];
}
