import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createHelm } from "../../../shared/adapters/helm.ts";
import { createKube, type Kube } from "../../../shared/adapters/kubernetes.ts";
import type { DesiredRelease, Helm } from "../../../shared/helm-port.ts";
import type { KubeObject, ResourceDefinition } from "../../../shared/resource.ts";
import { binary } from "../../support/binaries.ts";
import { startCluster, type TestCluster } from "../kube-port/cluster.ts";
import { failure } from "../kube-port/scripted-server.ts";
import { testChart } from "./chart.ts";

const core = (kind: string, plural: string, scope: "Cluster" | "Namespaced"): ResourceDefinition => ({
  group: "",
  version: "v1",
  kind,
  plural,
  scope,
});
const Namespace = core("Namespace", "namespaces", "Cluster");
const ConfigMap = core("ConfigMap", "configmaps", "Namespaced");
const Secret = core("Secret", "secrets", "Namespaced");

const namespace = `helm-${randomUUID().slice(0, 8)}`;
const space = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };

let cluster: TestCluster;
let kube: Kube;
let helm: Helm;
let chart: Buffer;
let temporary: string;

beforeAll(async () => {
  cluster = await startCluster();
  const access = { from: "kubeconfig", path: cluster.kubeconfig } as const;
  kube = createKube(access);
  temporary = await mkdtemp(join(tmpdir(), "helm-port-"));
  helm = createHelm({ helm: binary("helm"), access, kube, temporary });
  chart = await testChart();
  await kube.create(Namespace, space, "contract");
});

afterAll(async () => {
  await kube.remove(Namespace, space);
  kube.close();
  await cluster.stop();
  await rm(temporary, { recursive: true });
});

function desired(name: string, values = "", mark = "mark-1"): DesiredRelease {
  return { name, namespace, chart, values, mark, timeoutMs: 60_000 };
}

async function color(name: string): Promise<unknown> {
  const object = (await kube.get(ConfigMap, { name, namespace })) as (KubeObject & { data?: object }) | undefined;
  return object?.data;
}

/** How many revisions Helm has stored. */
async function revisions(name: string): Promise<number> {
  return (await kube.list(Secret, { namespace, labels: { owner: "helm", name } })).length;
}

/** Begins a Helm operation that hangs in a hook, and waits until it holds the release. */
async function hanging(name: string, hook: string): Promise<ChildProcess> {
  const folder = await mkdtemp(join(tmpdir(), "hanging-"));
  const path = join(folder, "chart.tgz");
  await writeFile(path, chart);
  const args = ["upgrade", name, path, "--install", "--namespace", namespace, "--set", `hook=${hook}`];
  const environment = { KUBECONFIG: cluster.kubeconfig, HOME: folder, PATH: "/usr/bin:/bin" };
  const child = spawn(binary("helm"), args, { env: environment, stdio: "ignore" });
  child.once("exit", () => void rm(folder, { recursive: true, force: true }));
  const Job: ResourceDefinition = { ...core("Job", "jobs", "Namespaced"), group: "batch" };
  const inHook = async () => expect(await kube.get(Job, { name: `${name}-hook`, namespace })).toBeDefined();
  await vi.waitFor(inHook, { timeout: 20_000, interval: 50 });
  return child;
}

/** A release that somebody made with Helm by hand. */
async function byHand(name: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "by-hand-"));
  const path = join(folder, "chart.tgz");
  await writeFile(path, chart);
  const env = { KUBECONFIG: cluster.kubeconfig, HOME: folder, PATH: "/usr/bin:/bin" };
  await promisify(execFile)(binary("helm"), ["install", name, path, "--namespace", namespace], { env });
  await rm(folder, { recursive: true });
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** The same port at a later time: what is unfinished then counts as abandoned. */
function later(): Helm {
  const access = { from: "kubeconfig", path: cluster.kubeconfig } as const;
  return createHelm({ helm: binary("helm"), access, kube, clock: { now: () => new Date(Date.now() + 600_000) } });
}

