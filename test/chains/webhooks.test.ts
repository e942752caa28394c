import { afterAll, beforeAll, expect, test } from "vitest";
import type { Laptop } from "../../knative/local/laptop.ts";
import { RepoSynced } from "../../shared/events/repo.ts";
import { WebhookReceived } from "../../shared/events/webhook.ts";
import { SYSTEM_NAMESPACE } from "../../shared/origin.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import { type ProtocolRegistry, protocolRegistry } from "../contracts/registry/protocol-registry.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { startRegistry } from "../support/registry.ts";
import { openStreams } from "../support/stream.ts";
import { until } from "../support/until.ts";
import { create } from "./story.ts";

const TOKEN = "a token that only the producer knows";

let laptop: Laptop;
beforeAll(async () => {
  laptop = await startTestLaptop();
});
afterAll(() => laptop?.close());

/** A repository that its registry may tell of pushes, synced once. */
async function addRepository(name: string, url: string, type: "harbor" | "distribution"): Promise<void> {
  const secretRef = { name: `${name}-hook` };
  const metadata = { ...secretRef, namespace: SYSTEM_NAMESPACE };
  const secret = { apiVersion: "v1", kind: "Secret", metadata, data: { token: btoa(TOKEN) } };
  await laptop.kube.create(Secret, secret, "test");
  const spec = { name, url, syncPeriod: 0, receivers: [{ name: "hook", type, secretRef }] };
  await create(laptop, HelmRepo, { name, spec });
  await until(`${name} is synced`, async () => (await statusOf(name))?.state === "successful", {
    found: () => statusOf(name),
  });
  await laptop.settled();
}

async function statusOf(repo: string) {
  return (await laptop.kube.get(HelmRepo, repo))?.status;
}

async function offered(repo: string): Promise<readonly string[]> {
  const versions = await laptop.kube.list(HelmApplicationVersion, { labels: { [LABEL.repoId]: repo } });
  return versions.map(({ spec }) => `${spec.name} ${spec.version}`).sort();
}

async function untilOffered(repo: string, expected: readonly string[]): Promise<void> {
  const done = async () => (await offered(repo)).join() === expected.join();
  await until(`${repo} offers ${expected.join(", ")}`, done, { found: () => offered(repo) });
  await laptop.settled();
}

function hookOf(repo: string): string {
  return `${laptop.httpUrls["webhook-intake"]}/hooks/${repo}/hook`;
}

/** Harbor tells of one artifact. */
async function harborTells(repo: string, registry: ProtocolRegistry, what: Artifact): Promise<void> {
  await deliver(repo, harborPayload(registry, what));
}

interface Artifact {
  readonly type: "PUSH_ARTIFACT" | "DELETE_ARTIFACT";
  readonly name: string;
  readonly tag: string;
}

function harborPayload(registry: ProtocolRegistry, { type, name, tag }: Artifact): string {
  const resources = [
    { tag, digest: `sha256:${"ab".repeat(32)}`, resource_url: `${registry.host}/apps/${name}:${tag}` },
  ];
  const repository = { name, namespace: "apps", repo_full_name: `apps/${name}`, repo_type: "private" };
  const event_data = { resources, repository };
  return JSON.stringify({ type, occur_at: Math.floor(Date.now() / 1000), operator: "ci", event_data });
}

async function deliver(repo: string, body: string): Promise<void> {
  const headers = { "content-type": "application/json", authorization: TOKEN };
  const answer = await fetch(hookOf(repo), { method: "POST", headers, body });
  expect([answer.status, await answer.text()]).toEqual([202, ""]);
}

