import type { ChartMetadata } from "../../shared/charts/chart-metadata.ts";
import { appId, packageName, versionId } from "../../shared/charts/ids.ts";
import type { PackageCheck } from "../../shared/charts/package.ts";
import { type ConditionInput, findCondition, setConditions } from "../../shared/conditions.ts";
import { create, remove, replaceStatus, type Write } from "../../shared/decision.ts";
import type { EventOf } from "../../shared/event.ts";
import type { PackageUploaded } from "../../shared/events/package.ts";
import { VersionCreated } from "../../shared/events/version.ts";
import { draftEntry, stateChanged } from "../../shared/lifecycle/audit.ts";
import { cutText, metadataSpec } from "../../shared/lifecycle/version-object.ts";
import { subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import { ANNOTATION, FINALIZER, LABEL } from "../../shared/resources/labels.ts";
import type { World } from "./world.ts";

type Upload = EventOf<typeof PackageUploaded>;

interface Accepted extends World {
  readonly check: Extract<PackageCheck, { ok: true }>;
  readonly bytes: Uint8Array;
}

/** Warnings that a package's status lists. */
const MAX_WARNINGS = 50;

/** The objects that an accepted package needs and that are not there yet, each with its status. */
export function acceptedWrites(world: Accepted, upload: Upload) {
  return [...packageWrites(world, upload), ...appWrites(world, upload), ...versionWrites(world, upload)];
}

function packageWrites({ known, check, bytes, now }: Accepted, { data }: Upload): readonly Write<"HelmPackage">[] {
  const { chart, files, warnings } = check;
  const ready: ConditionInput = {
    type: "Ready",
    status: "True",
    reason: "Checked",
    message: `${files.length} files, nothing to refuse`,
  };
  const status = {
    files: files.length,
    checkedTime: now.toISOString(),
    conditions: setConditions(known?.status?.conditions, [ready], now.toISOString()),
    ...(warnings.length === 0 ? {} : { warnings: warnings.slice(0, MAX_WARNINGS).map((text) => text.slice(0, 512)) }),
  };
  if (isKept(known)) return [];
  // A package never changes, so one that only records a refusal makes room for the one that is taken in.
  if (known?.spec.name !== undefined) return [replaceStatus(HelmPackage, known, status)];
  const spec = { ...metadataSpec(chart), digest: data.digest, size: bytes.byteLength, ...filename(data) };
  const made = create(HelmPackage, { metadata: { name: packageName(data.digest) }, spec, status });
  return known ? [remove(HelmPackage, known), made] : [made];
}

/** Whether the package was taken in: its bytes are in the object store and its object says what they are. */
export function isKept(known: HelmPackage | undefined): boolean {
  return findCondition(known?.status?.conditions, "Ready")?.status === "True";
}

function appWrites({ app, check, now }: Accepted, upload: Upload): readonly Write<"HelmApplication">[] {
  const { name, description, icon, home, version, appVersion } = check.chart;
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
  const metadata = { name: appName(upload, check.chart), ...marks(upload) };
  return [create(HelmApplication, { metadata, spec, status })];
}

function versionWrites({ version, check, now }: Accepted, upload: Upload): readonly Write<"HelmApplicationVersion">[] {
  const operator = upload.operator === undefined ? {} : { operator: upload.operator };
  const app = appName(upload, check.chart);
  const name = versionId(app, check.chart.version);
  const status = {
    state: "draft" as const,
    audit: [draftEntry({ name, time: now.toISOString(), event: upload.id, ...operator })],
  };
  if (version) return version.status?.state ? [] : [replaceStatus(HelmApplicationVersion, version, status)];
  const { labels, annotations } = marks(upload);
  const finalizers = [FINALIZER.HelmApplicationVersion];
  const metadata = { name, annotations, labels: { ...labels, [LABEL.appId]: app }, finalizers };
  const spec = {
    ...metadataSpec(check.chart),
    digest: upload.data.digest,
    created: now.toISOString(),
    dataKey: name,
    package: packageName(upload.data.digest),
  };
  return [create(HelmApplicationVersion, { metadata, spec, status }, { kind: HelmApplication, name: app })];
}

/** Leaves the refusal on the package, unless the package itself is good and only this upload of it is not wanted. */
export function refusedWrites(
  { known, bytes, now }: World,
  data: { readonly digest: string; readonly filename?: string | undefined },
  refusal: { readonly reason: string; readonly message: string },
): readonly Write<"HelmPackage">[] {
  const { reason, message } = refusal;
  if (isKept(known) || findCondition(known?.status?.conditions, "Ready")?.reason === reason) return [];
  const input: ConditionInput = { type: "Ready", status: "False", reason, message: message.slice(0, 1024) };
  const time = now.toISOString();
  const status = { checkedTime: time, conditions: setConditions(known?.status?.conditions, [input], time) };
  if (known) return [replaceStatus(HelmPackage, known, status)];
  const spec = { digest: data.digest, size: bytes?.byteLength ?? 0, ...filename(data) };
  return [create(HelmPackage, { metadata: { name: packageName(data.digest) }, spec, status })];
}

/** What a new draft has to tell, the same however often it is told. */
export function createdFacts({ version, check, now }: Accepted, upload: Upload) {
  const app = appName(upload, check.chart);
  const name = versionId(app, check.chart.version);
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

function filename({ filename: name }: { readonly filename?: string | undefined }) {
  return name === undefined ? {} : { filename: name };
}
