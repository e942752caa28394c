import { gzipSync } from "node:zlib";
import { generate } from "selfsigned";
import { afterAll, beforeAll, expect, test } from "vitest";
import { localEnvironment } from "../../knative/local/config.ts";
import type { Laptop } from "../../knative/local/laptop.ts";
import { findCondition } from "../../shared/conditions.ts";
import { RepoSyncFailed } from "../../shared/events/repo.ts";
import { SYSTEM_NAMESPACE } from "../../shared/origin.ts";
import { apiVersionOf, type KubeObject, type ResourceDefinition } from "../../shared/resource.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { drip, type HostileServer, hostile, lying, startHostile } from "../contracts/charts-port/hostile-server.ts";
import { type NameProxy, startNameProxy } from "../contracts/charts-port/name-proxy.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { until } from "../support/until.ts";

/** A repository that is fetched and read well. */
const INDEX = "apiVersion: v1\nentries:\n  web:\n  - name: web\n    version: 1.0.0\n    urls: [web-1.0.0.tgz]\n";

/** Longest that any of them may take to be told of; the store gives a silent server 20 s. */
const TIME_LIMIT_MS = 40_000;
const MEMORY_LIMIT_MIB = 256;

/** Servers that send a few bytes now and then, all at once. */
const DRIPPING = 10;

let laptop: Laptop;
let inside: HostileServer;
let outside: HostileServer;
let proxy: NameProxy;

/** `http://charts.example` is a repository outside that leads to one inside. */
beforeAll(async () => {
  inside = await startHostile((_, response) => response.end(INDEX));
  outside = await startHostile((_, response) => response.writeHead(302, { location: inside.url }).end());
  proxy = await startNameProxy(outside.port);
  const { KUBECONFIG: _, ...environment } = localEnvironment();
  laptop = await startTestLaptop({
    environment: { ...environment, HTTP_PROXY: proxy.url, HTTPS_PROXY: "", NO_PROXY: "" },
  });
});
afterAll(async () => {
  await laptop?.close();
  for (const each of [inside, outside, proxy]) await each?.[Symbol.asyncDispose]();
});

/** Where a repository is, and what the Secret holds that it names. */
interface Source {
  readonly url: string;
  readonly secret?: Readonly<Record<string, string>>;
}

/** A server that sends this text compressed. */
function compressed(text: string | Buffer): Promise<Source> {
  const bytes = gzipSync(text, { level: 1 });
  return hostile((_, response) => response.setHeader("content-encoding", "gzip").end(bytes));
}

function endless(headers: Record<string, string>): Promise<Source> {
  const chunk = Buffer.from("# nothing\n".repeat(6_400));
  return hostile((_, response) => {
    response.writeHead(200, headers);
    const more = () => {
      if (!response.destroyed) response.write(chunk, (error) => error ?? setImmediate(more));
    };
    more();
  });
}

/** A server whose certificate is good for another name, and the authority that vouches for it. */
async function misnamed(): Promise<Source> {
  const extensions = [{ name: "subjectAltName" as const, altNames: [{ type: 7 as const, ip: "192.0.2.1" }] }];
  const tls = await generate([{ name: "commonName", value: "charts" }], { extensions });
  const { url } = await hostile((_, response) => response.end(INDEX), { key: tls.private, cert: tls.cert });
  return { url, secret: { "ca.crt": tls.cert } };
}

function redirecting(location: string): () => Promise<Source> {
  return () => hostile((_, response) => response.writeHead(302, { location }).end());
}

const ALIASES = `apiVersion: v1\nx: &a [1]\nentries:\n  web:\n${"  - *a\n".repeat(20_000)}`;
const NESTING = "[".repeat(1_000_000);

