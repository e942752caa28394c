import type { ReleaseObject } from "../../shared/helm-port.ts";
import { readinessOf } from "../../shared/lifecycle/readiness.ts";
import type { HelmRelease } from "../../shared/resources/helm-release.ts";

/** What one look at a release came to. */
export type Verdict =
  | { readonly state: "ready"; readonly message: string }
  | { readonly state: "failed"; readonly reason: string; readonly message: string }
  /** Not yet; `again` while the same event should look once more, later the cron tick does. */
  | { readonly state: "open"; readonly message: string; readonly again: boolean };

const MINUTE_MS = 60_000;

/** A release that is not ready by then has failed (KubeSphere §1.10). */
const GIVE_UP_MS = 15 * MINUTE_MS;

/** While a release is this young, the event that followed its installation keeps looking. */
const EAGER_MS = 2 * MINUTE_MS;

/** Judges a release by the objects of its manifest. */
export function judge(release: HelmRelease, objects: readonly ReleaseObject[] | undefined, now: Date): Verdict {
  if (!objects) {
    const message = `Helm has no release ${release.spec.name}; raise spec.version to install it again`;
    return { state: "failed", reason: "ReleaseGone", message };
  }
  const looked = objects.map(readinessOf);
  const failed = looked.find(({ readiness }) => readiness === "Failed");
  if (failed) return { state: "failed", reason: "ObjectFailed", message: failed.message };
  const open = looked.filter(({ readiness }) => readiness === "Progressing");
  const [first] = open;
  if (!first) return { state: "ready", message: `all ${objects.length} objects are ready` };
  const age = now.getTime() - Date.parse(release.status?.lastDeployed ?? now.toISOString());
  const message = `${objects.length - open.length} of ${objects.length} objects are ready; ${first.message}`;
  if (age > GIVE_UP_MS)
    return { state: "failed", reason: "NotReadyInTime", message: `not ready after 15 minutes: ${message}` };
  return { state: "open", message, again: age < EAGER_MS };
}
