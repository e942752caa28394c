import { afterAll, beforeAll, expect, test } from "vitest";
import type { Laptop } from "../../knative/local/laptop.ts";
import { runCommand } from "../../knative/local/tools/run-command.ts";
import { appId, versionId } from "../../shared/charts/ids.ts";
import { RepoSynced, RepoSyncRequested } from "../../shared/events/repo.ts";
import { SYSTEM_NAMESPACE } from "../../shared/origin.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { HelmRequest } from "../../shared/resources/helm-request.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { protocolRegistry } from "../contracts/registry/protocol-registry.ts";
import { binary } from "../support/binaries.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { newEvent } from "../support/objects.ts";
import { REGISTRY_USER, startRegistry, type TestRegistry } from "../support/registry.ts";
import { until } from "../support/until.ts";
import { create } from "./story.ts";

let laptop: Laptop;
let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
  laptop = await startTestLaptop();
});
afterAll(async () => {
  await laptop?.close();
  await registry?.[Symbol.asyncDispose]();
});

/** `name version` of all that the store shows of a repository. */
async function offered(repo: string): Promise<readonly string[]> {
  const versions = await laptop.kube.list(HelmApplicationVersion, { labels: { [LABEL.repoId]: repo } });
  return versions.map(({ spec }) => `${spec.name} ${spec.version}`).sort();
}

async function untilOffered(repo: string, ...expected: readonly string[]): Promise<void> {
  const status = async () => ({
    offered: await offered(repo),
    status: (await laptop.kube.get(HelmRepo, repo))?.status?.conditions,
  });
  const done = async () => (await offered(repo)).join() === expected.join();
  await until(`${repo} offers ${expected.join(", ")}`, done, { found: status });
  await laptop.settled();
}

function ask(repo: string, only: { readonly chart?: string; readonly version?: string } = {}): Promise<void> {
  return laptop.publish(newEvent(RepoSyncRequested, { repo, reason: "pushed" as const, force: true, ...only }));
}

test("what helm pushes to a registry appears in the store, and installs from there", async () => {
  await registry.push("store", [
    { chart: "hello-web", version: "1.0.0" },
    { chart: "clock", version: "0.3.0" },
  ]);
  const spec = { name: "registry", url: `oci://${registry.host}/store`, type: "oci", syncPeriod: 0 };
  await create(laptop, HelmRepo, { name: "registry", spec });
  await untilOffered("registry", "clock 0.3.0", "hello-web 1.0.0");
  await registry.push("store", [{ chart: "hello-web", version: "1.1.0" }]);
  await ask("registry", { chart: "hello-web", version: "1.1.0" });
  await untilOffered("registry", "clock 0.3.0", "hello-web 1.0.0", "hello-web 1.1.0");
  const appVerId = versionId(appId({ repo: "registry" }, "hello-web"), "1.1.0");
  await create(laptop, HelmRequest, { name: "web", spec: { name: "web", appVerId, namespace: "default" } });
  await until("the release is ready", async () => {
    const [release] = await laptop.kube.list(HelmRelease);
    return release?.status?.state === "active" && release.spec.chartVersion === "1.1.0";
  });
});

test("a registry that wants to be signed in to is given what a docker-registry Secret holds", async () => {
  await using closed = await startRegistry({ signIn: { kind: "basic" } });
  await closed.push("team", [{ chart: "clock", version: "0.3.0" }]);
  const { username, password } = REGISTRY_USER;
  const signIn = [`--docker-server=${closed.host}`, `--docker-username=${username}`, `--docker-password=${password}`];
  const kubectl = ["--kubeconfig", laptop.kubeconfigPath, "--namespace", SYSTEM_NAMESPACE];
  await runCommand(binary("kubectl"), [...kubectl, "create", "secret", "docker-registry", "closed", ...signIn]);
  const spec = { name: "closed", url: `oci://${closed.host}/team`, syncPeriod: 0, secretRef: { name: "closed" } };
  await create(laptop, HelmRepo, { name: "closed", spec });
  await untilOffered("closed", "clock 0.3.0");
  expect(JSON.stringify([laptop.published(), await laptop.kube.list(HelmRepo)])).not.toContain(password);
});

