import { expect, it } from "vitest";
import { packageName } from "../../shared/charts/ids.ts";
import { StorageSweepTick } from "../../shared/events/storage.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { given, happened, NOW, writesOf, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";

type World = Parameters<typeof subject.decide>[0];
const DAY_MS = 24 * 60 * 60 * 1000;
const digest = (digit: string) => `sha256:${digit.repeat(64)}`;
const aged = (key: string, days: number) => ({
  key,
  bytes: 10,
  storedAt: new Date(NOW.getTime() - days * DAY_MS),
  revision: `revision of ${key}`,
});

function sweep(world: Partial<World>, data: { dryRun?: boolean } = {}) {
  const nothing = { stored: [], packages: [], versions: [], apps: [], repos: [], releases: [], now: NOW };
  return subject.decide({ ...nothing, ...world }, happened(StorageSweepTick, data));
}

it("gives up what nobody names and is old, just as it was listed, and says so", () => {
  const keys = ["old", "young"];
  const decision = sweep({
    stored: [
      { bucket: "uploads", blobs: [aged("done", 3), aged("new", 1)] },
      { bucket: "attachments", blobs: keys.map((key) => aged(`att-${key}`, key === "old" ? 8 : 6)) },
    ],
  });
  expect(decision.forget).toEqual([
    { bucket: "uploads", key: "done", revision: "revision of done" },
    { bucket: "attachments", key: "att-old", revision: "revision of att-old" },
  ]);
  expect(decision.announce).toMatchObject([
    { data: { dryRun: false, uploads: { objects: 1, bytes: 10 }, packages: { objects: 0 }, more: false } },
  ]);
});

it("keeps what an object names, however old", () => {
  const repo = given(HelmRepo, "repo-1", {
    spec: { name: "x", url: "https://x" },
    status: { indexDigest: digest("1"), previousIndexDigest: digest("2") },
  });
  const app = given(HelmApplication, "app-1", { spec: { name: "web", icon: "att-1", attachments: ["att-2"] } });
  const version = given(HelmApplicationVersion, "appv-1", { spec: { digest: "3".repeat(64) } });
  const known = given(HelmPackage, "pkg-1", { spec: { digest: digest("4"), size: 1 } });
  const release = given(HelmRelease, "rls-1", {
    spec: { name: "web", chartName: "web", chartVersion: "1.0.0", version: 1 },
    status: { state: "active", packageDigest: digest("6") },
  });
  const decision = sweep({
    stored: [
      { bucket: "packages", blobs: ["3", "4", "5", "6"].map((each) => aged(digest(each), 99)) },
      { bucket: "indexes", blobs: ["1", "2", "5"].map((each) => aged(`repo-1/${digest(each)}`, 99)) },
      { bucket: "attachments", blobs: ["att-1", "att-2", "att-3"].map((each) => aged(each, 99)) },
    ],
    ...{ repos: [repo], apps: [app], versions: [version], packages: [known], releases: [release] },
  });
  expect(decision.forget?.map(({ key }) => key)).toEqual([digest("5"), `repo-1/${digest("5")}`, "att-3"]);
});

it("marks packages without a version, and deletes them a week later if that is still so", () => {
  const metadata = (since?: Date) =>
    since ? { annotations: { "application.kubesphere.io/unused-since": since.toISOString() } } : {};
  const name = packageName(digest("4"));
  const known = (since?: Date) =>
    given(HelmPackage, name, { metadata: metadata(since), spec: { digest: digest("4"), size: 1 } });
  const lately = new Date(NOW.getTime() - DAY_MS);
  const long = new Date(NOW.getTime() - 8 * DAY_MS);
  const version = given(HelmApplicationVersion, "appv-1", { spec: { package: name } });
  const marked = writtenBy(sweep({ packages: [known()] }), "replace", HelmPackage)[0];
  expect(marked?.metadata.annotations).toEqual(metadata(NOW).annotations);
  expect(writesOf(sweep({ packages: [known(lately)] }))).toEqual([]);
  const removed = sweep({ packages: [known(long)] });
  expect(removed.write).toMatchObject([{ verb: "remove", asRead: true }]);
  expect(removed.announce).toMatchObject([{ data: { unusedPackages: 1 } }]);
  const again = writtenBy(sweep({ packages: [known(long)], versions: [version] }), "replace", HelmPackage)[0];
  expect(again?.metadata.annotations).toEqual({});
});

it("takes away no more than 500 of a bucket at once, and nothing at all where it is only asked", () => {
  const blobs = Array.from({ length: 501 }, (_, index) => aged(`att-${index}`, 9));
  const decision = sweep({ stored: [{ bucket: "attachments", blobs }] });
  expect(decision.forget).toHaveLength(500);
  expect(decision.announce).toMatchObject([{ data: { attachments: { objects: 500 }, more: true } }]);
  const dry = sweep({ stored: [{ bucket: "attachments", blobs }] }, { dryRun: true });
  expect([dry.forget, dry.write]).toEqual([undefined, undefined]);
  expect(dry.announce).toMatchObject([{ data: { dryRun: true, attachments: { objects: 500 } } }]);
});
