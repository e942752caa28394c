import { expect, it } from "vitest";
import { WorkspaceDeleted } from "../../shared/events/workspace.ts";
import type { KubeObject, ResourceDefinition } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { handle, type Runtime } from "../../shared/run.ts";
import { createMemoryCluster, type MemoryCluster } from "../../test/support/memory-cluster.ts";
import { silent } from "../../test/support/nats.ts";
import { given, happened, LONG_AGO, NOW } from "../../test/support/objects.ts";
import subject from "./function.ts";

const WORKSPACE = "kubesphere.io/workspace";
const ORIGIN = "kubesphere.io/workspace-origin";
const APP = "application.kubesphere.io/app-id";
const times = { statusTime: LONG_AGO, updateTime: LONG_AGO };
const KINDS = [HelmRepo, HelmRelease, HelmApplication, HelmApplicationVersion];

async function put(kube: MemoryCluster, kind: ResourceDefinition, object: KubeObject & { status?: object }) {
  const made = await kube.create(kind, object, "test");
  if (object.status) await kube.replaceStatus(kind, { ...made, status: object.status } as KubeObject, "test");
}

/** A workspace with a published and an unpublished application, a repository and a release. */
async function furnished(): Promise<MemoryCluster> {
  const kube = createMemoryCluster();
  const labels = { [WORKSPACE]: "demo" };
  const app = (name: string, state: "active" | "draft", own: object) =>
    given(HelmApplication, name, { metadata: { labels: { ...own } }, spec: { name }, status: { state, ...times } });
  const version = (name: string, of: string, state: "active" | "suspended" | "draft" | "passed") =>
    given(HelmApplicationVersion, name, {
      metadata: { labels: { ...labels, [APP]: of } },
      spec: {},
      status: { state },
    });
  for (const each of [
    app("app-1", "active", labels),
    app("app-1-store", "active", { [ORIGIN]: "demo" }),
    app("app-2", "draft", labels),
    app("app-3", "draft", { [WORKSPACE]: "else" }),
  ])
    await put(kube, HelmApplication, each);
  for (const each of [
    version("appv-1", "app-1", "active"),
    version("appv-2", "app-1", "suspended"),
    version("appv-3", "app-1", "draft"),
    version("appv-4", "app-2", "passed"),
  ])
    await put(kube, HelmApplicationVersion, each);
  const finalizers = ["helmrepo.application.kubesphere.io"];
  await put(kube, HelmRepo, given(HelmRepo, "repo-1", { metadata: { labels, finalizers } }));
  await put(kube, HelmRelease, given(HelmRelease, "rls-1", { metadata: { labels } }));
  return kube;
}

/** Handles the event and those that it sends to itself; dies once after each write where `dying` says so. */
async function clear(kube: MemoryCluster, dying = false): Promise<number> {
  const identity = { name: "workspace-deleted", function: subject } as never;
  const queue = [happened(WorkspaceDeleted, { workspace: "demo" })];
  let rounds = 0;
  for (let event = queue.shift(); event; event = queue.shift()) {
    if (++rounds > 20) throw new Error("never ends");
    let left = dying ? 3 : Number.POSITIVE_INFINITY;
    const writer = new Proxy(kube, {
      get: (target, name: keyof MemoryCluster) => {
        if (!["replace", "remove"].includes(name)) return target[name].bind(target);
        return (...args: never[]) => {
          if (left-- <= 0) throw new Error("the process died");
          return (target[name] as (...all: readonly unknown[]) => unknown).apply(target, args);
        };
      },
    });
    const publish = async (sent: { type: string }) => {
      if (sent.type === WorkspaceDeleted.type) queue.push(sent as never);
    };
    const runtime = { kube: writer, log: silent, clock: { now: () => NOW }, bus: { publish } } as unknown as Runtime;
    const { outcome } = await handle(identity, event, runtime);
    if (outcome.kind !== "done") queue.push(event);
  }
  return rounds;
}

it.each([{ dying: false }, { dying: true }])(
  "clears a workspace and keeps what is published (dying: $dying)",
  async ({ dying }) => {
    const kube = await furnished();
    await clear(kube, dying);
    const left = await Promise.all(KINDS.map(async (kind) => (await kube.list(kind)) as readonly KubeObject[]));
    expect(left.flat().map(({ metadata }) => metadata.name)).toEqual([
      "app-1",
      "app-1-store",
      "app-3",
      "appv-1",
      "appv-2",
    ]);
    const labels = Object.fromEntries(left.flat().map(({ metadata }) => [metadata.name, metadata.labels ?? {}]));
    expect(labels["app-1"]?.[WORKSPACE]).toBe("");
    expect(labels["app-1-store"]?.[ORIGIN]).toBe("");
    expect(labels["appv-1"]?.[WORKSPACE]).toBe("");
    expect(labels["app-3"]?.[WORKSPACE]).toBe("else");
    const app = await kube.get(HelmApplication, "app-1");
    expect(app?.metadata.annotations?.["application.kubesphere.io/app-cleanup"]).toBe("done");
  },
);

it("says so when nothing is left", () => {
  const nothing = { releases: [], repos: [], apps: [], copies: [], versions: [] };
  const decision = subject.decide(nothing, happened(WorkspaceDeleted, { workspace: "demo" }));
  expect(decision).toMatchObject({ announce: [{ type: "io.openpitrix.workspace.cleared" }] });
});
