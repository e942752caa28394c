import { withoutUserInfo } from "../charts/user-info.ts";
import { stateOf } from "../lifecycle/act.ts";
import { versionName } from "../lifecycle/app-state.ts";
import type { AuditEntry } from "../lifecycle/audit.ts";
import type { KubeObject } from "../resource.ts";
import type { HelmApplication } from "../resources/helm-application.ts";
import type { HelmApplicationVersion } from "../resources/helm-application-version.ts";
import type { HelmCategory } from "../resources/helm-category.ts";
import type { HelmRepo } from "../resources/helm-repo.ts";
import { ANNOTATION, LABEL, STORE_REPO, STORE_SUFFIX } from "../resources/labels.ts";

/** A time that was never set, as Go's clients expect it. */
const NEVER = "0001-01-01T00:00:00.000Z";

/** RFC 3339 with milliseconds, as v1 writes all times (KubeSphere §6.1). */
export function restTime(text: string | undefined): string {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? NEVER : new Date(time).toISOString();
}

function ownerOf({ metadata }: KubeObject): string {
  return metadata.annotations?.[ANNOTATION.creator] ?? "";
}

/** What an application is shown with besides itself. */
export interface AppContext {
  readonly category: HelmCategory | undefined;
  readonly latest: HelmApplicationVersion | undefined;
}

/** An application of v1 (KubeSphere §6.5). */
export function appShape(app: HelmApplication, { category, latest }: AppContext) {
  const { metadata, spec, status } = app;
  return {
    app_id: metadata.name,
    name: spec.name,
    isv: workspaceOf(app),
    owner: ownerOf(app),
    status: status?.state || "draft",
    abstraction: spec.abstraction ?? "",
    description: spec.description ?? "",
    home: spec.appHome ?? "",
    icon: spec.icon ?? "",
    screenshots: (spec.attachments ?? []).join(","),
    category_set: category ? [categoryOfApp(category)] : [],
    latest_app_version: latest ? versionShape(latest) : {},
    app_version_types: "helm",
    cluster_total: 0,
    ...appTimes(app),
  };
}

function appTimes({ metadata, status }: HelmApplication) {
  const made = metadata.creationTimestamp;
  return {
    create_time: restTime(made),
    status_time: restTime(status?.statusTime || made),
    update_time: restTime(status?.updateTime || made),
  };
}

/** The workspace that an object belongs to, or came from; "" where it has none. */
export function workspaceOf({ metadata }: KubeObject): string {
  return metadata.labels?.[LABEL.workspace] ?? metadata.labels?.[LABEL.workspaceOrigin] ?? "";
}

/** Repositories that came with KubeSphere have names that begin so; their charts are part of the store (§6.3). */
const BUILTIN = "builtin-";

/** Whether an object belongs to a repository that came with KubeSphere. */
export function isBuiltin({ metadata }: KubeObject): boolean {
  return metadata.labels?.[LABEL.repoId]?.startsWith(BUILTIN) === true;
}

/** Whether an object belongs to the store's pseudo repository, or to one that came with KubeSphere. */
export function isOfStore(object: KubeObject): boolean {
  return object.metadata.labels?.[LABEL.repoId] === STORE_REPO || isBuiltin(object);
}

/** Whether an application or version is in the store, for all workspaces: released, and not of a workspace's repository. */
export function isOffered(object: KubeObject & { readonly status?: object }): boolean {
  if (isOfStore(object)) return true;
  const { state } = (object.status ?? {}) as { readonly state?: string };
  const released = state === "active" || state === "suspended";
  return released && !object.metadata.labels?.[LABEL.repoId];
}

function categoryOfApp({ metadata, spec }: HelmCategory) {
  return {
    category_id: metadata.name,
    name: spec.name,
    locale: spec.locale ?? "{}",
    status: "enabled",
    create_time: restTime(metadata.creationTimestamp),
  };
}

