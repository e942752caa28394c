import { afterEach, beforeEach, expect, test } from "vitest";
import type { Laptop } from "../../knative/local/laptop.ts";
import { appId, versionId } from "../../shared/charts/ids.ts";
import { findCondition } from "../../shared/conditions.ts";
import { RepoSyncRequested } from "../../shared/events/repo.ts";
import { apiVersionOf, type KubeObject, type ResourceDefinition } from "../../shared/resource.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRelease } from "../../shared/resources/helm-release.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { HelmRequest } from "../../shared/resources/helm-request.ts";
import { ANNOTATION, LABEL } from "../../shared/resources/labels.ts";
import { type IndexServer, serveIndex } from "../support/index-server.ts";
import { indexText } from "../support/index-text.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { newEvent } from "../support/objects.ts";
import { until } from "../support/until.ts";

let laptop: Laptop;
let server: IndexServer;

const WEB = appId({ repo: "repo" }, "web");
const OLD = "ab".repeat(32);
const NEW = "cd".repeat(32);
const idOf = (version: string) => versionId(WEB, version);

beforeEach(async () => {
  laptop = await startTestLaptop();
});
afterEach(async () => {
  await laptop?.close();
  await server?.[Symbol.asyncDispose]();
});

function create(kind: ResourceDefinition, name: string, spec: object): Promise<KubeObject> {
  const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name }, spec };
  return laptop.kube.create(kind, object as KubeObject, "test");
}

async function addRepository(text: string, spec: object = {}): Promise<void> {
  server = await serveIndex(text);
  await create(HelmRepo, "repo", { name: "repo", url: server.url, versionHistoryLimit: 2, ...spec });
  await synced(1);
}

/** The repository once it was told so many times that it is synced. */
async function synced(times: number): Promise<HelmRepo> {
  const repo = await until(`the repository is synced ${times} times`, async () => {
    const told = laptop.published().filter(({ type }) => type === "io.openpitrix.repo.synced");
    const found = await laptop.kube.get(HelmRepo, "repo");
    return told.length >= times && found?.status?.state === "successful" ? found : undefined;
  });
  await laptop.settled();
  return repo;
}

async function sync(times: number): Promise<HelmRepo> {
  await laptop.publish(newEvent(RepoSyncRequested, { repo: "repo", reason: "requested", force: true }));
  return synced(times);
}

const version = (number: string) => laptop.kube.get(HelmApplicationVersion, idOf(number));
const told = (type: string) => laptop.published().filter((event) => event.type === `io.openpitrix.${type}`);

test("an index that has not changed is not sent again, and one that has is compared with what is known", async () => {
  await addRepository(indexText({ web: ["1.0.0"], db: ["1.0.0"] }));
  await sync(2);
  expect(server.counts()).toEqual({ sent: 1, notModified: 1 });
  server.publish(indexText({ web: ["1.0.0", "1.1.0"], db: ["1.0.0"] }));
  const repo = await sync(3);
  expect(repo.status).toMatchObject({ totalCharts: 2, totalChartVersions: 3 });
  expect(told("repo.chart.changed").map(({ data }) => data)).toMatchObject([
    { chart: "db", added: ["1.0.0"] },
    { chart: "web", added: ["1.0.0"] },
    { chart: "web", added: ["1.1.0"] },
  ]);
  expect((await laptop.kube.get(HelmApplication, WEB))?.status?.latestVersion).toBe("1.1.0");
});