describe("converge", () => {
  test("installs, repeats without a new revision, upgrades on a new mark", async () => {
    const installed = await helm.converge(desired("web"));
    expect(installed).toEqual({ outcome: "deployed", revision: 1, changed: true });
    expect(await color("web")).toEqual({ color: "blue" });
    expect(await helm.converge(desired("web"))).toEqual({ outcome: "deployed", revision: 1, changed: false });
    expect(await revisions("web")).toBe(1);
    const upgraded = await helm.converge(desired("web", "color: red", "mark-2"));
    expect(upgraded).toEqual({ outcome: "deployed", revision: 2, changed: true });
    expect(await color("web")).toEqual({ color: "red" });
  });

  test("leaves a release alone that the store did not make, unless told that it belongs to it", async () => {
    await byHand("theirs");
    const refused = await helm.converge(desired("theirs", "color: red"));
    expect(refused).toMatchObject({ outcome: "failed", message: expect.stringContaining("the store did not make") });
    await helm.uninstall({ name: "theirs", namespace });
    expect(await color("theirs")).toEqual({ color: "blue" });
    const adopted = await helm.converge({ ...desired("theirs", "color: red"), adopt: true });
    expect(adopted).toEqual({ outcome: "deployed", revision: 2, changed: true });
    await helm.uninstall({ name: "theirs", namespace });
    expect(await color("theirs")).toBeUndefined();
  });

  test("empty values mean the chart's own, not those of the revision before", async () => {
    await helm.converge(desired("reset", "color: red"));
    await helm.converge(desired("reset", "", "mark-2"));
    expect(await color("reset")).toEqual({ color: "blue" });
  });

  test("fields that somebody else has set are taken over", async () => {
    await helm.converge(desired("owned"));
    const theirs = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "owned", namespace },
      data: { color: "x" },
    };
    await kube.apply(ConfigMap, theirs, "somebody");
    expect(await helm.converge(desired("owned", "color: red", "mark-2"))).toMatchObject({ outcome: "deployed" });
    expect(await color("owned")).toEqual({ color: "red" });
  });

  test("keeps ten revisions", async () => {
    for (let at = 1; at <= 12; at++) await helm.converge(desired("long", `note: "${at}"`, `mark-${at}`));
    expect(await revisions("long")).toBe(10);
    expect(await helm.converge(desired("long", 'note: "12"', "mark-12"))).toMatchObject({
      revision: 12,
      changed: false,
    });
  });

  test("a failing chart fails in the chart's words, once, with no value in them", async () => {
    const values = "failWith: hunter2-is-my-password\nnote: unrelated";
    const result = await helm.converge(desired("broken", values));
    expect(result).toMatchObject({ outcome: "failed" });
    const { message } = result as { message: string };
    expect(message).toContain("the chart says [value]");
    expect(message).not.toMatch(/hunter2|^Error|UPGRADE FAILED|openpitrix-helm-|\n/);
    expect(await helm.converge(desired("broken", "color: green", "mark-2"))).toMatchObject({ outcome: "deployed" });
  });

  test("what Helm or the cluster refuses is a failed release, with the reason", async () => {
    const noChart = { ...desired("no-chart"), chart: Buffer.from("nothing") };
    expect(await helm.converge(noChart)).toMatchObject({ outcome: "failed" });
    const nowhere = { ...desired("nowhere"), namespace: `${namespace}-none` };
    const result = await helm.converge(nowhere);
    expect(result).toMatchObject({ outcome: "failed" });
    expect((result as { message: string }).message).toContain(`namespaces "${namespace}-none" not found`);
    const values = await helm.converge(desired("bad-values", "- a\n- list-of-secrets\n"));
    expect(values).toMatchObject({ outcome: "failed" });
    expect((values as { message: string }).message).not.toContain("list-of-secrets");
  });

  test.each(["--debug", "UPPER", "a".repeat(54), "a/b", ""])("the name %j never reaches Helm", async (name) => {
    const result = await helm.converge(desired(name));
    expect(result).toMatchObject({ outcome: "failed" });
    expect((result as { message: string }).message).toContain("cannot be the name of a Helm release");
    expect(await helm.objects({ name, namespace })).toBeUndefined();
    await helm.uninstall({ name, namespace });
  });

  test("two at once: one installs, the other is busy or finds it done", async () => {
    const results = await Promise.all([helm.converge(desired("race")), helm.converge(desired("race"))]);
    expect(results).toContainEqual({ outcome: "deployed", revision: 1, changed: true });
    expect(results.filter((result) => result.outcome === "deployed" && result.changed)).toHaveLength(1);
    expect(results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    expect(await revisions("race")).toBe(1);
  });

  test("a hook that hangs is stopped in time and frees the release", async () => {
    const slow = { ...desired("slow", "hook: pre-install"), timeoutMs: 3_000 };
    const result = await helm.converge(slow);
    expect(result).toMatchObject({ outcome: "failed" });
    expect((result as { message: string }).message).toMatch(/slow-hook|stopped after 3 s|timed out waiting/);
    expect(await helm.converge(desired("slow", "", "mark-2"))).toMatchObject({ outcome: "deployed" });
  });
});