test("a push reads one manifest and one config, and a sync of what is known reads neither", async () => {
  const pushed = await protocolRegistry();
  for (const tag of ["1.0.0", "1.1.0"]) pushed.push({ repository: "store/web", tag });
  pushed.push({ repository: "store/db", tag: "2.0.0" });
  const spec = { name: "pushed", url: `oci://${pushed.host}/store`, syncPeriod: 0 };
  await create(laptop, HelmRepo, { name: "pushed", spec });
  await untilOffered("pushed", "db 2.0.0", "web 1.0.0", "web 1.1.0");
  pushed.asked();
  pushed.push({ repository: "store/web", tag: "1.2.0" });
  await ask("pushed", { chart: "web", version: "1.2.0" });
  await untilOffered("pushed", "db 2.0.0", "web 1.0.0", "web 1.1.0", "web 1.2.0");
  expect(pushed.asked().map((call) => call.replace(/sha256:\w+/, "…"))).toEqual([
    "GET /v2/store/web/manifests/1.2.0",
    "GET /v2/store/web/blobs/…",
  ]);
  const synced = () =>
    laptop.published().filter(({ type, data }) => type === RepoSynced.type && isAbout(data, "pushed"));
  const before = synced().length;
  await ask("pushed");
  await until("the repository is synced again", () => synced().length > before);
  const asked = pushed.asked();
  expect(asked.filter((call) => /GET .*(manifests|blobs)/.test(call))).toEqual([]);
  expect(asked.filter((call) => call.startsWith("HEAD"))).toHaveLength(4);
  pushed.remove("store/web", "1.0.0");
  await ask("pushed", { chart: "web", version: "1.0.0" });
  await untilOffered("pushed", "db 2.0.0", "web 1.1.0", "web 1.2.0");
  pushed.remove("store/db", "2.0.0");
  await ask("pushed", { chart: "db" });
  await untilOffered("pushed", "web 1.1.0", "web 1.2.0");
});

test("a tag that is pushed again with other bytes is held back until somebody decides", async () => {
  const pushed = await protocolRegistry();
  pushed.push({ repository: "store/web", tag: "1.0.0" });
  const spec = { name: "again", url: `oci://${pushed.host}/store`, syncPeriod: 0 };
  await create(laptop, HelmRepo, { name: "again", spec });
  await untilOffered("again", "web 1.0.0");
  const name = versionId(appId({ repo: "again" }, "web"), "1.0.0");
  const listed = (await laptop.kube.get(HelmApplicationVersion, name))?.spec;
  pushed.push({ repository: "store/web", tag: "1.0.0", content: Buffer.from("other bytes") });
  await ask("again");
  const held = await until("the version is in quarantine", async () => {
    const { conditions } = (await laptop.kube.get(HelmApplicationVersion, name))?.status ?? {};
    return conditions?.find(({ type, status }) => type === "Quarantined" && status === "True");
  });
  expect(held.message).toContain(listed?.digest);
  expect((await laptop.kube.get(HelmApplicationVersion, name))?.spec).toEqual(listed);
});

test("a registry that lists nothing says on the repository what to do", async () => {
  const mute = await protocolRegistry({ intercept: (_, response) => !!response.writeHead(404).end() });
  await create(laptop, HelmRepo, { name: "mute", spec: { name: "mute", url: `oci://${mute.host}/store` } });
  const ready = await until("the repository says why", async () => {
    const { conditions } = (await laptop.kube.get(HelmRepo, "mute"))?.status ?? {};
    return conditions?.find(({ type, status }) => type === "Ready" && status === "False");
  });
  expect(ready.message).toContain("offers no catalog of its repositories; name its charts in spec.charts");
});

function isAbout(data: unknown, repo: string): boolean {
  return typeof data === "object" && data !== null && "repo" in data && data.repo === repo;
}
