import { connect, headers } from "nats";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Laptop } from "../../knative/local/laptop.ts";
import { runCommand } from "../../knative/local/tools/run-command.ts";
import { createNatsBlobs } from "../../shared/adapters/nats-blobs.ts";
import { appId, versionId } from "../../shared/charts/ids.ts";
import { AppEdited } from "../../shared/events/app.ts";
import { StorageSweepTick, StorageSwept } from "../../shared/events/storage.ts";
import { WorkspaceCleared, WorkspaceDeleted } from "../../shared/events/workspace.ts";
import { apiVersionOf, type KubeObject, type ResourceDefinition } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { pack } from "../support/archives.ts";
import { binary } from "../support/binaries.ts";
import { type DemoCharts, startDemoCharts } from "../support/charts.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { newEvent } from "../support/objects.ts";
import { until } from "../support/until.ts";
import { tell, VERSION } from "./story.ts";

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

const kubectl = (...args: readonly string[]) =>
  runCommand(binary("kubectl"), ["--kubeconfig", laptop.kubeconfigPath, ...args]);

const APP = appId({ workspace: "demo" }, "guestbook");
const DRAFT = appId({ workspace: "demo" }, "unready");
const FINALIZERS = { repo: "helmrepo", app: "helmapplication", category: "helmcategories" };

async function make(kind: ResourceDefinition, wish: { name: string; metadata?: object; spec: object }) {
  const { name, metadata = {}, spec } = wish;
  const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name, ...metadata }, spec };
  return laptop.kube.create(kind, object as unknown as KubeObject, "test");
}

const find = (kind: ResourceDefinition, name: string) => laptop.kube.get(kind, name);
const total = async (category: string) => (await laptop.kube.get(HelmCategory, category))?.status?.total;

async function publishGuestbook(): Promise<void> {
  const story = tell(laptop, charts);
  await story.upload();
  for (const act of [story.submit, story.approve, story.release]) await act();
  await until("it is in the store", async () => (await find(HelmApplication, `${APP}-store`)) !== undefined);
}

test("an application counts where kubectl puts it, and all that waits for the store's finalizer goes", async () => {
  await make(HelmCategory, { name: "ctg-1", spec: { name: "Web" } });
  await publishGuestbook();
  await until("it is counted", async () => (await total("ctg-uncategorized")) === 1);
  await kubectl("label", "happ", `${APP}-store`, "application.kubesphere.io/app-category-id=ctg-1", "--overwrite");
  await until(
    "it is counted anew",
    async () => (await total("ctg-1")) === 1 && (await total("ctg-uncategorized")) === 0,
  );

  const held = (name: string) => ({ finalizers: [`${name}.application.kubesphere.io`] });
  await kubectl(
    "patch",
    "hctg",
    "ctg-1",
    "--type=merge",
    "-p",
    JSON.stringify({ metadata: held(FINALIZERS.category) }),
  );
  await kubectl("delete", "hctg", "ctg-1", "--wait=false");
  await make(HelmRepo, {
    name: "repo-old",
    metadata: held(FINALIZERS.repo),
    spec: { name: "old", url: "https://x.invalid" },
  });
  await make(HelmApplication, { name: "app-old", metadata: held(FINALIZERS.app), spec: { name: "old" } });
  await kubectl("delete", "hrepo/repo-old", "happ/app-old", "hctg/ctg-uncategorized", "--timeout=30s");
  await until(
    "the one for all without is there again",
    async () => (await find(HelmCategory, "ctg-uncategorized")) !== undefined,
  );
  expect((await find(HelmCategory, "ctg-1"))?.metadata.deletionTimestamp, "it owns an application").toBeDefined();
  await laptop.publish(newEvent(AppEdited, { app: `${APP}-store`, category: "" }));
  await until("its last application has left it", async () => (await find(HelmCategory, "ctg-1")) === undefined);
  await until("it is counted where it went", async () => (await total("ctg-uncategorized")) === 1);
});

