import { ReleaseChanged, ReleaseCheckTick, ReleaseRequested } from "../../shared/events/release.ts";
import { hinderedSince, releasePlan } from "../../shared/lifecycle/release-plan.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRequest } from "../../shared/resources/helm-request.ts";

interface Everything {
  readonly releases: readonly HelmRelease[];
  readonly requests: readonly HelmRequest[];
  readonly now: Date;
}

/** An object that was left alone this long has lost its event. */
const LOST_AFTER_MS = 60_000;

/** Events are delivered for about 17 minutes before they are given up. */
const TRIED_MS = 20 * 60_000;

/** The events that unfinished releases and requests wait for, in case the source that should send them lost some. */
export function overdue({ releases, requests, now }: Everything) {
  const isOld = (time: string | undefined) => now.getTime() - Date.parse(time ?? "1970-01-01") > LOST_AFTER_MS;
  const unanswered = requests.filter(({ metadata, status }) => {
    return status?.observedGeneration !== metadata.generation && isOld(metadata.creationTimestamp);
  });
  const old = releases.filter(({ metadata, status }) => isOld(status?.lastUpdate ?? metadata.creationTimestamp));
  const undone = old.filter((release) => releasePlan(release) !== "none" && !isTried(release, now));
  const open = old.filter((release) => releasePlan(release) === "none" && isOpen(release));
  return [
    ...unanswered.map(({ metadata }) =>
      ReleaseRequested.of(subjectOf(HelmRequest, metadata), { request: metadata.name }),
    ),
    ...undone.map(({ metadata }) => ReleaseChanged.of(subjectOf(HelmRelease, metadata), nameOf(metadata))),
    ...open.map(({ metadata }) => ReleaseCheckTick.of(subjectOf(HelmRelease, metadata), nameOf(metadata))),
  ];
}

/** Whether the event of a release that waits for something still comes back by itself. */
function isTried(release: HelmRelease, now: Date): boolean {
  const since = hinderedSince(release);
  return since !== undefined && now.getTime() - Date.parse(since) < TRIED_MS;
}

function isOpen({ status }: HelmRelease): boolean {
  return status?.state === "created" || status?.state === "upgraded";
}

function nameOf({ namespace = "", name }: HelmRelease["metadata"]) {
  return { namespace, release: name };
}