/** A version of v1: both clocks, `status_time` from the last audit and `update_time` from the upload (§6.5, §7.4). */
export function versionShape(version: HelmApplicationVersion) {
  const { metadata, spec, status } = version;
  return {
    version_id: metadata.name,
    app_id: metadata.labels?.[LABEL.appId] ?? "",
    name: versionName(version),
    active: true,
    status: stateOf(version),
    description: spec.description ?? "",
    home: spec.home ?? "",
    icon: spec.icon ?? "",
    owner: ownerOf(version),
    package_name: `${spec.name ?? ""}-${spec.version ?? ""}.tgz`,
    maintainers: JSON.stringify(spec.maintainers ?? []),
    sources: JSON.stringify(spec.sources ?? []),
    create_time: restTime(metadata.creationTimestamp),
    status_time: restTime(status?.audit?.[0]?.time ?? metadata.creationTimestamp),
    update_time: restTime(spec.created ?? metadata.creationTimestamp),
  };
}

/** One entry of a version's audit trail. */
export function auditShape(version: HelmApplicationVersion, appName: string, entry: AuditEntry) {
  return {
    app_id: version.metadata.labels?.[LABEL.appId] ?? "",
    app_name: appName,
    version_id: version.metadata.name,
    version_name: versionName(version),
    version_type: "helm",
    status: entry.state ?? "",
    operator: entry.operator ?? "",
    operator_type: entry.operatorType ?? "",
    message: entry.message ?? "",
    status_time: restTime(entry.time),
  };
}

/** A version in the review queue; `phase` says how each step of its review stands. */
export function reviewShape(version: HelmApplicationVersion, appName: string) {
  const { metadata, status } = version;
  const [newest] = status?.audit ?? [];
  const phases = status?.review?.phases ?? [];
  return {
    review_id: newest?.operator ?? "",
    app_id: metadata.labels?.[LABEL.appId] ?? "",
    app_name: appName,
    version_id: metadata.name,
    version_name: versionName(version),
    status: stateOf(version),
    reviewer: phases.at(-1)?.reviewer ?? newest?.operator ?? "",
    status_time: restTime(newest?.time ?? metadata.creationTimestamp),
    workspace: metadata.labels?.[LABEL.workspace] ?? "",
    phase: Object.fromEntries(
      phases.map(({ step, state, reviewer = "", time, message = "" }) => [
        step,
        { status: state, operator: reviewer, operator_type: step, message, status_time: restTime(time) },
      ]),
    ),
  };
}

/** A repository of v1; whoever gave credentials does not get them back. */
export function repoShape(repo: HelmRepo) {
  const { metadata, spec, status } = repo;
  return {
    repo_id: metadata.name,
    name: spec.name,
    status: status?.state ?? "syncing",
    url: withoutUserInfo(spec.url),
    credential: "{}",
    description: spec.description ?? "",
    creator: ownerOf(repo),
    sync_period: metadata.annotations?.[ANNOTATION.syncPeriod] ?? (spec.syncPeriod ? `${spec.syncPeriod}s` : ""),
    create_time: restTime(metadata.creationTimestamp),
    status_time: NEVER,
    category_set: null,
    labels: null,
    providers: null,
    selectors: null,
  };
}

/** The last syncs of a repository, newest first. */
export function repoEventShapes({ metadata, status }: HelmRepo) {
  return (status?.syncState ?? []).map(({ state = "", message = "", syncTime }) => ({
    repo_id: metadata.name,
    status: state,
    result: message,
    create_time: restTime(syncTime),
    status_time: restTime(syncTime),
  }));
}

/** A category of v1. */
export function categoryShape({ metadata, spec, status }: HelmCategory) {
  return {
    category_id: metadata.name,
    name: spec.name,
    description: spec.description ?? "",
    locale: spec.locale ?? "{}",
    app_total: status?.total ?? 0,
    create_time: restTime(metadata.creationTimestamp),
  };
}

/** The id that an application and the store's copy of it share. */
export function baseId(appId: string): string {
  return appId.endsWith(STORE_SUFFIX) ? appId.slice(0, -STORE_SUFFIX.length) : appId;
}
