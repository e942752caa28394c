import { createKube, type Kube } from "../../shared/adapters/kubernetes.ts";
import { appId, versionId } from "../../shared/charts/ids.ts";
import { type CommitContext, commit } from "../../shared/commit.ts";
import { mapLimited } from "../../shared/concurrency.ts";
import { toCrd } from "../../shared/crd.ts";
import { change, create, type Decision, type Write } from "../../shared/decision.ts";
import type { KubeObject } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { startApiProcess } from "../contracts/kubernetes/api-process.ts";
import { CustomResourceDefinition } from "../support/custom-resource-definition.ts";
import { startNats } from "../support/nats.ts";
import { numbers } from "./local-api-fixture.ts";
import type { Row, Sides } from "./row.ts";

const CHARTS = 45;
const VERSIONS = 10;
const OBJECTS = CHARTS * (VERSIONS + 1);
/** As many writes at once as a commit has under way. */
const IN_FLIGHT = 16;
const TIME = "2026-05-04T12:00:00Z";
const MANAGER = "repo-sync-continued";

/** What a step of a first sync writes: applications, then their versions, each object with its status. */
export const crWrite: Row = {
  id: "cr-write",
  what: `objects of a first sync committed per second to the laptop's Kubernetes API, ${OBJECTS} in a step, each created and given its status`,
  peerName: "a bare loop of the same writes by the same client",
  unit: "objects/s",
  better: "higher",
  target: 0.8,
  prepare,
};

async function prepare(): Promise<Sides> {
  const nats = await startNats();
  const api = await startApiProcess({ natsUrl: nats.url, port: 0, storage: "file" });
  const { url, token = "", ca } = api.cluster;
  const kube = createKube({ from: "server", url, token, ...(ca === undefined ? {} : { ca }) });
  for (const kind of [HelmApplication, HelmApplicationVersion]) {
    await kube.create(CustomResourceDefinition, toCrd(kind), "bench");
  }
  let round = 0;
  return {
    ours: () => measured(kube, `r${round++}`, committed),
    peer: () => measured(kube, `r${round++}`, written),
    async close() {
      kube.close();
      await api.kill();
      await nats[Symbol.asyncDispose]();
    },
  };
}

/** Objects per second; fails unless all of them are there afterwards, versions below their applications. */
async function measured(kube: Kube, repo: string, work: (kube: Kube, repo: string) => Promise<unknown>) {
  const started = performance.now();
  await work(kube, repo);
  const seconds = (performance.now() - started) / 1000;
  const query = { labels: { [LABEL.repoId]: repo } };
  const [apps, versions] = [await kube.list(HelmApplication, query), await kube.list(HelmApplicationVersion, query)];
  const uids = new Set(apps.map(({ metadata }) => metadata.uid));
  const complete = versions.filter(
    ({ metadata, status }) => status?.state === "active" && uids.has(metadata.ownerReferences?.[0]?.uid ?? ""),
  );
  if (apps.length !== CHARTS || complete.length !== CHARTS * VERSIONS) throw new Error("not all objects were written");
  return OBJECTS / seconds;
}

function committed(kube: Kube, repo: string): Promise<unknown> {
  const decision: Decision = change({ write: numbers(CHARTS).flatMap((chart) => chartWrites(repo, chart)) });
  // Neither bytes nor events are among what is compared, so that nothing else of a runtime is used.
  const context = {
    functionName: MANAGER,
    runtime: { kube, clock: { now: () => new Date() } },
    signal: AbortSignal.timeout(60_000),
  };
  return commit(decision, context as unknown as CommitContext);
}

async function written(kube: Kube, repo: string): Promise<void> {
  const writes = numbers(CHARTS).flatMap((chart) => chartWrites(repo, chart));
  const uids = new Map<string, string>();
  const one = async ({ kind, object, owner }: Write) => {
    const ownerReferences = owner && [
      { apiVersion: object.apiVersion, kind: owner.kind.kind, name: owner.name, uid: uids.get(owner.name) ?? "" },
    ];
    const metadata = { ...object.metadata, ...(ownerReferences ? { ownerReferences } : {}) };
    const made = await kube.create(kind, { ...object, metadata }, MANAGER);
    uids.set(object.metadata.name, made.metadata.uid ?? "");
    const { status } = object as KubeObject & { readonly status?: object };
    await kube.replaceStatus(kind, { ...made, status } as KubeObject, MANAGER);
  };
  await mapLimited(
    writes.filter(({ owner }) => !owner),
    IN_FLIGHT,
    one,
  );
  await mapLimited(
    writes.filter(({ owner }) => owner),
    IN_FLIGHT,
    one,
  );
}

function chartWrites(repo: string, chart: number): readonly Write[] {
  const name = `chart-${chart}`;
  const id = appId({ repo }, name);
  const labels = { [LABEL.repoId]: repo };
  const app = {
    metadata: { name: id, labels },
    spec: { name, description: "d".repeat(200) },
    status: { state: "active" as const, latestVersion: "9.0.0", statusTime: TIME, updateTime: TIME },
  };
  const versions = numbers(VERSIONS).map((number) => {
    const version = `${number}.0.0`;
    const metadata = { name: versionId(id, version), labels: { ...labels, [LABEL.appId]: id } };
    const urls = [`https://charts.example/${name}-${version}.tgz`];
    const spec = {
      name,
      version,
      urls,
      digest: "0".repeat(64),
      description: "d".repeat(200),
      keywords: ["one", "two"],
    };
    return create(
      HelmApplicationVersion,
      { metadata, spec, status: { state: "active" } },
      { kind: HelmApplication, name: id },
    );
  });
  return [create(HelmApplication, app), ...versions];
}
