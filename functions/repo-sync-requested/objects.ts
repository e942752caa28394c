import type { SavedApp, SavedIndex, SavedVersion } from "../../shared/charts/kubesphere-index.ts";
import { newestFirst } from "../../shared/charts/version.ts";
import { apply, create, remove, replaceStatus, type Write } from "../../shared/decision.ts";
import { sameJson } from "../../shared/equal.ts";
import { cutText, metadataSpec, timestamp } from "../../shared/lifecycle/version-object.ts";
import { apiVersionOf, type OwnerReference } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { ANNOTATION, LABEL } from "../../shared/resources/labels.ts";
import type { ChangedWorld } from "./world.ts";

type ObjectWrite = Write<"HelmApplication" | "HelmApplicationVersion">;

/** Versions of each chart that exist as objects where the repository does not say (KubeSphere has them all in one field). */
const DEFAULT_HISTORY = 10;

/** The writes that bring applications and versions to the index: new, different and gone ones, nothing else. */
export function objectWrites(world: ChangedWorld, saved: SavedIndex): readonly ObjectWrite[] {
  const { repo, now } = world;
  const apps = new Map(world.apps.map((app) => [app.metadata.name, app]));
  const versions = new Map(world.versions.map((version) => [version.metadata.name, version]));
  const limit = repo.spec.versionHistoryLimit ?? DEFAULT_HISTORY;
  const writes: ObjectWrite[] = [];
  for (const app of Object.values(saved.apps)) {
    const charts = newestFirst(app.charts, ({ version }) => version);
    const [newest] = charts;
    if (!newest) continue;
    writes.push(...appWrites(repo, { app, newest, existing: apps.get(app.appId), now }));
    apps.delete(app.appId);
    for (const chart of charts.slice(0, limit)) {
      writes.push(...versionWrites(repo, { app, chart, existing: versions.get(chart.verId) }));
      versions.delete(chart.verId);
    }
  }
  const gone = [...versions.values()].map((version) => remove(HelmApplicationVersion, version));
  return [...writes, ...gone, ...[...apps.values()].map((app) => remove(HelmApplication, app))];
}

interface AppInput {
  readonly app: SavedApp;
  readonly newest: SavedVersion;
  readonly existing: HelmApplication | undefined;
  readonly now: Date;
}

function appWrites(repo: HelmRepo, { app, newest, existing, now }: AppInput): readonly ObjectWrite[] {
  const spec = appSpec(app, newest);
  const latestVersion = newest.appVersion ? `${newest.version} [${newest.appVersion}]` : newest.version;
  const time = now.toISOString();
  const metadata = { name: app.appId, ...marks(repo), ...ownedBy(repo) };
  if (!existing) {
    const status = { state: "active" as const, latestVersion, statusTime: time, updateTime: time };
    return [create(HelmApplication, { metadata, spec, status })];
  }
  const writes: ObjectWrite[] = [];
  const { state, statusTime = time } = existing.status ?? {};
  if (state !== "active" || existing.status?.latestVersion !== latestVersion) {
    const status = { ...existing.status, state: "active" as const, latestVersion, statusTime, updateTime: time };
    writes.push(replaceStatus(HelmApplication, existing, status));
  }
  const owned = existing.metadata.ownerReferences?.some(({ uid }) => uid === repo.metadata.uid) ?? false;
  if (!owned || !sameJson({ ...existing.spec, ...spec }, existing.spec))
    writes.push(apply(HelmApplication, { metadata, spec }));
  return writes;
}

function appSpec({ name }: SavedApp, { description, icon, home }: SavedVersion): HelmApplication["spec"] {
  return {
    name,
    ...(description ? { description: cutText(description) } : {}),
    ...(icon ? { icon } : {}),
    ...(home ? { appHome: home } : {}),
  };
}

interface VersionInput {
  readonly app: SavedApp;
  readonly chart: SavedVersion;
  readonly existing: HelmApplicationVersion | undefined;
}

/** A version that is known stays as it was first seen, whatever the repository publishes under its name later. */
function versionWrites(repo: HelmRepo, { app, chart, existing }: VersionInput): readonly ObjectWrite[] {
  const status = { state: "active" as const };
  if (existing) return existing.status?.state ? [] : [replaceStatus(HelmApplicationVersion, existing, status)];
  const { verId, urls, digest, created, removed: _, ...metadata } = chart;
  const at = timestamp(created);
  const spec = {
    ...metadataSpec(metadata),
    urls: [...urls],
    ...(digest ? { digest } : {}),
    ...(at === undefined ? {} : { created: at }),
  };
  const { labels, annotations } = marks(repo);
  const named = { name: verId, annotations, labels: { ...labels, [LABEL.appId]: app.appId } };
  const owner = { kind: HelmApplication, name: app.appId };
  return [create(HelmApplicationVersion, { metadata: named, spec, status }, owner)];
}

/** With its repository an application goes, and with it its versions; what was installed from it stays. */
function ownedBy({ metadata: { name, uid } }: HelmRepo): { readonly ownerReferences?: readonly OwnerReference[] } {
  return uid === undefined
    ? {}
    : { ownerReferences: [{ apiVersion: apiVersionOf(HelmRepo), kind: HelmRepo.kind, name, uid }] };
}

function marks({ metadata }: HelmRepo) {
  const workspace = metadata.labels?.[LABEL.workspace];
  const creator = metadata.annotations?.[ANNOTATION.creator];
  return {
    labels: { [LABEL.repoId]: metadata.name, ...(workspace ? { [LABEL.workspace]: workspace } : {}) },
    annotations: creator ? { [ANNOTATION.creator]: creator } : {},
  };
}
