import { describe, expect, it } from "vitest";
import type { Wish } from "../../shared/access-port.ts";
import { parseIndex } from "../../shared/charts/index-file.ts";
import { readManifest } from "../../shared/charts/oci-manifest.ts";
import type { HttpRequest } from "../../shared/http-function.ts";
import { ConfigMap } from "../../shared/resources/core.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import { given, LONG_AGO } from "../../test/support/objects.ts";
import subject from "./function.ts";
import { indexYaml } from "./index-yaml.ts";
import { configOf, manifestOf } from "./oci-content.ts";
import { publishedOn, suspensionOf } from "./published.ts";

type State = NonNullable<NonNullable<HelmApplicationVersion["status"]>["state"]>;

interface Made {
  readonly state?: State;
  readonly version?: string;
  readonly workspace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly time?: string;
}

function made(
  name: string,
  { state = "active", version = "1.0.0", workspace = "demo", labels, time = LONG_AGO }: Made = {},
) {
  return given(HelmApplicationVersion, name, {
    metadata: { creationTimestamp: time, labels: { "kubesphere.io/workspace": workspace, ...labels } },
    spec: { name: "web", version, appVersion: "7", digest: `sha256:${"ab".repeat(32)}`, package: `pkg-${name}` },
    status: { state, audit: [{ state, time, message: "a hole" }] },
  });
}
const names = (versions: readonly HelmApplicationVersion[], workspace?: string) =>
  publishedOn(versions, workspace).map(({ object }) => object.metadata.name);

it("offers what was released, of one workspace or of all, and nothing that follows a repository", () => {
  const versions = [
    made("a", { version: "1.0.0" }),
    made("b", { version: "1.10.0", workspace: "other" }),
    made("c", { version: "1.9.0", state: "passed" }),
    made("d", { version: "2.0.0", labels: { "application.kubesphere.io/repo-id": "repo-1" } }),
  ];
  expect(names(versions)).toEqual(["b", "a"]);
  expect(names(versions, "demo")).toEqual(["a"]);
});

it("lets the one made first have a name and version, unless it is suspended", () => {
  const later = made("a", { time: "2026-05-04T12:00:00Z" });
  expect(names([later, made("b")])).toEqual(["b"]);
  expect(names([later, made("b", { state: "suspended" })])).toEqual(["a"]);
  const [gone] = publishedOn([made("b", { state: "suspended" })], undefined);
  expect(gone && suspensionOf(gone)).toBe("web 1.0.0 is suspended: a hole");
});

it("writes an index that Helm's rules accept, the same bytes for the same versions", () => {
  const index = indexYaml(
    [made("a"), made("b", { version: "1.1.0+x" }), made("c", { state: "suspended", version: "3.0.0" })],
    undefined,
  );
  expect(parseIndex(index.text)).toMatchObject({
    problems: [],
    entries: [
      {
        name: "web",
        versions: [
          { version: "1.1.0+x", appVersion: "7", digest: "ab".repeat(32), urls: ["web-1.1.0+x.tgz"] },
          { version: "1.0.0" },
        ],
      },
    ],
  });
  expect(indexYaml([made("b", { version: "1.1.0+x" }), made("a")], undefined)).toEqual(index);
  expect(indexYaml([made("a")], undefined).etag).not.toBe(index.etag);
});

it("makes the manifest that helm push would have made", () => {
  const [published] = publishedOn([made("a")], undefined);
  if (!published) throw new Error("nothing is published");
  const config = configOf(published);
  const manifest = manifestOf(published, 1234);
  expect(readManifest(Buffer.from(manifest.text))).toMatchObject({
    kind: "chart",
    config: { digest: config.digest, size: config.text.length },
    content: { digest: published.digest, size: 1234 },
  });
  expect(JSON.parse(config.text)).toEqual({ name: "web", version: "1.0.0", appVersion: "7", apiVersion: "v2" });
  expect(manifestOf(published, 1234)).toEqual(manifest);
});

type Ports = Parameters<typeof subject.handle>[1];

