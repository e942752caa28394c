import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Laptop } from "../../knative/local/laptop.ts";
import { createLocalLog } from "../../knative/local/local-log.ts";
import { parseIndex } from "../../shared/charts/index-file.ts";
import { RepoChartChanged } from "../../shared/events/repo.ts";
import { apiVersionOf } from "../../shared/resource.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { readRealIndex, readRealTable } from "../real/real-data.ts";
import { type IndexServer, serveIndex } from "../support/index-server.ts";
import { type IndexItem, indexText } from "../support/index-text.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { openStreams } from "../support/stream.ts";
import { until } from "../support/until.ts";
import { snapshot } from "./snapshot.ts";

let server: IndexServer;
let crashes: string;

beforeAll(async () => {
  server = await serveIndex(bigIndex());
  crashes = await mkdtemp(join(tmpdir(), "openpitrix-sync-crashes-"));
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(crashes, { recursive: true, force: true });
});

/** About 20 MB: the real indexes as one, or as many charts and versions that nobody made. */
function bigIndex(): string {
  const names = readRealTable("name").flatMap((row) => (row["charts"] ? [row["name"] ?? ""] : []));
  const real = names.flatMap((name) => parseIndex(readRealIndex(name)).entries);
  const charts = real.map(({ name, versions }) => [name, versions] as const);
  return indexText(Object.fromEntries(charts.length > 0 ? charts : madeUp()));
}

function madeUp(): readonly (readonly [string, readonly IndexItem[]])[] {
  const description = "x".repeat(600);
  const versions = Array.from({ length: 42 }, (_, minor) => ({ version: `1.${minor}.0`, description }));
  return Array.from({ length: 555 }, (_, number) => [`chart-${number}`, versions]);
}

async function synced({ kube, settled }: Laptop): Promise<HelmRepo> {
  const object = {
    apiVersion: apiVersionOf(HelmRepo),
    kind: HelmRepo.kind,
    metadata: { name: "big" },
    spec: { name: "big", url: server.url },
  };
  await kube.create(HelmRepo, object, "test");
  const found = async () => (await kube.get(HelmRepo, "big"))?.status;
  const done = async () => (await found())?.state === "successful";
  await until("the repository is synced", done, { timeoutMs: 200_000, found: async () => (await found())?.conditions });
  await settled({ timeoutMs: 60_000 });
  const repo = await kube.get(HelmRepo, "big");
  if (!repo) throw new Error("the repository is gone");
  return repo;
}

test("killed at every kind of step, the first sync of a big index goes on where it was and ends the same", {
  timeout: 400_000,
}, async () => {
  const entry = join(import.meta.dirname, "dying-sync-function.ts");
  // Every death is meant.
  const log = createLocalLog("silent");
  const calm = await startTestLaptop();
  const laptop = await startTestLaptop({ processes: { entry, env: { CRASHES: crashes } }, log });
  try {
    const expected = await synced(calm);
    expect(expected.status?.totalChartVersions).toBeGreaterThan(20_000);
    const before = server.counts().sent;
    const repo = await synced(laptop);
    expect((await readdir(crashes)).sort()).toEqual([
      "repo-sync-continued.1.gathered",
      "repo-sync-continued.2.amid",
      "repo-sync-continued.3.published",
      "repo-sync-continued.first.amid",
      "repo-sync-continued.first.written",
      "repo-sync-continued.last.amid",
      "repo-sync-continued.last.published",
      "repo-sync-continued.last.written",
      "repo-sync-requested.only.published",
      "repo-sync-requested.only.stored",
      "repo-sync-requested.only.written",
      "repo-sync-started.only.published",
      "repo-sync-started.only.stored",
      "repo-sync-started.only.written",
    ]);
    // A start that dies before its mark is written asks again; no later step does.
    expect(server.counts().sent - before).toBe(2);
    expect(bare(repo)).toEqual(bare(expected));
    expect(await snapshot(laptop)).toEqual(await snapshot(calm));
    await using streams = await openStreams(laptop.natsUrl);
    const events = await streams.events();
    const ids = events.map(({ source, id }) => `${source} ${id}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(events.filter(({ type }) => type === RepoChartChanged.type)).toHaveLength(repo.status?.totalCharts ?? 0);
    expect(await streams.deadLetters()).toBe(0);
  } finally {
    await Promise.all([laptop.close(), calm.close()]);
  }
});

/** What a repository's status says of its index. */
function bare({ status }: HelmRepo) {
  const { indexDigest, totalCharts, totalChartVersions, droppedEntries, problems, state, sync } = status ?? {};
  return { indexDigest, totalCharts, totalChartVersions, droppedEntries, problems, state, sync };
}
