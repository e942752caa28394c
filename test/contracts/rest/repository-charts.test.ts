import { afterAll, beforeAll, expect, test } from "vitest";
import type { Laptop } from "../../../knative/local/laptop.ts";
import { runCommand } from "../../../knative/local/tools/run-command.ts";
import { appId } from "../../../shared/charts/ids.ts";
import { sha256 } from "../../../shared/digest.ts";
import { HelmApplicationVersion } from "../../../shared/resources/helm-application-version.ts";
import { HelmRepo } from "../../../shared/resources/helm-repo.ts";
import { create } from "../../chains/story.ts";
import { binary } from "../../support/binaries.ts";
import { type DemoCharts, startDemoCharts } from "../../support/charts.ts";
import { startTestLaptop } from "../../support/laptop.ts";
import { until } from "../../support/until.ts";

const APP = appId({ repo: "demo" }, "hello-web");

let charts: DemoCharts;
let laptop: Laptop;
let token: string;

beforeAll(async () => {
  charts = await startDemoCharts();
  laptop = await startTestLaptop();
  const kubectl = (...args: readonly string[]) =>
    runCommand(binary("kubectl"), ["--kubeconfig", laptop.kubeconfigPath, ...args]);
  await kubectl("create", "serviceaccount", "vera", "-n", "default");
  const role = ["--clusterrole=openpitrix:viewer", "--serviceaccount=default:vera"];
  await kubectl("create", "clusterrolebinding", "vera", ...role);
  token = (await kubectl("create", "token", "vera", "-n", "default")).trim();
  const spec = { name: "demo", url: charts.repositoryUrl, syncPeriod: 0, versionHistoryLimit: 1 };
  await create(laptop, HelmRepo, { name: "demo", spec });
  await until("the repository is synced", async () => (await get("/apps?conditions=repo_id=demo")).status === 200);
});
afterAll(async () => {
  await laptop?.close();
  await charts?.[Symbol.asyncDispose]();
});

async function get(path: string) {
  const url = `${laptop.httpUrls["rest-gateway"]}/kapis/openpitrix.io/v1${path}`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const text = await answer.text();
  return { status: answer.status, text, json: () => JSON.parse(text) };
}

/** The older version, which the history limit keeps from becoming an object. */
async function older(): Promise<string> {
  const { items } = (await get(`/apps/${APP}/versions`)).json();
  return items.find(({ name }: { name: string }) => name.startsWith("1.0.0")).version_id;
}

test("all versions that the repository lists are there, also those that are no objects", async () => {
  const { items, total_count } = (await get(`/apps/${APP}/versions`)).json();
  expect(total_count).toBe(2);
  expect(items).toMatchObject([
    { name: expect.stringMatching(/^1\.0\.0/), app_id: APP, status: "active" },
    { name: expect.stringMatching(/^1\.1\.0/), app_id: APP, status: "active" },
  ]);
  expect(await laptop.kube.get(HelmApplicationVersion, await older())).toBeUndefined();
  expect((await get(`/workspaces/demo/apps/${APP}/versions/${await older()}`)).json()).toMatchObject(items[0]);
  expect((await get(`/apps/other/versions/${await older()}`)).status).toBe(404);
});

test("their packages are what was listed, and their files can be read", async () => {
  const at = `/apps/${APP}/versions/${await older()}`;
  const { package: base64 } = (await get(`${at}/package`)).json();
  const listed = await fetch(`${charts.repositoryUrl}/index.yaml`).then((answer) => answer.text());
  expect(listed).toContain(sha256(Buffer.from(base64, "base64")).slice("sha256:".length));
  const { files } = (await get(`${at}/files`)).json();
  expect(Buffer.from(files["Chart.yaml"], "base64").toString()).toContain("name: hello-web");
});

test("what was fetched once is kept for a while, also while the repository is away", async () => {
  const at = `/apps/${APP}/versions/${await older()}`;
  await charts[Symbol.asyncDispose]();
  expect((await get(`${at}/package`)).status).toBe(200);
  expect((await get(`${at}/files?files=Chart.yaml`)).status).toBe(200);
});
