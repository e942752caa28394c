import { findCondition } from "../../../shared/conditions.ts";
import type { HelmRepo } from "../../../shared/resources/helm-repo.ts";
import { LABEL } from "../../../shared/resources/labels.ts";

/** What programs read of a repository. */
export function summaryOf({ metadata, spec, status = {} }: HelmRepo) {
  const ready = findCondition(status.conditions, "Ready");
  return {
    name: metadata.name,
    workspace: metadata.labels?.[LABEL.workspace],
    url: withoutUser(spec.url),
    state: status.state ?? "new",
    ready: ready?.status === "True",
    reason: ready?.reason,
    message: ready?.message,
    charts: status.totalCharts ?? 0,
    versions: status.totalChartVersions ?? 0,
    dropped: status.droppedEntries ?? 0,
    freshAsOf: status.lastSuccessfulTime,
    nextSync: status.nextSyncTime,
  };
}

/** How far a sync has come, in one line. */
export function progressOf({ metadata, status }: HelmRepo): string {
  const { sync } = status ?? {};
  if (!sync) return `${metadata.name}: waiting for the sync to begin`;
  if (sync.to === undefined) return `${metadata.name}: fetching the index`;
  const { chartsDone = 0, chartsTotal = 0, objectsDone = 0, objectsTotal = 0 } = sync;
  const share = objectsTotal === 0 ? 0 : Math.min(1, objectsDone / objectsTotal);
  const bar = "#".repeat(Math.round(share * 20)).padEnd(20, ".");
  return `${metadata.name}: [${bar}] charts ${chartsDone} of ${chartsTotal}, objects ${objectsDone} of ${objectsTotal}`;
}

/** What the last sync came to, in one line. */
export function outcomeOf(repo: HelmRepo): string {
  const { name, ready, message, reason } = summaryOf(repo);
  return `${name}: ${ready ? "" : `${reason ?? "not synced yet"}: `}${message ?? ""}`.trim();
}

function withoutUser(url: string): string {
  return url.replace(/\/\/[^/]*@/, "//***@");
}
