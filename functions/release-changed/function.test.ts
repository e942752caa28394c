import { expect, it } from "vitest";
import { ReleaseChanged } from "../../shared/events/release.ts";
import { releaseMark } from "../../shared/lifecycle/release-plan.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { announcedBy, given, happened, LONG_AGO, NOW, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";

const event = happened(ReleaseChanged, { namespace: "demo", release: "rls-1" });
const spec = { name: "web", chartName: "web", chartVersion: "1.0.0", version: 1 };
const metadata = { namespace: "demo", finalizers: ["helmrelease.application.kubesphere.io"] };
const release = given(HelmRelease, "rls-1", { metadata, spec, status: { state: "creating" } });
const chart = { ok: true as const, bytes: new Uint8Array(2), digest: "sha256:aa" };
const deployed = { outcome: "deployed" as const, revision: 1, changed: true };
const world = { release, plan: "deploy" as const, chart, result: deployed, now: NOW };

it("records what Helm installed, keeps the bytes and asks for a look at it", () => {
  const decision = subject.decide(world, event);
  expect(decision.blobs).toEqual([{ bucket: "packages", key: "sha256:aa", bytes: chart.bytes }]);
  expect(writtenBy(decision, "replaceStatus")).toMatchObject([
    {
      status: {
        state: "created",
        version: 1,
        revision: 1,
        mark: releaseMark(release),
        packageDigest: "sha256:aa",
        deployStatus: [{ state: "created" }],
        conditions: [{ type: "Ready", status: "False" }, { type: "Reconciling", status: "True" }, { type: "Stalled" }],
      },
    },
  ]);
  expect(announcedBy(decision)).toEqual(["release.deployed", "release.check.tick"]);
});

it("calls it an upgrade after the first time", () => {
  const second = { ...release, spec: { ...spec, version: 2 }, status: { state: "active" as const, version: 1 } };
  const decision = subject.decide({ ...world, release: second, result: { ...deployed, revision: 2 } }, event);
  expect(writtenBy(decision, "replaceStatus")).toMatchObject([
    { status: { state: "upgraded", version: 2, revision: 2 } },
  ]);
});

it("fails with Helm's reason and does not try the same wish again", () => {
  const result = { outcome: "failed" as const, message: "chart requires kubeVersion: >=1.99" };
  const decision = subject.decide({ ...world, result }, event);
  const [failed] = writtenBy(decision, "replaceStatus") as readonly HelmRelease[];
  expect(failed?.status).toMatchObject({ state: "failed", message: result.message, mark: releaseMark(release) });
  expect(decision.blobs).toEqual([]);
  expect(announcedBy(decision)).toEqual(["release.failed"]);
  const again = subject.decide({ release: failed, plan: "none", now: NOW }, event);
  expect(writesOf(again)).toEqual([]);
  expect(again.announce).toEqual(decision.announce);
});

it("fails when there is no chart to install", () => {
  const problem = { reason: "PackageNotFound", message: "HelmPackage pkg-1 does not exist" };
  const decision = subject.decide({ release, plan: "deploy", problem, now: NOW }, event);
  expect(writtenBy(decision, "replaceStatus")).toMatchObject([
    { status: { state: "failed", message: problem.message } },
  ]);
});

it("says whose signature it was installed with, or why it was not", () => {
  const found = { time: NOW.toISOString(), mark: "sha256:11", digest: "sha256:aa" };
  const evidence = [{ method: "provenance" as const, signer: "AB12", identity: "Ann <ann@example.com>" }];
  const verified = { ...chart, verdict: { ...found, evidence, verified: true as const } };
  const [installed] = writtenBy(subject.decide({ ...world, chart: verified }, event), "replaceStatus", HelmRelease);
  expect(installed?.status).toMatchObject({ state: "created", verification: { ...found, evidence } });
  expect(installed?.status?.conditions?.at(-1)).toMatchObject({
    type: "Verified",
    status: "True",
    message: "sha256:aa is vouched for: provenance by Ann <ann@example.com> AB12",
  });
  const distrust = { reason: "KeyExpired", message: "the key has expired" };
  const problem = { ...distrust, verdict: { ...found, ...distrust, evidence: [], verified: false as const } };
  const refused = subject.decide({ release, plan: "deploy", problem, now: NOW }, event);
  const [failed] = writtenBy(refused, "replaceStatus", HelmRelease);
  expect(failed?.status?.state).toBe("failed");
  expect(failed?.status?.conditions?.at(-1)).toMatchObject({ type: "Verified", status: "False", ...distrust });
  expect(announcedBy(refused)).toEqual(["release.failed"]);
});