test("what Harbor tells of is read at once, alone, and only in its own repository", async () => {
  const [harbor, other] = [await protocolRegistry(), await protocolRegistry()];
  for (const registry of [harbor, other]) registry.push({ repository: "apps/web", tag: "1.0.0" });
  await addRepository("harbor", `oci://${harbor.host}/apps`, "harbor");
  await addRepository("other", `oci://${other.host}/apps`, "harbor");
  for (const registry of [harbor, other]) {
    registry.push({ repository: "apps/web", tag: "1.1.0" });
    registry.push({ repository: "apps/db", tag: "2.0.0" });
    registry.asked();
  }
  await harborTells("harbor", harbor, { type: "PUSH_ARTIFACT", name: "web", tag: "1.1.0" });
  await untilOffered("harbor", ["web 1.0.0", "web 1.1.0"]);
  expect(harbor.asked().map((call) => call.replace(/sha256:\w+/, "…"))).toEqual([
    "GET /v2/apps/web/manifests/1.1.0",
    "GET /v2/apps/web/blobs/…",
  ]);
  expect(other.asked()).toEqual([]);
  // The second repository's receiver is told of the first one's registry: proven, but none of its business.
  await harborTells("other", harbor, { type: "PUSH_ARTIFACT", name: "web", tag: "1.1.0" });
  await laptop.settled();
  expect([other.asked(), await offered("other")]).toEqual([[], ["web 1.0.0"]]);
  harbor.remove("apps/web", "1.0.0");
  await harborTells("harbor", harbor, { type: "DELETE_ARTIFACT", name: "web", tag: "1.0.0" });
  await untilOffered("harbor", ["web 1.1.0"]);
});

test("a delivery that is made again is in the stream once", async () => {
  const registry = await protocolRegistry();
  registry.push({ repository: "apps/web", tag: "1.0.0" });
  await addRepository("replayed", `oci://${registry.host}/apps`, "harbor");
  const body = harborPayload(registry, { type: "PUSH_ARTIFACT", name: "web", tag: "1.0.0" });
  for (let times = 0; times < 3; times++) await deliver("replayed", body);
  await using streams = await openStreams(laptop.natsUrl);
  const stored = (await streams.events()).filter(({ data }) => isAbout(data, "replayed"));
  expect(stored.filter(({ type }) => type === WebhookReceived.type)).toHaveLength(1);
});

test("of pushes that are told of at once, none is lost", async () => {
  const registry = await protocolRegistry();
  registry.push({ repository: "apps/web", tag: "1.0.0" });
  await addRepository("burst", `oci://${registry.host}/apps`, "harbor");
  const names = Array.from({ length: 12 }, (_, index) => `app${String(index).padStart(2, "0")}`);
  for (const name of names) registry.push({ repository: `apps/${name}`, tag: "1.0.0" });
  const before = laptop.published().length;
  await Promise.all(names.map((name) => harborTells("burst", registry, { type: "PUSH_ARTIFACT", name, tag: "1.0.0" })));
  await untilOffered(
    "burst",
    [...names, "web"].map((name) => `${name} 1.0.0`),
  );
  const began = laptop
    .published()
    .slice(before)
    .filter(({ type, data }) => type === RepoSynced.type && isAbout(data, "burst"));
  expect(began.length).toBeLessThan(names.length);
});

test("what helm pushes to a real registry that sends notifications appears by itself", async () => {
  const headers = { Authorization: [`Bearer ${TOKEN}`] };
  await using registry = await startRegistry({ notify: { url: hookOf("notified"), headers } });
  await registry.push("apps", [{ chart: "hello-web", version: "1.0.0" }]);
  await addRepository("notified", `oci://${registry.host}/apps`, "distribution");
  await registry.push("apps", [
    { chart: "hello-web", version: "1.1.0" },
    { chart: "clock", version: "0.3.0" },
  ]);
  await untilOffered("notified", ["clock 0.3.0", "hello-web 1.0.0", "hello-web 1.1.0"]);
  const told = laptop
    .published()
    .filter(({ type, data }) => type === WebhookReceived.type && isAbout(data, "notified"));
  // What it told before its receiver existed was refused, and comes again: registries keep it until it is taken.
  for (const [chart, version] of [
    ["hello-web", "1.1.0"],
    ["clock", "0.3.0"],
  ]) {
    const expected = { producer: "distribution", chart, version, verifiedBy: "token" };
    expect(told.map(({ data }) => data)).toContainEqual(expect.objectContaining(expected));
  }
});

function isAbout(data: unknown, repo: string): boolean {
  return typeof data === "object" && data !== null && "repo" in data && data.repo === repo;
}
