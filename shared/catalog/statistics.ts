import { stateOf } from "../lifecycle/act.ts";
import type { HelmApplication } from "../resources/helm-application.ts";
import type { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import type { HelmRepo } from "../resources/helm-repo.ts";
import { LABEL, STORE_REPO } from "../resources/labels.ts";

/** What is counted. */
export interface Counted {
  readonly apps: readonly HelmApplication[];
  readonly versions: readonly HelmApplicationVersion[];
  readonly repos: readonly HelmRepo[];
  readonly now: Date;
}

/** OpenPitrix's statistics of applications (GetAppStatistics), and the states that its lifecycle knows. */
export interface AppStatistics {
  readonly app_count: number;
  readonly repo_count: number;
  readonly version_count: number;
  /** Applications by their state. */
  readonly apps_by_state: Readonly<Record<string, number>>;
  /** Versions by their state; those that follow a repository's index count as active. */
  readonly versions_by_state: Readonly<Record<string, number>>;
  /** Applications made on each of the last 14 days (UTC, `YYYY-MM-DD`), today included, days without any too. */
  readonly last_two_week_created: Readonly<Record<string, number>>;
  /** The ten repositories with the most applications, by id. */
  readonly top_ten_repos: Readonly<Record<string, number>>;
  /** The ten applications with the most versions, by id. */
  readonly top_ten_apps: Readonly<Record<string, number>>;
}

const DAYS = 14;
const DAY_MS = 86_400_000;
const TOP = 10;

/** Counts applications once each: what the store keeps a copy of is counted as the original. */
export function appStatistics({ apps, versions, repos, now }: Counted): AppStatistics {
  const originals = apps.filter(({ metadata }) => !isGoing(metadata) && repoOf(metadata) !== STORE_REPO);
  const live = versions.filter(({ metadata }) => !isGoing(metadata));
  return {
    app_count: originals.length,
    repo_count: repos.filter(({ metadata }) => !isGoing(metadata)).length,
    version_count: live.length,
    apps_by_state: counts(originals.map(({ status }) => status?.state || "draft")),
    versions_by_state: counts(live.map(stateShown)),
    last_two_week_created: perDay(originals, now),
    top_ten_repos: top(originals.map(({ metadata }) => repoOf(metadata)).filter((repo) => repo !== "")),
    top_ten_apps: top(live.map(({ metadata }) => metadata.labels?.[LABEL.appId] ?? "").filter((app) => app !== "")),
  };
}

type Metadata = HelmApplication["metadata"];

function isGoing({ deletionTimestamp }: Metadata): boolean {
  return deletionTimestamp !== undefined;
}

function repoOf({ labels }: Metadata): string {
  return labels?.[LABEL.repoId] ?? "";
}

function stateShown(version: HelmApplicationVersion): string {
  const followed = !["", STORE_REPO].includes(repoOf(version.metadata));
  return followed && !version.status?.state ? "active" : stateOf(version);
}

function perDay(apps: readonly HelmApplication[], now: Date): Readonly<Record<string, number>> {
  const days = Array.from({ length: DAYS }, (_, ago) => dayOf(new Date(now.getTime() - (DAYS - 1 - ago) * DAY_MS)));
  const made = counts(apps.map(({ metadata }) => dayOf(new Date(metadata.creationTimestamp ?? 0))));
  return Object.fromEntries(days.map((day) => [day, made[day] ?? 0]));
}

function dayOf(time: Date): string {
  return Number.isNaN(time.getTime()) ? "" : time.toISOString().slice(0, 10);
}

function counts(values: readonly string[]): Readonly<Record<string, number>> {
  const counted = new Map<string, number>();
  for (const value of values) counted.set(value, (counted.get(value) ?? 0) + 1);
  return Object.fromEntries([...counted].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function top(values: readonly string[]): Readonly<Record<string, number>> {
  const largest = Object.entries(counts(values)).sort(([, a], [, b]) => b - a);
  return Object.fromEntries(largest.slice(0, TOP));
}