it("forgets signatures once nobody asks for them any more", () => {
  const verification = { time: NOW.toISOString(), mark: "sha256:11", evidence: [] };
  const condition = {
    type: "Verified",
    status: "False" as const,
    reason: "NoKey",
    message: "",
    lastTransitionTime: LONG_AGO,
  };
  const before = {
    ...release,
    status: { state: "active" as const, version: 1, verification, conditions: [condition] },
  };
  const [after] = writtenBy(subject.decide({ ...world, release: before }, event), "replaceStatus", HelmRelease);
  expect(after?.status?.verification).toBeUndefined();
  expect(after?.status?.conditions?.map(({ type }) => type)).not.toContain("Verified");
});

it("comes back later while Helm is at work on the release", () => {
  expect(subject.decide({ ...world, result: { outcome: "busy" } }, event)).toMatchObject({
    outcome: "wait",
    reason: "HelmBusy",
  });
});

it("lets go of a release once it is uninstalled", () => {
  const leaving = { ...release, metadata: { ...release.metadata, deletionTimestamp: LONG_AGO } };
  const decision = subject.decide({ release: leaving, plan: "uninstall", now: NOW }, event);
  expect(writtenBy(decision, "replace")).toMatchObject([{ metadata: { finalizers: [] } }]);
});

it("takes hold of a release made by hand before Helm installs anything, in one write that is not announced twice", () => {
  const bare = given(HelmRelease, "rls-1", { metadata: { namespace: "demo" }, spec });
  const decision = subject.decide({ release: bare, plan: "deploy", now: NOW }, event);
  expect(decision).toMatchObject({ outcome: "wait", reason: "FinalizerAdded" });
  expect(writtenBy(decision, "replace")).toMatchObject([
    {
      metadata: {
        finalizers: ["helmrelease.application.kubesphere.io"],
        annotations: { "application.kubesphere.io/announced-mark": releaseMark(bare) },
      },
    },
  ]);
  expect(decision.announce).toBeUndefined();
});

it("says what it waits for while a repository or the cluster is out of reach, once, and gives up in the end", () => {
  const hindrance = { reason: "Hindered", message: "GET https://charts.example.com/web.tgz: 503" };
  const hinderedWorld = { release, plan: "deploy" as const, hindrance, now: NOW };
  const decision = subject.decide(hinderedWorld, event);
  expect(decision).toMatchObject({ outcome: "wait", reason: "Hindered" });
  const [waiting] = writtenBy(decision, "replaceStatus") as readonly [HelmRelease];
  expect(waiting.status).toMatchObject({ state: "creating", message: hindrance.message });
  expect(waiting.status?.conditions).toMatchObject([{ type: "Ready" }, { type: "Reconciling", status: "True" }, {}]);
  expect(waiting.status?.mark).toBeUndefined();
  expect(writesOf(subject.decide({ ...hinderedWorld, release: waiting }, event))).toEqual([]);
  const later = new Date(NOW.getTime() + 16 * 60_000);
  const inTheEnd = subject.decide({ ...hinderedWorld, release: waiting, now: later }, event);
  expect(writtenBy(inTheEnd, "replaceStatus")).toMatchObject([{ status: { state: "failed" } }]);
  expect(announcedBy(inTheEnd)).toEqual(["release.failed"]);
});

it("waits a moment for a release that is being made", () => {
  expect(subject.decide({ release: undefined, plan: "none", now: NOW }, event).outcome).toBe("wait");
  expect(subject.decide({ release: undefined, plan: "none", now: NOW }, { ...event, time: LONG_AGO })).toEqual({
    outcome: "change",
  });
});
