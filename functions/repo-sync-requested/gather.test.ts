import { expect, it } from "vitest";
import { Failure } from "../../shared/errors.ts";
import { RepoSyncRequested } from "../../shared/events/repo.ts";
import type { FetchedIndex } from "../../shared/ports.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { given, happened, NOW } from "../../test/support/objects.ts";
import { gather, type SyncPorts } from "./gather.ts";

const event = happened(RepoSyncRequested, { repo: "repo-1", reason: "new" });
const repo = given(HelmRepo, "repo-1", { spec: { name: "charts", url: "https://charts.example.com" } });
const down = async () => {
  throw new Failure("Unavailable", "it is down");
};

function ports(fetchIndex: () => Promise<FetchedIndex>): SyncPorts {
  return {
    kube: { get: async () => repo as never, list: down },
    blobs: { get: down, put: down },
    charts: { fetchIndex, fetchPackage: down, readArchive: down },
    clock: { now: () => NOW },
  };
}

const index = (text: string) => async () => ({
  changed: true as const,
  chunks: ReadableStream.from([Buffer.from(text)]),
});

it("blames the repository for what keeps its index from being fetched or read", async () => {
  expect(await gather(event, ports(down))).toMatchObject({ plan: "failed", problem: { reason: "FetchFailed" } });
  expect(await gather(event, ports(index("")))).toMatchObject({ plan: "failed", problem: { reason: "EmptyIndex" } });
});

it("tries again when the cluster or the object store is down, without blaming the repository", async () => {
  const synced = ports(index("apiVersion: v1\nentries: {}\n"));
  await expect(gather(event, synced)).rejects.toThrow("it is down");
});
