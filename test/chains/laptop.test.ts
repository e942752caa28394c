import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { localEnvironment } from "../../knative/local/config.ts";
import { startLaptop } from "../../knative/local/laptop.ts";
import { readManifests } from "../../knative/local/manifests.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { binary } from "../support/binaries.ts";
import { startDemoCharts } from "../support/charts.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { openStreams } from "../support/stream.ts";
import { until } from "../support/until.ts";
import { tell } from "./story.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "openpitrix-state-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a laptop that is started again on its folder goes on where it was", async () => {
  await using charts = await startDemoCharts();
  const first = await startTestLaptop({ memory: false, state: folder });
  let events: number;
  try {
    await tell(first, charts).addRepository();
    await until("the repository is synced", async () => {
      return (await first.kube.get(HelmRepo, "demo"))?.status?.state === "successful";
    });
    await first.settled();
    await using streams = await openStreams(first.natsUrl);
    events = (await streams.events()).length;
  } finally {
    await first.close();
  }
  const second = await startTestLaptop({ memory: false, state: folder });
  try {
    expect((await second.kube.get(HelmRepo, "demo"))?.status?.state).toBe("successful");
    await using streams = await openStreams(second.natsUrl);
    expect((await streams.events()).length).toBeGreaterThanOrEqual(events);
    await tell(second, charts).upload();
    await until("the upload is taken in", () =>
      second.published().some(({ type }) => type.endsWith("version.created")),
    );
    expect(await streams.deadLetters()).toBe(0);
  } finally {
    await second.close();
  }
});

test("a nats-server that an earlier laptop left behind is ended first", async () => {
  const first = await startTestLaptop({ memory: false, state: folder });
  const left = Number(await readFile(join(folder, "nats/nats.pid"), "utf8"));
  const second = await startTestLaptop({ memory: false, state: folder });
  try {
    const taken = Number(await readFile(join(folder, "nats/nats.pid"), "utf8"));
    expect(taken).not.toBe(left);
    expect(() => process.kill(left, 0)).toThrow("ESRCH");
  } finally {
    await second.close();
    await first.close();
  }
});

test("with KUBECONFIG that cluster is used instead of one of our own", async () => {
  const cluster = await startTestLaptop();
  const environment = { ...localEnvironment(), KUBECONFIG: cluster.kubeconfigPath };
  const guest = await startLaptop({ environment, memory: true });
  try {
    expect([guest.kubeUrl, guest.kubeconfigPath]).toEqual([cluster.kubeUrl, cluster.kubeconfigPath]);
    const object = { apiVersion: "application.kubesphere.io/v1alpha1", kind: "HelmRepo", metadata: { name: "x" } };
    await cluster.kube.create(
      HelmRepo,
      { ...object, spec: { name: "x", url: "http://127.0.0.1:1" } } as HelmRepo,
      "test",
    );
    // Both laptops act on it; that the guest heard of it says where it listens.
    await until("the guest hears of it", () =>
      guest.published().some(({ type }) => type === "dev.knative.apiserver.ref.add"),
    );
  } finally {
    await guest.close();
    await cluster.close();
  }
});

test("kubectl sees the Brokers, Triggers and sources that carry the events, and that they are ready", async () => {
  const laptop = await startTestLaptop();
  const kubectl = async (line: string): Promise<string> => {
    const args = [...line.split(" "), "--kubeconfig", laptop.kubeconfigPath, "-n", "openpitrix"];
    return (await promisify(execFile)(binary("kubectl"), args)).stdout;
  };
  try {
    const kinds = "brokers,triggers,pingsources,apiserversources,sinkbindings";
    expect(await kubectl(`wait ${kinds} --all --for=condition=Ready --timeout=20s`)).toContain(
      "broker.eventing.knative.dev/openpitrix condition met",
    );
    const [head, ...rows] = (await kubectl("get triggers")).trimEnd().split("\n");
    expect(head).toMatch(/^NAME +BROKER +SUBSCRIBER_URI +AGE +READY +REASON/);
    expect(rows.length).toBe((await readManifests()).triggers.length);
    expect(await kubectl("get broker openpitrix -o jsonpath={.status.address.url}")).toBe(laptop.ingressUrl);
  } finally {
    await laptop.close();
  }
});
