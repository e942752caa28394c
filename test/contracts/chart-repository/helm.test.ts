import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Laptop } from "../../../knative/local/laptop.ts";
import { runCommand } from "../../../knative/local/tools/run-command.ts";
import { VersionRecovered, VersionSuspended } from "../../../shared/events/version.ts";
import { HelmApplicationVersion } from "../../../shared/resources/helm-application-version.ts";
import { tell, VERSION } from "../../chains/story.ts";
import { binary } from "../../support/binaries.ts";
import { type DemoCharts, startDemoCharts } from "../../support/charts.ts";
import { startTestLaptop } from "../../support/laptop.ts";
import { newEvent } from "../../support/objects.ts";
import { until } from "../../support/until.ts";

let charts: DemoCharts;
let laptop: Laptop;
let folder: string;
let url: string;

beforeAll(async () => {
  charts = await startDemoCharts();
  laptop = await startTestLaptop();
  folder = await mkdtemp(join(tmpdir(), "openpitrix-helm-"));
  url = laptop.httpUrls["chart-repository"] ?? "";
  const story = tell(laptop, charts);
  await story.upload();
  await reached("draft");
  await story.submit();
  await reached("submitted");
  await story.approve();
  await reached("passed");
  await story.release();
  await reached("active");
});
afterAll(async () => {
  await laptop?.close();
  await charts?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const read = async () => {
  const version = await laptop.kube.get(HelmApplicationVersion, VERSION);
  if (!version) throw new Error("the version is gone");
  return version;
};
const reached = (state: string) =>
  until(
    `the version is ${state}`,
    async () => (await laptop.kube.get(HelmApplicationVersion, VERSION))?.status?.state === state,
  );

const helm = (...args: readonly string[]) =>
  runCommand(binary("helm"), args, {
    cwd: folder,
    env: {
      HOME: folder,
      HELM_CACHE_HOME: join(folder, "cache"),
      HELM_CONFIG_HOME: join(folder, "config"),
      HELM_DATA_HOME: join(folder, "data"),
      KUBECONFIG: laptop.kubeconfigPath,
    },
  });

async function sha256(file: string): Promise<string> {
  return `sha256:${createHash("sha256")
    .update(await readFile(join(folder, file)))
    .digest("hex")}`;
}

describe("the real helm", () => {
  test("adds the store as a repository, searches, pulls and installs", async () => {
    const { name = "", version = "", digest } = (await read()).spec;
    await helm("repo", "add", "store", `${url}/charts`);
    expect(JSON.parse(await helm("search", "repo", "store/", "-o", "json"))).toMatchObject([
      { name: `store/${name}`, version },
    ]);
    await helm("pull", `store/${name}`, "--version", version);
    expect(await sha256(`${name}-${version}.tgz`)).toBe(digest);
    await rm(join(folder, `${name}-${version}.tgz`));
    expect(await helm("install", "from-store", `store/${name}`, "-n", "default")).toContain("STATUS: deployed");
  });

  test("pulls from it as from a registry, the same bytes", async () => {
    const { name = "", version = "", digest } = (await read()).spec;
    const registry = url.replace("http://", "oci://");
    await helm("pull", `${registry}/charts/${name}`, "--version", version, "--plain-http");
    expect(await readdir(folder)).toContain(`${name}-${version}.tgz`);
    expect(await sha256(`${name}-${version}.tgz`)).toBe(digest);
    await rm(join(folder, `${name}-${version}.tgz`));
    expect(await helm("show", "chart", `${registry}/charts/${name}`, "--plain-http")).toContain(`version: ${version}`);
  });

  test("sees a version vanish when it is suspended, with the reason, and return when it is recovered", async () => {
    const { name = "", version = "" } = (await read()).spec;
    await laptop.publish(newEvent(VersionSuspended, { version: VERSION, message: "CVE-2026-0001" }));
    await reached("suspended");
    await until(
      "the index no longer lists it",
      async () => !(await (await fetch(`${url}/charts/index.yaml`)).text()).includes(name),
    );
    await helm("repo", "update");
    expect(JSON.parse(await helm("search", "repo", "store/", "-o", "json"))).toEqual([]);
    const gone = await fetch(`${url}/charts/${name}-${version}.tgz`);
    expect([gone.status, await gone.text()]).toEqual([410, `${name} ${version} is suspended: CVE-2026-0001\n`]);
    const manifest = await fetch(`${url}/v2/charts/${name}/manifests/${version}`);
    expect([manifest.status, await manifest.text()]).toEqual([410, expect.stringContaining("CVE-2026-0001")]);
    await laptop.publish(newEvent(VersionRecovered, { version: VERSION }));
    await reached("active");
    await until("the index lists it again", async () =>
      (await (await fetch(`${url}/charts/index.yaml`)).text()).includes(name),
    );
    await helm("repo", "update");
    await helm("pull", `store/${name}`, "--version", version);
  });
});

describe("HTTP", () => {
  test("an index that has not changed is not sent again", async () => {
    const first = await fetch(`${url}/charts/index.yaml`);
    const etag = first.headers.get("etag") ?? "";
    expect(await first.text()).toContain("apiVersion: v1");
    const second = await fetch(`${url}/charts/index.yaml`, { headers: { "if-none-match": etag } });
    expect([second.status, await second.text()]).toEqual([304, ""]);
  });

  test("a workspace's shelf is for those who may read in it; nothing is pushed anywhere", async () => {
    const closed = await fetch(`${url}/workspaces/demo/charts/index.yaml`);
    expect([closed.status, closed.headers.get("www-authenticate")]).toEqual([401, 'Basic realm="openpitrix"']);
    const kubectl = (...args: readonly string[]) =>
      runCommand(binary("kubectl"), ["--kubeconfig", laptop.kubeconfigPath, ...args]);
    await kubectl("create", "namespace", "demo").catch(() => undefined);
    await kubectl("create", "serviceaccount", "mia", "-n", "default");
    await kubectl(
      "create",
      "rolebinding",
      "mia",
      "-n",
      "demo",
      "--clusterrole=openpitrix:member",
      "--serviceaccount=default:mia",
    );
    const token = (await kubectl("create", "token", "mia", "-n", "default")).trim();
    const { name = "" } = (await read()).spec;
    await helm("repo", "add", "mine", `${url}/workspaces/demo/charts`, "--username", "mia", "--password", token);
    expect(await helm("search", "repo", "mine/")).toContain(name);
    const basic = `Basic ${Buffer.from(`mia:${token}`).toString("base64")}`;
    const other = await fetch(`${url}/workspaces/other/charts/index.yaml`, { headers: { authorization: basic } });
    expect(other.status).toBe(403);
    expect((await fetch(`${url}/v2/charts/x/blobs/uploads/`, { method: "POST" })).status).toBe(404);
    expect((await fetch(`${url}/charts/x-1.0.0.tgz`, { method: "PUT" })).status).toBe(405);
  });

  test.each(["/", "/charts/", "/charts/none-1.0.0.tgz", "/charts/..%2Fsecret", "/v2/charts/none/tags/list"])(
    "there is nothing at %s",
    async (path) => {
      expect((await fetch(url + path)).status).toBe(404);
    },
  );
});
