import { findCondition } from "../../shared/conditions.ts";
import type { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import type { Metric } from "./exposition.ts";

type Status = NonNullable<HelmRepo["status"]>;
type Read = (status: Status, now: Date) => number | undefined;
type Row = readonly [name: string, type: Metric["type"], help: string, read: Read];

/** Every metric of a repository and where its status has it. */
const ROWS: readonly Row[] = [
  [
    "not_modified_total",
    "counter",
    "Syncs that the server answered with not modified.",
    (s) => s.statistics?.notModified,
  ],
  [
    "unchanged_total",
    "counter",
    "Syncs that found nothing new, those not modified included.",
    (s) => s.statistics?.unchanged,
  ],
  ["read_bytes_total", "counter", "Bytes of index that were read.", (s) => s.statistics?.bytes],
  ["saved_bytes_total", "counter", "Bytes of index that did not have to be sent.", (s) => s.statistics?.bytesSaved],
  ["index_size_bytes", "gauge", "Bytes of the index as it was read last.", (s) => s.statistics?.indexBytes],
  ["last_sync_duration_seconds", "gauge", "Time that the last sync took.", (s) => seconds(s.statistics?.durationMs)],
  ["charts", "gauge", "Charts in the index.", (s) => s.totalCharts],
  ["chart_versions", "gauge", "Chart versions in the index.", (s) => s.totalChartVersions],
  ["dropped_entries", "gauge", "Index entries that cannot be used.", (s) => s.droppedEntries],
  ["pending_versions", "gauge", "Versions in a registry that are not read yet.", (s) => s.pendingVersions],
  ["quarantined_versions", "gauge", "Versions published again with other bytes.", (s) => s.quarantinedVersions],
  ["withdrawn_versions", "gauge", "Versions that the index lost and releases use.", (s) => s.withdrawnVersions],
  [
    "ready",
    "gauge",
    "1 where the last sync ended well.",
    (s) => truth(findCondition(s.conditions, "Ready")?.status === "True"),
  ],
  ["syncing", "gauge", "1 while a sync is under way.", (s) => truth(s.sync !== undefined)],
  [
    "last_success_timestamp_seconds",
    "gauge",
    "When the applications were last known to be up to date.",
    (s) => at(s.lastSuccessfulTime),
  ],
  ["next_sync_timestamp_seconds", "gauge", "When the next sync is due.", (s) => at(s.nextSyncTime)],
  [
    "staleness_seconds",
    "gauge",
    "Time since the applications were last known to be up to date.",
    (s, now) => since(s.lastSuccessfulTime, now),
  ],
];

const PREFIX = "openpitrix_repo_";

/** What is counted and measured of repositories, from what their status says: no process has to live for it. */
export function repoMetrics(repos: readonly HelmRepo[], now: Date): readonly Metric[] {
  const rows = ROWS.map(([name, type, help, read]): Metric => {
    const samples = repos.map((repo) => ({ labels: labelsOf(repo), value: read(repo.status ?? {}, now) }));
    return { name: PREFIX + name, type, help, samples };
  });
  return [infos(repos), syncs(repos), ...rows];
}

/** What else is known of a repository, to be joined by its name. */
function infos(repos: readonly HelmRepo[]): Metric {
  const samples = repos.map((repo) => {
    const workspace = repo.metadata.labels?.[LABEL.workspace] ?? "";
    return { labels: { ...labelsOf(repo), workspace, type: repo.spec.type ?? "http" }, value: 1 };
  });
  return { name: `${PREFIX}info`, type: "gauge", help: "Workspace and type of a repository.", samples };
}

function syncs(repos: readonly HelmRepo[]): Metric {
  const samples = repos.flatMap((repo) => {
    const { syncs: success, failures: failure } = repo.status?.statistics ?? {};
    const counted = { success, failure };
    return Object.entries(counted).map(([result, value]) => ({ labels: { ...labelsOf(repo), result }, value }));
  });
  return { name: `${PREFIX}syncs_total`, type: "counter", help: "Syncs by how they ended.", samples };
}

function labelsOf({ metadata }: HelmRepo): Readonly<Record<string, string>> {
  return { repo: metadata.name };
}

function seconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1000;
}

function truth(holds: boolean): number {
  return holds ? 1 : 0;
}

function at(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time) / 1000;
}

function since(time: string | undefined, now: Date): number | undefined {
  return time === undefined ? undefined : Math.max(0, (now.getTime() - Date.parse(time)) / 1000);
}
