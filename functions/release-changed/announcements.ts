import { findCondition } from "../../shared/conditions.ts";
import { ReleaseCheckTick, ReleaseDeployed, ReleaseFailed } from "../../shared/events/release.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";

/** What a release in this status has to tell: the same facts again however often it is asked. */
export function announcements({ metadata, spec }: HelmRelease, status: HelmRelease["status"]) {
  const subject = subjectOf(HelmRelease, metadata);
  const release = { namespace: metadata.namespace ?? "", release: metadata.name };
  if (!status) return [];
  if (status.state === "failed") {
    const reason = findCondition(status.conditions, "Ready")?.reason ?? "HelmFailed";
    return [ReleaseFailed.of(subject, { ...release, reason, message: status.message ?? "" })];
  }
  const { revision = 0 } = status;
  const deployed = { ...release, revision, chart: spec.chartName, version: spec.chartVersion };
  return [ReleaseDeployed.of(subject, deployed), ReleaseCheckTick.of(subject, release)];
}
