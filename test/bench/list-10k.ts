import { readFile } from "node:fs/promises";
import gateway from "../../functions/rest-gateway/function.ts";
import { createKube, type Kube } from "../../shared/adapters/kubernetes.ts";
import { createAccess } from "../../shared/adapters/kubernetes-access.ts";
import { cachedReader } from "../../shared/adapters/kubernetes-cache.ts";
import { parseYaml } from "../../shared/adapters/yaml.ts";
import { mapLimited } from "../../shared/concurrency.ts";
import { toCrd } from "../../shared/crd.ts";
import { serveRequests } from "../../shared/host/http-function.ts";
import type { HttpFunction } from "../../shared/http-function.ts";
import { apiVersionOf, externalResource, type KubeObject, type ResourceDefinition } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import type { Runtime } from "../../shared/run.ts";
import { startCluster } from "../contracts/kube-port/cluster.ts";
import { silent } from "../support/nats.ts";
import { numbers } from "./local-api-fixture.ts";
import type { Row, Sides } from "./row.ts";

const APPS = 10_000;
const LIMIT_MS = 20;
const WRITES = 16;
const PAGES = 40;

const Definition = externalResource({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
});

/** Pages of a long list with a keyword, as the console asks for them while somebody types and turns pages. */
export const list10k: Row = {
  id: "list-10k",
  what: `a page of 10 of ${APPS} applications with keyword, total and latest versions through the REST API`,
  peerName: `the limit of ${LIMIT_MS} ms`,
  unit: "ms",
  better: "lower",
  target: 1,
  async prepare() {
    const { pages, close } = await startGateway();
    return { ours: async () => (await timed(pages)) / PAGES, peer: async () => LIMIT_MS, close };
  },
};

/** The same page after each change of an application: what is kept sorted has to be sorted anew. */
export const list10kChanging: Row = {
  ...list10k,
  id: "list-10k-changing",
  what: `the same page while an application changes before each`,
  async prepare() {
    const { pages, change, close } = await startGateway();
    const ours = async () => {
      let sum = 0;
      for (const number of numbers(PAGES)) {
        await change(number);
        sum += await timed(() => pages(number));
      }
      return sum / PAGES;
    };
    return { ours, peer: async () => LIMIT_MS, close };
  },
};

interface Gateway extends Pick<Sides, "close"> {
  /** Asks for one page, or for all in turn. */
  pages(only?: number): Promise<void>;
  change(number: number): Promise<void>;
}

async function startGateway(): Promise<Gateway> {
  const cluster = await startCluster();
  const kube = createKube({ from: "kubeconfig", path: cluster.kubeconfig });
  await fill(kube);
  const cache = cachedReader(kube, gateway.cached);
  const runtime = { kube: cache, access: createAccess(kube), clock: { now: () => new Date() } };
  const hosted = { function: gateway as unknown as HttpFunction, runtime: runtime as unknown as Runtime, log: silent };
  const host = await serveRequests(hosted, { host: "127.0.0.1", port: 0 });
  const headers = { authorization: `Bearer ${await tokenIn(cluster.kubeconfig)}` };
  const ask = async (number: number) => {
    const query = `conditions=keyword=APP-${number % 10},status=draft&paging=limit=10,page=${(number % 50) + 1}&reverse=true`;
    const answer = await fetch(`${host.url}/kapis/openpitrix.io/v1/workspaces/bench/apps?${query}`, { headers });
    const { items, total_count } = (await answer.json()) as { items: unknown[]; total_count: number };
    const whole = number % 10 === 0 ? 1 : 1_111;
    if (total_count !== whole) throw new Error(`${total_count} of ${whole} applications were found`);
    if (whole > 1 && items.length !== 10) throw new Error(`a page holds ${items.length} of 10 applications`);
  };
  return {
    async pages(only) {
      for (const number of only === undefined ? numbers(PAGES) : [only]) await ask(number);
    },
    async change(number) {
      const app = await kube.get(HelmApplication, nameOf(number));
      if (!app) throw new Error(`${nameOf(number)} is gone`);
      const labels = { ...app.metadata.labels, changed: `${Math.random()}` };
      await kube.replace(HelmApplication, { ...app, metadata: { ...app.metadata, labels } }, "bench");
    },
    async close() {
      await host.close();
      cache.stop();
      kube.close();
      await cluster.stop();
    },
  };
}

const nameOf = (number: number) => `app-${number}`;

async function fill(kube: Kube): Promise<void> {
  for (const kind of [HelmRepo, HelmApplication, HelmApplicationVersion, HelmCategory]) {
    await kube.create(Definition, toCrd(kind) as KubeObject, "bench");
  }
  const make = (kind: ResourceDefinition, object: object) =>
    kube.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object } as KubeObject, "bench");
  const workspace = { [LABEL.workspace]: "bench" };
  await mapLimited(numbers(APPS), WRITES, async (number) => {
    const name = nameOf(number);
    await make(HelmApplication, {
      metadata: { name, labels: workspace },
      spec: { name, description: "x".repeat(400) },
    });
    const labels = { ...workspace, [LABEL.appId]: name };
    await make(HelmApplicationVersion, { metadata: { name: `v-${name}`, labels }, spec: { name, version: "1.0.0" } });
  });
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function tokenIn(kubeconfig: string): Promise<string> {
  const { users } = parseYaml(await readFile(kubeconfig, "utf8")) as { users: { user: { token: string } }[] };
  return users[0]?.user.token ?? "";
}