/** What a server may do to whoever fetches from it, and what the repository says then. */
const HOSTILE: readonly (readonly [string, () => Promise<Source>, RegExp])[] = [
  ["an endless body", () => endless({}), /more than 67108864 bytes, the limit/],
  [
    "an endless body that says so",
    () => endless({ "content-length": "9999999999" }),
    /announces 9999999999 bytes, more/,
  ],
  ["a redirect loop", redirecting("/"), /more than 5 redirects, the last to 127/],
  [
    "a redirect to metadata",
    redirecting("http://169.254.169.254/latest"),
    /169\.254\.169\.254 is a link-local or metadata/,
  ],
  [
    "a redirect to loopback",
    async () => ({ url: "http://charts.example" }),
    /charts\.example\/index\.yaml is redirected: .*127\.0\.0\.1 is a loopback address.*allowedHosts/,
  ],
  ["a body longer than announced", () => lying(10, INDEX), /of 10 announced bytes \(the server sent bytes beyond/],
  ["a body shorter than announced", () => lying(10_000, INDEX), /the body broke off after 90 of 10000 announced bytes/],
  ["a certificate for another name", misnamed, /TLS: .*ERR_TLS_CERT_ALTNAME_INVALID.*correct its URL/],
  ["20,000 aliases", () => compressed(ALIASES), /aliases/],
  ["a million brackets", () => compressed(NESTING), /nesting/],
  ["100 MB of nesting", () => compressed(Buffer.alloc(100_000_000, "[")), /more than 67108864 bytes, the limit/],
  ["a gzip bomb", () => compressed(Buffer.alloc(1_000_000_000)), /more than 67108864 bytes, the limit/],
];

test.each(HOSTILE)("%s ends in a condition that names the cause", async (_, serve, cause) => {
  const source = await serve();
  const memory = watchMemory();
  await expectFailed(await addRepository(source), cause);
  expect(memory.grownMiB()).toBeLessThan(MEMORY_LIMIT_MIB);
});

test("slow servers are given up, and delay no fast one meanwhile", async () => {
  const drips = await Promise.all(Array.from({ length: DRIPPING }, () => hostile(drip(250))));
  const silent = await hostile(() => undefined);
  const slow = [...drips, silent];
  const names = await Promise.all(slow.map(addRepository));
  await until("all slow ones are being asked", () => slow.every(({ requests }) => requests.length > 0));
  const fast = await hostile((_, response) => response.end(INDEX));
  const begun = performance.now();
  const fastName = await addRepository(fast);
  const ready = await until("the fast one is synced", () => readyOf(fastName));
  expect(ready).toMatchObject({ status: "True" });
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(await laptop.kube.list(HelmApplication)).toHaveLength(1);
  for (const name of names.slice(0, DRIPPING))
    await expectFailed(name, /sent \d+ bytes in 2\d{4} ms, at least 8192 are expected/);
  await expectFailed(names[DRIPPING] ?? "", /silent for 20000 ms, the limit/);
}, 60_000);

test("a redirect to loopback was never followed", () => {
  expect(proxy.asked).toContain("GET http://charts.example/index.yaml");
  expect(inside.requests).toEqual([]);
});

/** Waits until the repository says why it could not be synced, in its status and in an event. */
async function expectFailed(name: string, cause: RegExp): Promise<void> {
  const found = () => laptop.kube.get(HelmRepo, name);
  const ready = await until("the first sync has ended", () => readyOf(name), { timeoutMs: TIME_LIMIT_MS, found });
  expect(ready).toMatchObject({ status: "False" });
  expect(ready.message).toMatch(cause);
  const failed = () => laptop.published().some(({ type, data }) => type === RepoSyncFailed.type && isAbout(data, name));
  await until("the failure is announced", failed);
}

let repositories = 0;

async function addRepository({ url, secret }: Source): Promise<string> {
  const name = `hostile-${++repositories}`;
  const secretRef = secret ? { secretRef: { name } } : {};
  const data = Object.entries(secret ?? {}).map(([key, text]) => [key, Buffer.from(text).toString("base64")]);
  const metadata = { name, namespace: SYSTEM_NAMESPACE };
  if (secret) await create(Secret, { metadata, data: Object.fromEntries(data) });
  await create(HelmRepo, { metadata: { name }, spec: { name, url, syncPeriod: 0, ...secretRef } });
  return name;
}

async function create(
  kind: ResourceDefinition,
  parts: Pick<KubeObject, "metadata"> & Record<string, unknown>,
): Promise<void> {
  await laptop.kube.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, ...parts }, "test");
}

/** The condition of a repository whose first sync has ended. */
async function readyOf(name: string) {
  const found = await laptop.kube.get(HelmRepo, name);
  return found?.status?.syncState?.length ? findCondition(found.status.conditions, "Ready") : undefined;
}

/** How much more memory this process, the store included, has had since now. */
function watchMemory() {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  return {
    grownMiB() {
      clearInterval(timer);
      return (Math.max(peak, process.memoryUsage.rss()) - before) / 1024 ** 2;
    },
  };
}

function isAbout(data: unknown, repo: string): boolean {
  return typeof data === "object" && data !== null && "repo" in data && data.repo === repo;
}
