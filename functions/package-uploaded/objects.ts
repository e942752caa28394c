import type { ChartMetadata } from "../../shared/charts/chart-metadata.ts";
import { appId, packageName } from "../../shared/charts/ids.ts";
import { create, replaceStatus, type Write } from "../../shared/decision.ts";
import type { EventOf } from "../../shared/event.ts";
import type { PackageUploaded } from "../../shared/events/package.ts";
import { VersionCreated } from "../../shared/events/version.ts";
import { draftEntry, stateChanged } from "../../shared/lifecycle/audit.ts";
import { type AcceptedReport, packageWrites } from "../../shared/lifecycle/package-object.ts";
import { cutText, metadataSpec } from "../../shared/lifecycle/version-object.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { ANNOTATION, FINALIZER, LABEL } from "../../shared/resources/labels.ts";
import type { World } from "./world.ts";

type Upload = EventOf<typeof PackageUploaded>;

interface Accepted extends World {
  readonly report: AcceptedReport;
  readonly bytes: Uint8Array;
}

/** The objects that an accepted package needs and that are not there yet, each with its status. */
export function acceptedWrites(world: Accepted, upload: Upload) {
  return [...packageWrites(world, upload.data), ...appWrites(world, upload), ...versionWrites(world, upload)];
}

function appWrites({ app, report, now }: Accepted, upload: Upload): readonly Write<"HelmApplication">[] {
  const { name, description, icon, home, version, appVersion } = report.chart;
  const time = now.toISOString();
  const latestVersion = appVersion ? `${version} [${appVersion}]` : version;
  const status = { state: "draft" as const, latestVersion, statusTime: time, updateTime: time };
  if (app) return app.status ? [] : [replaceStatus(HelmApplication, app, status)];
  const spec = {
    name,
    ...(description ? { description: cutText(description) } : {}),
    ...(icon ? { icon } : {}),
    ...(home ? { appHome: home } : {}),
  };
  const metadata = { name: appName(upload, report.chart), ...marks(upload) };
  return [create(HelmApplication, { metadata, spec, status })];
}

function versionWrites(
  { version, versionName: name, report, now }: Accepted,
  upload: Upload,
): readonly Write<"HelmApplicationVersion">[] {
  const operator = upload.operator === undefined ? {} : { operator: upload.operator };
  const app = appName(upload, report.chart);
  const status = {
    state: "draft" as const,
    audit: [draftEntry({ name, time: now.toISOString(), event: upload.id, ...operator })],
  };
  if (version) return version.status?.state ? [] : [replaceStatus(HelmApplicationVersion, version, status)];
  const { labels, annotations } = marks(upload);
  const finalizers = [FINALIZER.HelmApplicationVersion];
  const metadata = { name, annotations, labels: { ...labels, [LABEL.appId]: app }, finalizers };
  const spec = {
    ...metadataSpec(report.chart),
    digest: upload.data.digest,
    created: now.toISOString(),
    dataKey: name,
    package: packageName(upload.data.digest),
  };
  return [create(HelmApplicationVersion, { metadata, spec, status }, { kind: HelmApplication, name: app })];
}

/** What a new draft has to tell, the same however often it is told. */
export function createdFacts({ version, versionName: name, report, now }: Accepted, upload: Upload) {
  const app = appName(upload, report.chart);
  const first = version?.status?.audit?.findLast(({ event }) => event === upload.id);
  const operator = upload.operator === undefined ? {} : { operator: upload.operator };
  const entry = first ?? draftEntry({ name, time: now.toISOString(), event: upload.id, ...operator });
  const metadata = { name, labels: { [LABEL.appId]: app } };
  const made = { version: name, app, package: packageName(upload.data.digest) };
  return [
    VersionCreated.of(subjectOf(HelmApplicationVersion, metadata), made, { partitionkey: app }),
    stateChanged({ metadata }, entry),
  ];
}

function appName({ data }: Upload, chart: ChartMetadata): string {
  return data.app ?? appId({ workspace: data.workspace }, chart.name);
}

function marks({ data, operator }: Upload) {
  return {
    labels: { [LABEL.workspace]: data.workspace },
    annotations: operator === undefined ? {} : { [ANNOTATION.creator]: operator },
  };
}