test("a version that is published again is held until a person accepts the new digest", async () => {
  await addRepository(indexText({ web: [{ version: "1.0.0", digest: OLD }] }));
  server.publish(indexText({ web: [{ version: "1.0.0", digest: NEW }] }));
  const repo = await sync(2);
  expect(repo.status?.quarantinedVersions).toBe(1);
  expect(findCondition(repo.status?.conditions, "Ready")?.message).toContain("1 in quarantine");
  expect(await version("1.0.0")).toMatchObject({ spec: { digest: OLD }, status: { state: "active" } });
  expect(told("repo.version.quarantined").map(({ data }) => data)).toMatchObject([{ digest: OLD, offered: NEW }]);
  const annotations = { [ANNOTATION.acceptDigest]: NEW };
  const decision = {
    apiVersion: apiVersionOf(HelmRepo),
    kind: "HelmApplicationVersion",
    metadata: { name: idOf("1.0.0"), annotations },
  };
  await laptop.kube.apply(HelmApplicationVersion, decision, "person");
  const accepted = await until("the new digest is taken", async () => {
    const found = await version("1.0.0");
    return found?.spec.digest === NEW ? found : undefined;
  });
  expect(accepted.metadata.labels).not.toHaveProperty([LABEL.indexState]);
  expect(accepted.metadata.annotations ?? {}).not.toHaveProperty([ANNOTATION.acceptDigest]);
  const after = await until("nothing is in quarantine", async () => {
    const found = await laptop.kube.get(HelmRepo, "repo");
    return found?.status?.quarantinedVersions === 0 ? found : undefined;
  });
  expect(findCondition(after.status?.conditions, "Ready")?.status).toBe("True");
});

test("an older version becomes an object when it is asked for, and what a release uses outlives its withdrawal", async () => {
  await addRepository(indexText({ web: ["1.0.0", "1.1.0", "1.2.0"], db: ["1.0.0"] }));
  expect(await version("1.0.0")).toBeUndefined();
  await create(HelmRequest, "web", { name: "web", appVerId: idOf("1.0.0"), namespace: "default" });
  await until("the release is made", async () => (await laptop.kube.list(HelmRelease)).length === 1);
  const older = await until("the version is an object", () => version("1.0.0"));
  expect(older.metadata.labels?.[LABEL.indexState]).toBe("older");
  server.publish(indexText({ web: ["1.1.0"], db: ["1.0.0"] }));
  const repo = await sync(2);
  expect(repo.status).toMatchObject({ withdrawnVersions: 1, olderVersions: 0 });
  const left = await version("1.0.0");
  expect(left?.status?.state).toBe("suspended");
  expect(findCondition(left?.status?.conditions, "Withdrawn")?.status).toBe("True");
  expect(await version("1.2.0")).toBeUndefined();
  for (const release of await laptop.kube.list(HelmRelease)) {
    await laptop.kube.replace(HelmRelease, { ...release, metadata: { ...release.metadata, finalizers: [] } }, "test");
    await laptop.kube.remove(HelmRelease, release);
  }
  await until("the release is gone", async () => (await laptop.kube.list(HelmRelease)).length === 0);
  await sync(3);
  await until("the version that nobody uses goes", async () => (await version("1.0.0")) === undefined);
});

test("an index that lost everything is believed only when it comes again", async () => {
  await addRepository(indexText({ web: ["1.0.0"], db: ["1.0.0"] }));
  server.publish(indexText({}));
  await laptop.publish(newEvent(RepoSyncRequested, { repo: "repo", reason: "requested", force: true }));
  const failed = await until("the sync fails", async () => {
    const found = await laptop.kube.get(HelmRepo, "repo");
    return found?.status?.state === "failed" ? found : undefined;
  });
  expect(findCondition(failed.status?.conditions, "Ready")).toMatchObject({ status: "False", reason: "SuspectIndex" });
  expect(await laptop.kube.list(HelmApplication)).toHaveLength(2);
  const repo = await sync(2);
  expect(repo.status).toMatchObject({ state: "successful", totalCharts: 0 });
  expect(await laptop.kube.list(HelmApplication)).toEqual([]);
});

test("credentials in a spec move into a Secret, and the repository is synced with them, once", async () => {
  await addRepository(indexText({ web: ["1.0.0"] }), { credential: { username: "ann", password: "hidden" } });
  const repo = await laptop.kube.get(HelmRepo, "repo");
  expect(JSON.stringify(repo)).not.toContain("hidden");
  expect(repo?.spec.secretRef).toEqual({ name: "repo-credentials", namespace: "openpitrix" });
  expect(findCondition(repo?.status?.conditions, "CredentialsMoved")?.status).toBe("True");
  const secret = await laptop.kube.get(Secret, { name: "repo-credentials", namespace: "openpitrix" });
  expect(secret?.data).toEqual({ username: "YW5u", password: "aGlkZGVu" });
  expect(repo?.status?.syncState).toHaveLength(1);
  expect(repo?.status?.observedGeneration).toBe(repo?.metadata.generation);
  expect(server.counts().sent).toBe(1);
});
