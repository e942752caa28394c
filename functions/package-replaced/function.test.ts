import { expect, it } from "vitest";
import type { PackageReport } from "../../shared/charts/package-report.ts";
import { PackageReplaced } from "../../shared/events/package.ts";
import { draftEntry } from "../../shared/lifecycle/audit.ts";
import type { VersionState } from "../../shared/lifecycle/states.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { announcedBy, given, happened, LONG_AGO, NOW, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";

const digest = `sha256:${"cd".repeat(32)}`;
const packageName = `pkg-${"cd".repeat(16)}`;
const event = happened(PackageReplaced, { version: "appv-1", digest }, { operator: "ann" });
const chart = { name: "web", version: "1.1.0", apiVersion: "v2", appVersion: "8" };
const looked = { findings: [], images: [], crds: [], dependencies: [], warnings: [] };
const report: PackageReport = { ok: true, chart, files: [{ path: "Chart.yaml", bytes: 10 }], ...looked };

function version(state: VersionState, name = "appv-1", number = "1.0.0"): HelmApplicationVersion {
  return given(HelmApplicationVersion, name, {
    metadata: { labels: { "application.kubesphere.io/app-id": "app-1" } },
    spec: { name: "web", version: number, appVersion: "7", package: "pkg-old", digest: "old", dataKey: name },
    status: { state, audit: [draftEntry({ name, time: LONG_AGO, event: "made" })] },
  });
}

const draft = version("draft");
const fresh = { bytes: new Uint8Array(3), report, known: undefined, version: draft, siblings: [draft], now: NOW };

it("keeps the bytes, makes their package, and points the draft at it", () => {
  const decision = subject.decide(fresh, event);
  expect(decision.blobs).toEqual([{ bucket: "packages", key: digest, bytes: fresh.bytes }]);
  expect(writesOf(decision)).toEqual([`create helmpackages/${packageName}`, "replace helmapplicationversions/appv-1"]);
  const [replaced] = writtenBy(decision, "replace", HelmApplicationVersion);
  expect(replaced).toMatchObject({
    metadata: { name: "appv-1", resourceVersion: "1" },
    spec: { version: "1.1.0", appVersion: "8", package: packageName, digest, dataKey: "appv-1" },
    status: { state: "draft" },
  });
  expect(announcedBy(decision)).toEqual(["version.changed", "version.state.changed"]);
});

it("announces again what is done, and does not do it again after another replacement", () => {
  const first = subject.decide(fresh, event);
  const [replaced] = writtenBy(first, "replace", HelmApplicationVersion);
  if (!replaced) throw new Error("nothing was replaced");
  const later = { ...replaced, spec: { ...replaced.spec, package: "pkg-later" } };
  const again = subject.decide({ ...fresh, version: later }, event);
  expect([writesOf(again), again.blobs]).toEqual([[], undefined]);
  expect(announcedBy(again)).toEqual(announcedBy(first));
});

it.each(["submitted", "passed", "active", "suspended", "rejected"] as const)(
  "never changes a version that is %s",
  (state) => {
    const decision = subject.decide({ ...fresh, version: version(state) }, event);
    expect(decision).toMatchObject({ outcome: "refuse", reason: "NotADraft", message: "action not permitted" });
    expect([writesOf(decision), decision.blobs, announcedBy(decision)]).toEqual([
      [],
      undefined,
      ["version.action.refused"],
    ]);
  },
);

it.each([
  ["ChartNameMismatch", /^chart name not match, /, { report: { ...report, chart: { ...chart, name: "other" } } }],
  ["VersionExists", /1\.1\.0 is the number of appv-2/, { siblings: [draft, version("active", "appv-2", "1.1.0")] }],
  ["VersionNotFound", /"appv-1" not found/, { version: undefined, siblings: [] }],
  ["BeingDeleted", /deleted/, { version: { ...draft, metadata: { ...draft.metadata, deletionTimestamp: LONG_AGO } } }],
] as const)("refuses: %s", (reason, message, over) => {
  const decision = subject.decide({ ...fresh, ...over }, event);
  expect(decision).toMatchObject({ outcome: "refuse", reason });
  expect(decision.announce?.[0]?.data).toMatchObject({ message: expect.stringMatching(message), operator: "ann" });
  expect(writesOf(decision)).toEqual([]);
});

it("leaves the reason on a package that is refused itself", () => {
  const bad = { ok: false, reason: "UnsafePath", message: "it holds ../x" } as const;
  const decision = subject.decide({ ...fresh, report: bad }, event);
  expect(decision).toMatchObject({ outcome: "refuse", reason: "UnsafePath" });
  expect(writesOf(decision)).toEqual([`create helmpackages/${packageName}`]);
});

it("waits a moment for bytes that are still on their way", () => {
  const empty = { ...fresh, bytes: undefined, report: undefined };
  expect(subject.decide(empty, event).outcome).toBe("wait");
  expect(subject.decide(empty, { ...event, time: LONG_AGO })).toMatchObject({ reason: "UploadNotFound" });
});