test("a workspace that is deleted leaves what is published, and nothing that a new one of its name inherits", async () => {
  const draft = pack({ path: "unready/Chart.yaml", body: "apiVersion: v2\nname: unready\nversion: 0.1.0\n" });
  await fetch(`${laptop.uploadsUrl}?workspace=demo&filename=unready.tgz`, { method: "POST", body: draft });
  await make(HelmRepo, {
    name: "repo-1",
    metadata: { labels: { "kubesphere.io/workspace": "demo" } },
    spec: { name: "mine", url: charts.repositoryUrl, syncPeriod: 0 },
  });
  await until(
    "the draft is there",
    async () => (await find(HelmApplicationVersion, versionId(DRAFT, "0.1.0"))) !== undefined,
  );
  await until("the repository is synced", async () => {
    return (await laptop.kube.get(HelmRepo, "repo-1"))?.status?.state === "successful";
  });
  await laptop.publish(newEvent(WorkspaceDeleted, { workspace: "demo" }));
  await until("it is cleared", () => laptop.published().some(({ type }) => type === WorkspaceCleared.type));
  await until("the draft is gone", async () => (await find(HelmApplication, DRAFT)) === undefined);
  await laptop.settled();
  expect(await find(HelmRepo, "repo-1")).toBeUndefined();
  const left = await laptop.kube.list(HelmApplication);
  expect(left.map(({ metadata }) => metadata.name).sort()).toEqual([APP, `${APP}-store`]);
  const version = await laptop.kube.get(HelmApplicationVersion, VERSION);
  expect(version?.status?.state).toBe("active");
  for (const each of [...left, version]) {
    expect(JSON.stringify(each?.metadata.labels), each?.metadata.name).not.toContain('"demo"');
  }
});

/** Makes a blob look as if it had been stored that many days ago. */
async function age(bucket: string, key: string, days: number): Promise<void> {
  const connection = await connect({ servers: laptop.natsUrl });
  const encoded = Buffer.from(key).toString("base64").replaceAll("+", "-").replaceAll("/", "_");
  const subject = `$O.openpitrix-${bucket}.M.${encoded}`;
  const manager = await connection.jetstreamManager();
  const { data } = await manager.streams.getMessage(`OBJ_openpitrix-${bucket}`, { last_by_subj: subject });
  const meta = {
    ...JSON.parse(Buffer.from(data).toString()),
    mtime: new Date(Date.now() - days * 86_400_000).toISOString(),
  };
  const rollup = headers();
  rollup.set("Nats-Rollup", "sub");
  await connection.jetstream().publish(subject, JSON.stringify(meta), { headers: rollup });
  await connection.close();
}

test("a sweep gives up what is old and unnamed, keeps what is young or named, and says what it did", async () => {
  const connection = await connect({ servers: laptop.natsUrl });
  const blobs = createNatsBlobs(connection);
  for (const key of ["att-old", "att-young"]) await blobs.put("attachments", key, new Uint8Array([1, 2, 3]));
  const digest = (await laptop.kube.get(HelmApplicationVersion, VERSION))?.spec.digest ?? "";
  await age("attachments", "att-old", 9);
  await age("packages", digest, 99);
  await age("uploads", digest, 9);
  const swept = () => laptop.published().filter(({ type }) => type === StorageSwept.type);
  await laptop.publish(newEvent(StorageSweepTick, { dryRun: true }));
  await until("it is told what would be given up", () => swept().length === 1);
  expect(await blobs.get("attachments", "att-old", 10)).toBeDefined();
  await laptop.publish(newEvent(StorageSweepTick, {}));
  await until("it is told", () => swept().length === 2);
  const gone = { uploads: { objects: 1 }, packages: { objects: 0 }, attachments: { objects: 1, bytes: 3 } };
  expect(swept().map(({ data }) => data)).toMatchObject([
    { dryRun: true, ...gone },
    { dryRun: false, ...gone },
  ]);
  await until("the old one is gone", async () => (await blobs.get("attachments", "att-old", 10)) === undefined);
  expect(await blobs.get("attachments", "att-young", 10)).toBeDefined();
  expect(await blobs.get("packages", digest, 1_000_000)).toBeDefined();
  await connection.close();
});
