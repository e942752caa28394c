import { expect, it } from "vitest";
import { versionId } from "../../shared/charts/ids.ts";
import type { PackageReport } from "../../shared/charts/package-report.ts";
import { PackageUploaded } from "../../shared/events/package.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { type HelmPackage, HelmPackage as HelmPackageKind } from "../../shared/resources/helm-package.ts";
import { announcedBy, given, happened, LONG_AGO, NOW, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";
import { placeOf } from "./world.ts";

const digest = `sha256:${"ab".repeat(32)}`;
const packageName = `pkg-${"ab".repeat(16)}`;
const event = happened(PackageUploaded, { digest, workspace: "demo", filename: "web-1.0.0.tgz" }, { operator: "ann" });
const chart = {
  name: "web",
  version: "1.0.0",
  apiVersion: "v2",
  appVersion: "7",
  description: "a web server",
  keywords: ["http"],
};
const looked = { findings: [], images: ["web:7"], crds: [], dependencies: [], warnings: [] };
const good: PackageReport = { ok: true, chart, files: [{ path: "Chart.yaml", bytes: 10 }], ...looked };
const nothing = { known: undefined, app: undefined, version: undefined };
const fresh = { bytes: new Uint8Array(3), report: good, ...nothing, versionName: "appv-web", now: NOW };

it("keeps the bytes and makes package, application and draft, each with its status", () => {
  const decision = subject.decide(fresh, event);
  expect(decision.blobs).toEqual([{ bucket: "packages", key: digest, bytes: fresh.bytes }]);
  const [pkg, app, version] = writtenBy(decision, "create") as readonly [
    HelmPackage,
    HelmApplication,
    HelmApplicationVersion,
  ];
  expect(pkg).toMatchObject({
    metadata: { name: packageName },
    spec: { digest, size: 3, name: "web", filename: "web-1.0.0.tgz" },
  });
  expect(pkg.status).toMatchObject({
    conditions: [
      { type: "Ready", status: "True" },
      { type: "Linted", status: "True" },
    ],
    images: ["web:7"],
  });
  expect(app).toMatchObject({ spec: { name: "web" }, status: { state: "draft", latestVersion: "1.0.0 [7]" } });
  expect(app.metadata).toMatchObject({
    labels: { "kubesphere.io/workspace": "demo" },
    annotations: { "kubesphere.io/creator": "ann" },
  });
  expect(version).toMatchObject({
    metadata: { labels: { "application.kubesphere.io/app-id": app.metadata.name } },
    spec: { package: packageName, digest, dataKey: version.metadata.name, keywords: ["http"] },
    status: { state: "draft", audit: [{ operator: "ann", event: event.id }] },
  });
  expect(announcedBy(decision)).toEqual(["version.created", "version.state.changed"]);
});

it("finishes what a crash left half done, and announces the same again", () => {
  const first = subject.decide(fresh, event);
  const [pkg, app, version] = writtenBy(first, "create") as readonly [
    HelmPackage,
    HelmApplication,
    HelmApplicationVersion,
  ];
  const { status: _, ...bare } = version;
  const half = subject.decide({ ...fresh, known: pkg, app, version: bare as HelmApplicationVersion }, event);
  expect(writesOf(half)).toEqual([`replaceStatus helmapplicationversions/${version.metadata.name}`]);
  const done = subject.decide({ ...fresh, known: pkg, app, version }, event);
  expect(writesOf(done)).toEqual([]);
  expect(done.announce).toEqual(first.announce);
});

it("refuses a bad package with its reason on the object and in an event, once", () => {
  const report: PackageReport = { ok: false, reason: "UnsafePath", message: "the archive holds ../x" };
  const decision = subject.decide({ ...fresh, report }, event);
  expect(decision).toMatchObject({ outcome: "refuse", reason: "UnsafePath" });
  expect(decision.blobs).toBeUndefined();
  const [pkg] = writtenBy(decision, "create") as readonly HelmPackage[];
  expect(pkg).toMatchObject({
    spec: { digest },
    status: { conditions: [{ type: "Ready", status: "False", reason: "UnsafePath" }] },
  });
  expect(decision.announce?.[0]?.data).toMatchObject({ digest, package: packageName, reason: "UnsafePath" });
  expect(writesOf(subject.decide({ ...fresh, report, known: pkg }, event))).toEqual([]);
});

it("never puts other bytes behind a version that exists", () => {
  const version = given(HelmApplicationVersion, "appv-1", {
    spec: { package: "pkg-other" },
    status: { state: "draft" },
  });
  const decision = subject.decide({ ...fresh, version }, event);
  expect(decision).toMatchObject({ outcome: "refuse", reason: "VersionExists" });
  expect(writesOf(decision)).toEqual([`create helmpackages/${packageName}`]);
});

it("takes a package in that was refused before, bytes and all, once nothing is in the way", () => {
  const version = given(HelmApplicationVersion, "appv-1", { spec: { package: "pkg-other" } });
  const [known] = writtenBy(subject.decide({ ...fresh, version }, event), "create") as readonly [HelmPackage];
  const decision = subject.decide({ ...fresh, known }, event);
  expect(decision.blobs).toEqual([{ bucket: "packages", key: digest, bytes: fresh.bytes }]);
  expect(writesOf(decision).slice(0, 2)).toEqual([
    `remove helmpackages/${packageName}`,
    `create helmpackages/${packageName}`,
  ]);
  expect(writtenBy(decision, "create")[0]).toMatchObject({
    spec: { size: 3, name: "web" },
    status: { conditions: [{ type: "Ready", status: "True", reason: "Checked" }, { type: "Linted" }] },
  });
});

it("takes in what lint calls an error, says so, and keeps no more of it than an object holds", () => {
  const error = { severity: "error" as const, path: "x".repeat(300), message: "m".repeat(9_000) };
  const report = { ...good, findings: Array.from({ length: 500 }, () => error) };
  const [pkg] = writtenBy(subject.decide({ ...fresh, report }, event), "create") as readonly [HelmPackage];
  expect(pkg.status?.conditions?.[1]).toMatchObject({ type: "Linted", status: "False", reason: "LintErrors" });
  expect(HelmPackageKind.status?.safeParse(pkg.status).error).toBeUndefined();
});

it("finds the version of a number by the number, whatever draft has the name that it would have", () => {
  const number = (name: string, version: string) => given(HelmApplicationVersion, name, { spec: { version } });
  const usual = versionId("app-1", "1.0.0");
  const place = { app: "app-1", number: "1.0.0", package: packageName, versions: [], named: undefined };
  expect(placeOf(place)).toEqual({ version: undefined, versionName: usual });
  const renamed = number(usual, "2.0.0");
  expect(placeOf({ ...place, versions: [renamed], named: renamed })).toEqual({
    version: undefined,
    versionName: expect.not.stringMatching(usual),
  });
  const same = number("appv-other", "1.0.0");
  expect(placeOf({ ...place, versions: [renamed, same], named: renamed }).version).toBe(same);
});

it("refuses to add to an application that does not exist", () => {
  const named = { ...event, data: { ...event.data, app: "app-none" } };
  expect(subject.decide(fresh, named)).toMatchObject({ outcome: "refuse", reason: "ApplicationNotFound" });
});

it("waits a moment for bytes that are still on their way", () => {
  const empty = { ...fresh, bytes: undefined, report: undefined };
  expect(subject.decide(empty, event).outcome).toBe("wait");
  expect(subject.decide(empty, { ...event, time: LONG_AGO })).toMatchObject({
    outcome: "refuse",
    reason: "UploadNotFound",
  });
});

it.each([
  { labels: { "application.kubesphere.io/repo-id": "repo-1" }, reason: "Immutable" },
  { labels: { "kubesphere.io/workspace": "other" }, reason: "OtherWorkspace" },
])("does not add to an application that is not the uploader's: $reason", ({ labels, reason }) => {
  const named = { ...event, data: { ...event.data, app: "app-1" } };
  const app = given(HelmApplication, "app-1", { metadata: { labels }, spec: { name: "web" } });
  expect(subject.decide({ ...fresh, app }, named)).toMatchObject({ outcome: "refuse", reason });
});
