import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Laptop } from "../../knative/local/laptop.ts";
import { RepoSyncRequested } from "../../shared/events/repo.ts";
import { apiVersionOf, subjectOf } from "../../shared/resource.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { ANNOTATION } from "../../shared/resources/labels.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { newEvent } from "../support/objects.ts";
import { until } from "../support/until.ts";
import { haveRealData, readRealTable } from "./real-data.ts";
import { serveRealIndexes } from "./serve-indexes.ts";

const KINDS = [HelmRepo, HelmApplication, HelmApplicationVersion] as const;

describe.runIf(haveRealData)("a store of real repositories", () => {
  const rows = readRealTable("name").filter((row) => row["charts"]);
  let laptop: Laptop;
  let server: Awaited<ReturnType<typeof serveRealIndexes>>;
  beforeAll(async () => {
    laptop = await startTestLaptop();
    server = await serveRealIndexes();
  });
  afterAll(async () => {
    await laptop?.close();
    await server?.[Symbol.asyncDispose]();
  });

  /** Every object with the version that the API server gave its last write. */
  async function writes(): Promise<ReadonlyMap<string, string | undefined>> {
    const lists = await Promise.all(
      KINDS.map(async (kind) =>
        (await laptop.kube.list(kind)).map(
          ({ metadata }) => [subjectOf(kind, metadata), metadata.resourceVersion] as const,
        ),
      ),
    );
    return new Map(lists.flat());
  }

  async function synced(name: string, times: number): Promise<HelmRepo> {
    return until(`${name} is synced ${times} times`, async () => {
      const repo = await laptop.kube.get(HelmRepo, name);
      const told = laptop.published().filter(({ type, data }) => {
        return type === "io.openpitrix.repo.synced" && (data as { repo: string }).repo === name;
      });
      return repo?.status?.state === "successful" && told.length >= times ? repo : undefined;
    });
  }

  test.each(rows.map((row) => [row["name"] ?? "", row] as const))(
    "%s: counts as the data page says, and the second sync writes nothing",
    { timeout: 120_000 },
    async (name, row) => {
      const repoName = `repo-${name}`;
      const spec = { name, url: `${server.url}/${name}` };
      const object = { apiVersion: apiVersionOf(HelmRepo), kind: HelmRepo.kind, metadata: { name: repoName }, spec };
      await laptop.kube.create(HelmRepo, object, "test");
      const repo = await synced(repoName, 1);
      await laptop.settled();
      const duplicates = Number(row["duplicate name+version"]);
      expect(repo.status).toMatchObject({
        totalCharts: Number(row["charts"]),
        totalChartVersions: Number(row["versions"]) - duplicates,
        droppedEntries: duplicates,
      });
      const reasons = (repo.status?.problems ?? []).map(({ reason }) => reason);
      expect(reasons).toEqual(Array.from({ length: duplicates }, () => "DuplicateVersion"));
      const before = await writes();
      await laptop.publish(newEvent(RepoSyncRequested, { repo: repoName, reason: "requested", force: true }));
      await synced(repoName, 2);
      await laptop.settled();
      expect(await writes()).toEqual(before);
    },
  );

  test("a sync that somebody asks for by annotation is one write, and a look at all charts none but that", async () => {
    const name = "repo-grafana";
    const before = await writes();
    const repo = await laptop.kube.get(HelmRepo, name);
    const metadata = { name, annotations: { [ANNOTATION.requestedAt]: "now" } };
    const request = { apiVersion: apiVersionOf(HelmRepo), kind: HelmRepo.kind, metadata };
    await laptop.kube.apply(HelmRepo, request, "test");
    await synced(name, 3);
    await laptop.settled();
    expect(await changed(before)).toEqual([`helmrepos/${name}`]);
    const edited = { ...request, metadata: { name }, spec: { ...repo?.spec, version: 1 } };
    await laptop.kube.apply(HelmRepo, edited as HelmRepo, "test");
    const again = await until("the edit is acted on", async () => {
      const found = await laptop.kube.get(HelmRepo, name);
      return found?.status?.version === 1 && !found.status.sync ? found : undefined;
    });
    await laptop.settled();
    expect(again.status?.syncState?.map(({ state }) => state)).toEqual(["successful", "successful", "successful"]);
    expect(await changed(before)).toEqual([`helmrepos/${name}`]);
  });

  async function changed(before: ReadonlyMap<string, string | undefined>): Promise<readonly string[]> {
    return [...(await writes())]
      .filter(([subject, version]) => before.get(subject) !== version)
      .map(([subject]) => subject);
  }
});