describe("an interrupted operation", () => {
  test("is busy while it may still run, also for a live one", async () => {
    const child = await hanging("held", "pre-install");
    expect(await helm.converge(desired("held"))).toEqual({ outcome: "busy" });
    await kill(child);
    expect(await helm.converge(desired("held"))).toEqual({ outcome: "busy" });
  });

  test("an abandoned install is cleared away and done again", async () => {
    await kill(await hanging("install", "pre-install"));
    expect(await later().converge(desired("install", "color: red"))).toMatchObject({
      outcome: "deployed",
      changed: true,
    });
    expect(await color("install")).toEqual({ color: "red" });
  });

  test("an abandoned upgrade goes back to what worked, then on", async () => {
    await helm.converge(desired("upgrade"));
    await kill(await hanging("upgrade", "pre-upgrade"));
    const result = await later().converge(desired("upgrade", "color: red", "mark-2"));
    expect(result).toEqual({ outcome: "deployed", revision: 4, changed: true });
    expect(await color("upgrade")).toEqual({ color: "red" });
  });

  test("an abandoned upgrade to what was deployed before is not taken for deployed", async () => {
    await helm.converge(desired("same"));
    await kill(await hanging("same", "pre-upgrade"));
    expect(await later().converge(desired("same"))).toMatchObject({ outcome: "deployed", changed: true });
  });
});

describe("objects", () => {
  test("are those of the deployed manifest with their live state and scopes", async () => {
    await helm.converge(desired("parts"));
    const gone = await kube.get(ConfigMap, { name: "parts", namespace });
    if (gone) await kube.remove(ConfigMap, gone);
    await helm.converge(desired("parts", "failWith: always", "mark-2"));
    const objects = (await helm.objects({ name: "parts", namespace })) ?? [];
    const lines = objects.map(({ kind, name, namespace: at, live }) => [kind, at, name, live !== undefined].join(" "));
    expect(lines.toSorted()).toEqual([
      `ClusterRole  ${namespace}-parts true`,
      `ConfigMap ${namespace} parts false`,
      `Secret ${namespace} parts true`,
    ]);
  });

  test("of a release that is not there are undefined", async () => {
    expect(await helm.objects({ name: "nobody", namespace })).toBeUndefined();
  });
});

describe("uninstall", () => {
  test("takes everything away; nothing there is done too", async () => {
    await helm.converge(desired("bye"));
    await helm.uninstall({ name: "bye", namespace });
    expect(await color("bye")).toBeUndefined();
    expect(await revisions("bye")).toBe(0);
    await helm.uninstall({ name: "bye", namespace });
    await helm.uninstall({ name: "bye", namespace: `${namespace}-none` });
  });
});

describe("around Helm", () => {
  test("no cluster is Unavailable, no program too, and nothing is left on disk", async () => {
    const access = { from: "server", url: "https://127.0.0.1:1", token: "secret-token" } as const;
    const lost = createHelm({ helm: binary("helm"), access, kube, temporary });
    const error = await failure(lost.converge(desired("web")));
    expect(error.kind).toBe("Unavailable");
    expect(error.message).toMatch(/cluster unreachable/i);
    expect(error.message).not.toContain("secret-token");
    expect((await failure(lost.uninstall({ name: "web", namespace }))).kind).toBe("Unavailable");
    const none = createHelm({ helm: "/nowhere/helm", access, kube, temporary });
    expect((await failure(none.converge(desired("web")))).message).toContain("name the program's path in HELM");
    expect(await readdir(temporary)).toEqual([]);
  });
});
