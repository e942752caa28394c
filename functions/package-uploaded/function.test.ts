import { expect, it } from "vitest";
import type { PackageCheck } from "../../shared/charts/package.ts";
import { PackageUploaded } from "../../shared/events/package.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import type { HelmPackage } from "../../shared/resources/helm-package.ts";
import { announcedBy, given, happened, LONG_AGO, NOW, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";

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
const good: PackageCheck = { ok: true, chart, files: [{ path: "Chart.yaml", bytes: 10 }], warnings: [] };
const fresh = { bytes: new Uint8Array(3), check: good, known: undefined, app: undefined, version: undefined, now: NOW };

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
  expect(pkg.status?.conditions).toMatchObject([{ type: "Ready", status: "True" }]);
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
  const check: PackageCheck = { ok: false, reason: "UnsafePath", message: "the archive holds ../x" };
  const decision = subject.decide({ ...fresh, check }, event);
  expect(decision).toMatchObject({ outcome: "refuse", reason: "UnsafePath" });
  expect(decision.blobs).toBeUndefined();
  const [pkg] = writtenBy(decision, "create") as readonly HelmPackage[];
  expect(pkg).toMatchObject({
    spec: { digest },
    status: { conditions: [{ type: "Ready", status: "False", reason: "UnsafePath" }] },
  });
  expect(decision.announce?.[0]?.data).toMatchObject({ digest, package: packageName, reason: "UnsafePath" });
  expect(writesOf(subject.decide({ ...fresh, check, known: pkg }, event))).toEqual([]);
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
    status: { conditions: [{ type: "Ready", status: "True", reason: "Checked" }] },
  });
});

it("refuses to add to an application that does not exist", () => {
  const named = { ...event, data: { ...event.data, app: "app-none" } };
  expect(subject.decide(fresh, named)).toMatchObject({ outcome: "refuse", reason: "ApplicationNotFound" });
});

it("waits a moment for bytes that are still on their way", () => {
  const empty = { ...fresh, bytes: undefined, check: undefined };
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
