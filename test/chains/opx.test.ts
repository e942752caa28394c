import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Laptop } from "../../knative/local/laptop.ts";
import { SYSTEM_NAMESPACE } from "../../shared/origin.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { type DemoCharts, startDemoCharts } from "../support/charts.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { type OpxOptions, opx } from "../support/opx.ts";
import { until } from "../support/until.ts";

let charts: DemoCharts;
let laptop: Laptop;
beforeAll(async () => {
  charts = await startDemoCharts();
  laptop = await startTestLaptop();
});
afterAll(async () => {
  await laptop?.close();
  await charts?.[Symbol.asyncDispose]();
});

const run = (line: string, { env, ...options }: OpxOptions = {}) =>
  opx(line.split(" "), { ...options, env: { KUBECONFIG: laptop.kubeconfigPath, ...env } });

test("a repository is added and waited for, listed, synced again, looked at and removed", async () => {
  const added = await run(`repo add demo ${charts.repositoryUrl} --workspace team --wait --timeout 60s`);
  expect(added).toMatchObject({ code: 0, err: "", out: expect.stringContaining("demo: 2 charts with 3 versions") });

  const listed = await run("repo list");
  const [head, row] = listed.out.split("\n");
  expect(head).toMatch(/^NAME +WORKSPACE +URL +STATE +CHARTS +VERSIONS +FRESH/);
  expect(row).toMatch(/^demo +team +http:\/\/127\.0\.0\.1:\d+ +successful +2 +3 +\d+s/);
  const json = JSON.parse((await run("repo list --workspace team --json")).out);
  expect(json).toMatchObject([{ name: "demo", workspace: "team", ready: true, charts: 2, versions: 3, dropped: 0 }]);
  expect(JSON.parse((await run("repo list --workspace other --json")).out)).toEqual([]);

  const synced = await run("repo sync demo --wait --json");
  expect(synced.code).toBe(0);
  const { requested, ready } = JSON.parse(synced.out);
  expect(ready).toBe(true);
  const { status } = (await laptop.kube.get(HelmRepo, "demo")) ?? {};
  expect(status).toMatchObject({ lastHandledRequest: requested });

  const told = await run("repo status demo");
  expect(told.out).toMatch(/^holds +2 charts with 3 versions$/m);
  expect(told.out).toMatch(/^ {2}Ready +True /m);

  expect((await run("repo events demo")).out).toMatch(/sync successful/);
  const nowhere = "nats://127.0.0.1:1";
  const fallen = await run("repo events demo", { env: { NATS_URL: nowhere } });
  expect(fallen.out).toMatch(/sync successful/);
  expect(await run(`repo events demo --nats ${nowhere}`)).toMatchObject({
    code: 1,
    err: expect.stringContaining("127.0.0.1:1 does not answer"),
  });
  const events = await run(`repo events demo --json --since 10m --nats ${laptop.natsUrl}`);
  const types = (JSON.parse(events.out) as { event: string }[]).map(({ event }) => event);
  expect(types[0]).toBe("repo.sync.requested");
  expect(types.filter((type) => type === "repo.synced")).toHaveLength(2);
  expect(types).toContain("repo.chart.changed");

  expect(await run("repo remove demo")).toMatchObject({ code: 0, out: "demo: removed; its applications follow\n" });
  await until("its applications are gone", async () => (await laptop.kube.list(HelmApplication)).length === 0);
  expect(await run("repo status demo")).toMatchObject({
    code: 1,
    err: "opx: there is no repository demo; see opx repo list\n",
  });
});

test("a sync that fails makes the command fail with its reason", async () => {
  const added = await run("repo add broken http://127.0.0.1:9/nothing --wait");
  expect(added).toMatchObject({ code: 1, out: expect.stringMatching(/^broken: FetchFailed: .*127\.0\.0\.1:9/) });
  expect(await run(`repo add broken ${charts.repositoryUrl}`)).toMatchObject({
    code: 1,
    err: expect.stringContaining("repository broken exists"),
  });
});

test("credentials go from standard input into a Secret that goes with its repository", async () => {
  const line = `repo add private ${charts.repositoryUrl} --username ann --password-stdin --wait`;
  const added = await run(line, { input: "s3cret\n" });
  expect(added.code).toBe(0);
  expect(JSON.stringify(added)).not.toContain("s3cret");
  const name = { name: "private-credentials", namespace: SYSTEM_NAMESPACE };
  const secret = await laptop.kube.get(Secret, name);
  expect(Buffer.from(secret?.data?.["password"] ?? "", "base64").toString()).toBe("s3cret");
  expect((await laptop.kube.get(HelmRepo, "private"))?.spec).toMatchObject({ secretRef: { name: name.name } });
  await run("repo remove private");
  await until("the Secret is gone", async () => (await laptop.kube.get(Secret, name)) === undefined);
});

test("what is not understood changes nothing", async () => {
  for (const line of [
    "repo",
    "repo add x",
    "repo add X_Y http://a",
    "repo add x ftp://a",
    "repo frobnicate",
    "repo list --no",
  ]) {
    const { code, err, out } = await run(line);
    if (line === "repo") expect([code, out.split("\n")[0]]).toEqual([0, "Usage: opx repo COMMAND"]);
    else expect([code, out, err.startsWith("opx: ")]).toEqual([2, "", true]);
  }
  expect(await opx(["repo", "list", "--kubeconfig", "/nonexistent"])).toMatchObject({ code: 1, out: "" });
});

test("on a terminal the progress is written over and over, and taken away in the end", async () => {
  const line = `repo add seen ${charts.repositoryUrl} --wait`;
  const { code, err } = await run(line, { terminal: true });
  expect(code).toBe(0);
  expect(err.startsWith("\r\u001b[2Kseen: ")).toBe(true);
  expect(err.endsWith("\r\u001b[2K")).toBe(true);
});

test("what was synced is measured, without anything that lives to measure it", async () => {
  const answer = await fetch(`${laptop.httpUrls["metrics"]}/metrics`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  const text = await answer.text();
  expect(text).toContain('openpitrix_repo_syncs_total{repo="seen",result="success"} 1\n');
  expect(text).toContain('openpitrix_repo_chart_versions{repo="seen"} 3\n');
  expect(text).toMatch(/^openpitrix_repo_syncs_total\{repo="broken",result="failure"\} [1-9]/m);
  expect(text).toMatch(/^openpitrix_repo_staleness_seconds\{repo="seen"\} \d/m);
  expect((await fetch(`${laptop.httpUrls["metrics"]}/other`)).status).toBe(404);
});

test("the program itself runs, with its kubeconfig from the environment", async () => {
  const main = join(import.meta.dirname, "../../knative/opx/main.ts");
  const env = { KUBECONFIG: laptop.kubeconfigPath };
  const { stdout } = await promisify(execFile)(process.execPath, [main, "repo", "list", "--json"], { env });
  expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ name: "seen", charts: 2 }));
});
