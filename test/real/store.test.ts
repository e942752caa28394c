import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Laptop } from "../../knative/local/laptop.ts";
import { findCondition } from "../../shared/conditions.ts";
import { PackageUploaded } from "../../shared/events/package.ts";
import { VersionApproved, VersionReleased, VersionSubmitted } from "../../shared/events/version.ts";
import { apiVersionOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { HelmRequest } from "../../shared/resources/helm-request.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { newEvent } from "../support/objects.ts";
import { until } from "../support/until.ts";
import { haveRealData, readRealPackage, readRealTable } from "./real-data.ts";
import { serveRealIndexes } from "./serve-indexes.ts";

/** Charts of real life that one node-less cluster can make ready: every kind of workload is among them. */
const INSTALLED = [
  "appmesh-jaeger-1.0.3.tgz",
  "fluent-bit-2.6.0.tgz",
  "hoppscotch-0.3.2.tgz",
  "influxdb-7.1.21.tgz",
  "karma-2.13.1.tgz",
  "kube-state-metrics-8.4.0.tgz",
  "load-generator-0.1.2.tgz",
  "mlflow-1.0.10.tgz",
  "mysql-14.0.5.tgz",
  "postgresql-8.7.0.tgz",
];

const HISTORY = 10;

describe.runIf(haveRealData)("a store of real repositories and packages", () => {
  let laptop: Laptop;
  beforeAll(async () => {
    laptop = await startTestLaptop();
  });
  afterAll(() => laptop?.close());

  test("19 real indexes become applications and versions, none lost and none made up", {
    timeout: 300_000,
  }, async () => {
    const rows = readRealTable("name").filter((row) => row["charts"]);
    await using server = await serveRealIndexes();
    for (const { name = "" } of rows) {
      const spec = { name, url: `${server.url}/${name}` };
      const object = {
        apiVersion: apiVersionOf(HelmRepo),
        kind: HelmRepo.kind,
        metadata: { name: `repo-${name}` },
        spec,
      };
      await laptop.kube.create(HelmRepo, object, "test");
    }
    await until("all repositories are synced", async () => {
      const repos = await laptop.kube.list(HelmRepo);
      return repos.length === rows.length && repos.every(({ status }) => status?.state === "successful");
    });
    for (const row of rows) {
      const name = `repo-${row["name"]}`;
      const repo = await laptop.kube.get(HelmRepo, name);
      const query = { labels: { [LABEL.repoId]: name } };
      const apps = await laptop.kube.list(HelmApplication, query);
      const versions = await laptop.kube.list(HelmApplicationVersion, query);
      const { totalCharts, totalChartVersions = 0, droppedEntries = 0 } = repo?.status ?? {};
      expect(totalCharts, name).toBe(Number(row["charts"]));
      expect(totalChartVersions + droppedEntries, name).toBe(Number(row["versions"]));
      expect(droppedEntries, name).toBe(Number(row["duplicate name+version"]));
      expect(apps.length, name).toBe(Number(row["charts"]));
      expect(
        apps.every(({ status }) => status?.state === "active" && status.latestVersion),
        name,
      ).toBe(true);
      expect(
        versions.every(({ status }) => status?.state === "active"),
        name,
      ).toBe(true);
      const perApp = Object.values(Object.groupBy(versions, ({ metadata }) => metadata.labels?.[LABEL.appId] ?? ""));
      expect(perApp.length, name).toBe(apps.length);
      expect(
        perApp.every((list = []) => list.length >= 1 && list.length <= HISTORY),
        name,
      ).toBe(true);
    }
  });

  test("70 real packages are taken in, each as package, application and draft", { timeout: 300_000 }, async () => {
    const charts = readRealTable("file");
    expect(charts).toHaveLength(70);
    for (const { file = "" } of charts) {
      const response = await fetch(`${laptop.uploadsUrl}?workspace=real&filename=${file}`, {
        method: "POST",
        body: readRealPackage(file),
      });
      expect(response.status, file).toBe(202);
    }
    await until("all packages were looked at", async () => {
      const packages = await laptop.kube.list(HelmPackage);
      return packages.filter(({ status }) => status?.checkedTime).length === charts.length;
    });
    const packages = await laptop.kube.list(HelmPackage);
    expect(
      packages
        .filter(({ status }) => findCondition(status?.conditions, "Ready")?.status !== "True")
        .map(({ spec }) => spec),
    ).toEqual([]);
    await until("every package has its draft", async () => {
      const versions = await laptop.kube.list(HelmApplicationVersion, { labels: { [LABEL.workspace]: "real" } });
      return versions.length === charts.length && versions.every(({ status }) => status?.state === "draft");
    });
    expect(packages.map(({ spec }) => spec.filename).sort()).toEqual(charts.map(({ file }) => file).sort());
    expect(laptop.published().filter(({ type }) => type === PackageUploaded.type)).toHaveLength(70);
  });

  test("ten of them are released and installed by Helm, and become ready", { timeout: 300_000 }, async () => {
    const packages = await laptop.kube.list(HelmPackage);
    const versions = await laptop.kube.list(HelmApplicationVersion, { labels: { [LABEL.workspace]: "real" } });
    const chosen = INSTALLED.map((file) => {
      const name = packages.find(({ spec }) => spec.filename === file)?.metadata.name;
      const version = versions.find(({ spec }) => spec.package === name);
      if (!version) throw new Error(`no version was made of ${file}`);
      return { release: `real-${version.spec.name}`, version: version.metadata.name };
    });
    for (const { version } of chosen) {
      for (const act of [VersionSubmitted, VersionApproved, VersionReleased])
        await laptop.publish(newEvent(act, { version }));
    }
    for (const { release, version } of chosen) {
      const spec = { name: release, appVerId: version, namespace: "default" };
      const object = {
        apiVersion: apiVersionOf(HelmRequest),
        kind: HelmRequest.kind,
        metadata: { name: release },
        spec,
      };
      await laptop.kube.create(HelmRequest, object, "test");
    }
    await until("all releases are in a final state", async () => {
      const releases = await laptop.kube.list(HelmRelease, { namespace: "default" });
      return (
        releases.filter(({ status }) => status?.state === "active" || status?.state === "failed").length ===
        chosen.length
      );
    });
    const releases = await laptop.kube.list(HelmRelease, { namespace: "default" });
    const states = releases.map(({ spec, status }) => `${spec.name} ${status?.state} ${status?.message}`.trim());
    expect(states.sort()).toEqual(chosen.map(({ release }) => `${release} active`).sort());
  });
});