/** A store whose list is older than its objects, with what was asked of it. */
function store(
  listed: readonly HelmApplicationVersion[],
  now = listed,
  settings: Readonly<Record<string, string>> = {},
) {
  const asked: string[] = [];
  const found = (kind: { readonly kind: string }, name: string) => {
    if (kind.kind === ConfigMap.kind) return { data: settings };
    if (kind.kind === HelmPackage.kind) return given(HelmPackage, name, { spec: { digest: DIGEST, size: 3 } });
    return now.find(({ metadata }) => metadata.name === name);
  };
  const ports = {
    kube: {
      list: async () => listed,
      get: async (kind: { readonly kind: string }, name: string) => {
        asked.push(kind.kind);
        return found(kind, name);
      },
    },
    blobs: { get: async () => Buffer.from("tgz") },
    access: {
      authenticate: async (token: string) => (token === "mia" ? { name: "mia", groups: [] } : undefined),
      permits: async (_: unknown, { namespace }: Wish) =>
        namespace === "demo" ? { allowed: true } : { allowed: false, message: "no" },
    },
  } as unknown as Ports;
  return { asked, ports };
}
const DIGEST = `sha256:${"ab".repeat(32)}`;

function ask(path: string, { ports }: { readonly ports: Ports }, token?: string) {
  const headers = token === undefined ? {} : { authorization: `Basic ${Buffer.from(`x:${token}`).toString("base64")}` };
  const request = { method: "GET", path, query: new URLSearchParams(), headers, remoteAddress: "127.0.0.1" };
  return subject.handle(request as unknown as HttpRequest, ports);
}

describe("bytes", () => {
  const stale = () => store([made("a")], [made("a", { state: "suspended" })]);

  it("are not given out of a version that was suspended a moment ago, and nobody is to remember that", async () => {
    const gone = await ask("/charts/web-1.0.0.tgz", stale());
    expect(gone).toMatchObject({ status: 410, body: "web 1.0.0 is suspended: a hole\n" });
    expect(gone.headers).toMatchObject({ "cache-control": "no-cache", "x-content-type-options": "nosniff" });
    expect(await ask("/v2/charts/web/manifests/1.0.0", stale())).toMatchObject({ status: 410 });
    expect(await ask(`/v2/charts/web/blobs/${DIGEST}`, stale())).toMatchObject({ status: 404 });
    const [published] = publishedOn([made("a")], undefined);
    if (!published) throw new Error("nothing is published");
    const { digest } = manifestOf(published, 3);
    expect(await ask(`/v2/charts/web/manifests/${digest}`, stale())).toMatchObject({ status: 404 });
    const active = store([made("a")]);
    expect(await ask(`/v2/charts/web/manifests/${digest}`, active)).toMatchObject({ status: 200 });
    expect(await ask(`/v2/charts/web/blobs/${DIGEST}`, active)).toMatchObject({ status: 200 });
    expect(await ask("/charts/web-1.0.0.tgz", active)).toMatchObject({ status: 200 });
  });

  it("of another version than the list says are not given out, nor those of one that is gone", async () => {
    expect(await ask("/charts/web-1.0.0.tgz", store([made("a")], []))).toMatchObject({ status: 404 });
    const moved = store([made("a")], [made("a", { workspace: "other" })]);
    expect(await ask("/workspaces/demo/charts/web-1.0.0.tgz", moved, "mia")).toMatchObject({ status: 404 });
  });
});

it("looks each package up once, however many digests somebody makes up", async () => {
  const all = store(Array.from({ length: 20 }, (_, index) => made(`a${index}`, { version: `1.${index}.0` })));
  const lookUps = () => all.asked.filter((kind) => kind === HelmPackage.kind).length;
  for (const digit of "0123") await ask(`/v2/charts/web/manifests/sha256:${digit.repeat(64)}`, all);
  expect(lookUps()).toBe(20);
});

it("lets everybody sign in whom Kubernetes knows, though the store's own shelf is closed to them", async () => {
  const closed = () => store([made("a")], [made("a")], { publicRepository: "false" });
  expect((await ask("/v2/", closed())).status).toBe(401);
  expect((await ask("/v2/", closed(), "mia")).status).toBe(200);
  expect((await ask("/v2/_catalog", closed(), "mia")).status).toBe(403);
  expect((await ask("/charts/index.yaml", closed(), "mia")).status).toBe(403);
  expect((await ask("/workspaces/demo/charts/index.yaml", closed(), "mia")).status).toBe(200);
});

it("knows no tags but the list of them", async () => {
  expect((await ask("/v2/charts/web/tags/list", store([made("a")]))).status).toBe(200);
  expect((await ask("/v2/charts/web/tags/all", store([made("a")]))).status).toBe(404);
});
