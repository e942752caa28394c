import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Laptop } from "../../knative/local/laptop.ts";
import { appId, versionId } from "../../shared/charts/ids.ts";
import { findCondition } from "../../shared/conditions.ts";
import { SYSTEM_NAMESPACE } from "../../shared/origin.ts";
import { apiVersionOf, type KubeObject, type ResourceDefinition } from "../../shared/resource.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { HelmRequest } from "../../shared/resources/helm-request.ts";
import { S3_ACCESS, S3_SERVERS, type S3Server } from "../contracts/charts-port/s3-servers.ts";
import { type DemoCharts, startDemoCharts } from "../support/charts.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { until } from "../support/until.ts";

const REPO = "bucket";
const FILES = ["index.yaml", "hello-web-1.0.0.tgz", "hello-web-1.1.0.tgz", "clock-0.3.0.tgz"];

describe.each(S3_SERVERS)("a repository in a bucket on %s", (_, startStore) => {
  let laptop: Laptop;
  let store: S3Server;

  beforeAll(async () => {
    [laptop, store] = await Promise.all([startTestLaptop(), startStore()]);
    const charts: DemoCharts = await startDemoCharts();
    for (const file of FILES) {
      const answer = await fetch(`${charts.repositoryUrl}/${file}`);
      await store.put(`/charts/stable/${file}`, new Uint8Array(await answer.arrayBuffer()));
    }
    await charts[Symbol.asyncDispose]();
  });
  afterAll(async () => {
    await laptop?.close();
    await store?.[Symbol.asyncDispose]();
  });

  const create = (kind: ResourceDefinition, metadata: KubeObject["metadata"], rest: object) =>
    laptop.kube.create(
      kind,
      { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...rest } as KubeObject,
      "test",
    );

  test("is synced and installed from with the keys of its Secret", async () => {
    const { region, accessKeyID, secretAccessKey } = S3_ACCESS;
    const keys = Object.entries({ accessKeyID, secretAccessKey }).map(([key, text]) => [
      key,
      Buffer.from(text).toString("base64"),
    ]);
    await create(Secret, { name: REPO, namespace: SYSTEM_NAMESPACE }, { data: Object.fromEntries(keys) });
    const url = `s3://127.0.0.1:${store.port}/charts/stable`;
    await create(
      HelmRepo,
      { name: REPO },
      { spec: { name: REPO, url, syncPeriod: 0, s3: { region }, secretRef: { name: REPO } } },
    );
    const found = () => laptop.kube.get(HelmRepo, REPO);
    const synced = async () => findCondition((await found())?.status?.conditions, "Ready")?.status === "True";
    await until("the repository is synced", synced, { found });
    expect(await laptop.kube.list(HelmApplicationVersion)).toHaveLength(3);
    const appVerId = versionId(appId({ repo: REPO }, "hello-web"), "1.1.0");
    await create(HelmRequest, { name: "hello" }, { spec: { name: "hello", appVerId, namespace: "default" } });
    const deployed = async () => (await laptop.kube.list(HelmRelease)).find(({ status }) => status?.revision === 1);
    const release = await until("it is installed", deployed, { found: () => laptop.kube.list(HelmRelease) });
    expect(release.spec).toMatchObject({ chartName: "hello-web", chartVersion: "1.1.0" });
  });
});
