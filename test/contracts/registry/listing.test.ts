import { describe, expect, test } from "vitest";
import { parseIndex } from "../../../shared/charts/index-file.ts";
import { failure } from "../kube-port/scripted-server.ts";
import { protocolRegistry } from "./protocol-registry.ts";
import { freshCharts, limitedSource, sync, versionsOf } from "./sync.ts";

const DIGEST = /sha256:[0-9a-f]{64}/;

describe("what a registry offers", () => {
  test("is found through pages of three, and only manifests and configs are read", async () => {
    const registry = await protocolRegistry({ pageSize: 3 });
    const pushed = ["a", "b", "c", "d"].flatMap((chart) =>
      ["1.0.0", "1.1.0", "1.2.0", "2.0.0-rc.1_b5"].map((tag) => registry.push({ repository: `store/${chart}`, tag })),
    );
    registry.push({ repository: "elsewhere/x", tag: "1.0.0" });
    const found = await sync(freshCharts(), { url: `oci://${registry.host}/store` });
    expect(versionsOf(found).slice(0, 4)).toEqual(["a 2.0.0-rc.1+b5", "a 1.2.0", "a 1.1.0", "a 1.0.0"]);
    expect(found.entries.map(({ name }) => name)).toEqual(["a", "b", "c", "d"]);
    expect(found).toMatchObject({ etag: expect.stringMatching(/^oci-sha256:/) });
    expect(found).not.toHaveProperty("skipped");
    const asked = registry.asked();
    expect(asked.filter((call) => call.includes("_catalog"))).toHaveLength(2);
    expect(asked.filter((call) => call.includes("/store/a/tags/list"))).toHaveLength(2);
    expect(asked.filter((call) => call.includes("/elsewhere"))).toEqual([]);
    for (const { content } of pushed) expect(asked.join("\n")).not.toContain(content);
    expect(asked.filter((call) => /\/(manifests|blobs)\//.test(call))).toHaveLength(pushed.length * 2);
  });

  test("is said as an index would: metadata of the config, digest of the package, date of the push", async () => {
    const registry = await protocolRegistry();
    const metadata = {
      description: "web",
      icon: "https://h/i.png",
      deprecated: true,
      kubeVersion: ">=1.25",
      unknown: 1,
    };
    const { manifest, content } = registry.push({ repository: "store/web", tag: "1.0.0", metadata });
    const found = await sync(freshCharts(), { url: `oci://${registry.host}/store` });
    const { unknown: _, ...shown } = metadata;
    expect(found.entries[0]?.versions).toEqual([
      {
        name: "web",
        version: "1.0.0",
        apiVersion: "v2",
        ...shown,
        created: "2024-05-06T07:08:09Z",
        digest: content.slice("sha256:".length),
        urls: [`oci://${registry.host}/store/web:1.0.0`, `oci://${registry.host}/store/web@${manifest}`],
      },
    ]);
  });

  test("may be one chart alone, or charts that are named", async () => {
    const registry = await protocolRegistry({
      intercept: ({ path }, response) => path.includes("_catalog") && !!response.writeHead(404).end(),
    });
    registry.push({ repository: "store/web", tag: "1.0.0" });
    registry.push({ repository: "store/db", tag: "2.0.0" });
    const charts = freshCharts();
    expect(versionsOf(await sync(charts, { url: `oci://${registry.host}/store/web` }))).toEqual(["web 1.0.0"]);
    const named = await sync(charts, { url: `oci://${registry.host}/store`, charts: ["db", "web", "nothing", "db"] });
    expect(versionsOf(named)).toEqual(["db 2.0.0", "web 1.0.0"]);
    expect(named.skipped).toEqual({
      count: 1,
      first: [{ chart: "nothing", message: "the registry has no such repository; check its name" }],
    });
    const error = await failure(sync(charts, { url: `oci://${registry.host}/store` }));
    expect(error.kind).toBe("Invalid");
    expect(error.message).toContain("offers no catalog of its repositories; name its charts in spec.charts");
    const wrong = await failure(sync(charts, { url: `oci://${registry.host}/store`, charts: ["team/web"] }));
    expect(wrong.message).toContain('spec.charts: "team/web" is no name of a chart in a registry');
  });

  test("a catalog that is shown to nobody says what to do", async () => {
    const body = JSON.stringify({ errors: [{ code: "UNAUTHORIZED", message: "authentication required" }] });
    const registry = await protocolRegistry({
      intercept: ({ path }, response) => path.includes("_catalog") && !!response.writeHead(403).end(body),
    });
    const error = await failure(sync(freshCharts(), { url: `oci://${registry.host}/store` }));
    expect(error.message).toContain("/v2/_catalog: HTTP 403 (UNAUTHORIZED: authentication required)");
    expect(error.message).toContain("name its charts in spec.charts");
  });

  test("an empty place is an empty index", async () => {
    const registry = await protocolRegistry();
    expect(await sync(freshCharts(), { url: `oci://${registry.host}/store` })).toMatchObject({ entries: [] });
  });

  test("what lies deeper, is no chart or no version is left out and named", async () => {
    const registry = await protocolRegistry();
    const image = { mediaType: "application/vnd.oci.image.config.v1+json", ...registry.blob("{}") };
    for (const tag of ["1.0.0", "1.1.0", "1.2.0", "1.3.0"])
      registry.put("store/image", tag, { config: image, layers: [] });
    registry.push({ repository: "store/team/web", tag: "1.0.0" });
    registry.push({ repository: "store/web", tag: "1.0.0" });
    registry.put("store/web", "1.0.1", { config: image, layers: [] });
    registry.put("store/web", "latest", { config: image, layers: [] });
    registry.put("store/web", `sha256-${"a".repeat(64)}.sig`, { config: image, layers: [] });
    registry.push({ repository: "store/web", tag: "1.0.2", metadata: { version: "9.9.9" } });
    const found = await sync(freshCharts(), { url: `oci://${registry.host}/store` });
    expect(versionsOf(found)).toEqual(["web 1.0.0"]);
    expect(found.skipped?.count).toBe(5);
    expect(found.skipped?.first).toEqual(
      expect.arrayContaining([
        { chart: "image", message: expect.stringContaining("holds no charts but application/vnd.oci.image.config") },
        { chart: "team/web", message: expect.stringMatching(/add a HelmRepo for oci:\/\/.*\/store\/team$/) },
        { chart: "web", tag: "latest", message: expect.stringContaining("no strict SemVer version") },
        {
          chart: "web",
          tag: "1.0.1",
          message: expect.stringContaining("no chart but application/vnd.oci.image.config"),
        },
        { chart: "web", tag: "1.0.2", message: "the tag holds version 9.9.9" },
      ]),
    );
    const looked = registry.asked().filter((call) => call.includes("/store/image/manifests"));
    expect(looked).toHaveLength(3);
  });

  test("an index of manifests leads to the chart in it", async () => {
    const registry = await protocolRegistry();
    const { manifest } = registry.push({ repository: "store/web", tag: "0.0.1" });
    const listed = { mediaType: "application/vnd.oci.image.manifest.v1+json", digest: manifest, size: 500 };
    const platform = { os: "linux", architecture: "amd64" };
    registry.put("store/web", "0.0.1", {
      manifests: [{ ...listed, digest: `sha256:${"9".repeat(64)}`, platform }, listed],
    });
    const charts = freshCharts();
    const access = { url: `oci://${registry.host}/store` };
    const found = await sync(charts, access);
    expect(versionsOf(found)).toEqual(["web 0.0.1"]);
    for (const url of found.entries[0]?.versions[0]?.urls ?? []) {
      expect(Buffer.from(await charts.fetchPackage(access, url)).toString()).toBe("package store/web 0.0.1");
    }
  });
});

describe("a second look", () => {
  async function synced() {
    const registry = await protocolRegistry();
    for (const tag of ["1.0.0", "1.1.0", "1.2.0", "1.3.0"]) registry.push({ repository: "store/web", tag });
    registry.push({ repository: "store/db", tag: "1.0.0" });
    const access = { url: `oci://${registry.host}/store` };
    const charts = freshCharts();
    const first = await sync(charts, access);
    registry.asked();
    return { registry, access, charts, first };
  }

  test("reads nothing where nothing is new: one list of each, and the digests of the newest three", async () => {
    const { registry, access, charts, first } = await synced();
    expect((await sync(charts, access, first.known)).changed).toBe(false);
    const asked = registry.asked();
    expect(asked.filter((call) => call.startsWith("HEAD"))).toHaveLength(4);
    expect(asked.filter((call) => call.startsWith("GET")).sort()).toEqual([
      "GET /v2/_catalog?n=1000",
      "GET /v2/store/db/tags/list?n=1000",
      "GET /v2/store/tags/list?n=1000",
      "GET /v2/store/web/tags/list?n=1000",
    ]);
  });

  test("reads nothing without the etag either, and writes the same text", async () => {
    const { registry, access, charts, first } = await synced();
    const { etag: _, ...known } = first.known;
    const again = await sync(charts, access, known);
    expect(again.text).toBe(first.text);
    expect(registry.asked().filter((call) => /GET .*(manifests|blobs)/.test(call))).toEqual([]);
  });

  test("reads only what is new, and leaves out what is gone", async () => {
    const { registry, access, charts, first } = await synced();
    registry.push({ repository: "store/web", tag: "2.0.0" });
    registry.remove("store/web", "1.0.0");
    registry.remove("store/db", "1.0.0");
    const next = await sync(charts, access, first.known);
    expect(versionsOf(next)).toEqual(["web 2.0.0", "web 1.3.0", "web 1.2.0", "web 1.1.0"]);
    const read = registry.asked().filter((call) => /GET .*(manifests|blobs)/.test(call));
    expect(read.filter((call) => !DIGEST.test(call))).toEqual(["GET /v2/store/web/manifests/2.0.0"]);
    expect(read).toHaveLength(2);
    expect((await sync(charts, access, next.known)).changed).toBe(false);
  });

  test("sees that one of the newest was pushed again", async () => {
    const { registry, access, charts, first } = await synced();
    const { content } = registry.push({ repository: "store/web", tag: "1.2.0", content: Buffer.from("other bytes") });
    const next = await sync(charts, access, first.known);
    const digests = next.entries[1]?.versions.map(({ digest }) => `sha256:${digest}`);
    expect(digests?.[1]).toBe(content);
    expect(digests?.filter((digest) => first.text.includes(digest.slice(7)))).toHaveLength(3);
  });

  test("reads all anew where the repository has another address", async () => {
    const { registry, charts, first } = await synced();
    const moved = { url: `oci://localhost:${registry.server.port}/store` };
    const next = await sync(charts, moved, first.known);
    expect(next.entries[0]?.versions[0]?.urls[0]).toContain("oci://localhost:");
    expect(versionsOf(next)).toEqual(versionsOf(first));
  });

  test("asks registries that know no HEAD for the manifest itself", async () => {
    const { registry, access, first } = await synced();
    const { host } = registry;
    const deaf = await protocolRegistry({
      intercept: ({ method, path }, response) => {
        if (method === "HEAD") return !!response.writeHead(405).end();
        return !!response.writeHead(307, { location: `http://${host}${path}` }).end();
      },
    });
    const behind = await sync(freshCharts(), { url: `oci://${deaf.host}/store` });
    const again = await sync(freshCharts(), { url: `oci://${deaf.host}/store` }, behind.known);
    expect(again.changed).toBe(false);
    expect(versionsOf(behind)).toEqual(versionsOf(first));
    expect((await sync(freshCharts(), access, first.known)).changed).toBe(false);
  });
});

describe("many versions", () => {
  test("are read in steps, the newest of each chart first, and end in the same index as in one", async () => {
    const registry = await protocolRegistry();
    for (const chart of ["a", "b"]) {
      for (let minor = 0; minor < 7; minor++) registry.push({ repository: `store/${chart}`, tag: `1.${minor}.0` });
    }
    const access = { url: `oci://${registry.host}/store` };
    const source = limitedSource({ maxVersions: 5 });
    let step = await sync(source, access);
    expect(versionsOf(step)).toEqual(["a 1.6.0", "a 1.5.0", "a 1.4.0", "b 1.6.0", "b 1.5.0"]);
    const pending = [step.pending];
    while (step.pending !== undefined) {
      expect(step.etag).toBeUndefined();
      step = await sync(source, access, step.known);
      pending.push(step.pending);
    }
    expect(pending).toEqual([9, 4, undefined]);
    expect(step.text).toBe((await sync(freshCharts(), access)).text);
    expect((await sync(source, access, step.known)).changed).toBe(false);
  });

  test("of a slow registry are read as far as the time allows", async () => {
    const registry = await protocolRegistry({
      intercept: ({ path }, response) => {
        if (!path.includes("/blobs/")) return false;
        return !!setTimeout(() => response.end(registry.blobs().get(path.split("/").at(-1) ?? "")), 60);
      },
    });
    for (let minor = 0; minor < 200; minor++) registry.push({ repository: "store/web", tag: `1.${minor}.0` });
    const found = await sync(limitedSource({ indexMs: 1000 }), { url: `oci://${registry.host}/store` });
    expect(versionsOf(found).length).toBeGreaterThan(0);
    expect(found.pending).toBe(200 - versionsOf(found).length);
    expect(found.pending).toBeGreaterThan(0);
  });

  test("that drip in without an end are Unavailable in time", async () => {
    const registry = await protocolRegistry({
      intercept: (_, response) => {
        const timer = setInterval(() => response.write(" "), 20);
        return !!response.on("close", () => clearInterval(timer));
      },
    });
    const error = await failure(sync(limitedSource({ indexMs: 400 }), { url: `oci://${registry.host}/store` }));
    expect(error.kind).toBe("Unavailable");
    expect(error.message).toContain("longer than 400 ms");
  });

  test("that a registry stops serving are pending, with the wait it asks for", async () => {
    let served = 0;
    const registry = await protocolRegistry({
      intercept: ({ path }, response) => {
        if (!path.includes("/manifests/") || ++served <= 10) return false;
        return !!response.writeHead(429, { "retry-after": "30" }).end();
      },
    });
    for (let minor = 0; minor < 40; minor++) registry.push({ repository: "store/web", tag: `1.${minor}.0` });
    const access = { url: `oci://${registry.host}/store` };
    const first = await sync(freshCharts(), access);
    expect(first).toMatchObject({ retryAfterMs: 30_000, pending: 40 - versionsOf(first).length });
    expect(first.etag).toBeUndefined();
    expect(versionsOf(first).length).toBeGreaterThan(3);
    const refused = await failure(sync(freshCharts(), access, { ...first.known }));
    expect(refused).toMatchObject({ kind: "Unavailable", retryAfterMs: 30_000 });
    served = Number.NEGATIVE_INFINITY;
    expect(versionsOf(await sync(freshCharts(), access, first.known))).toHaveLength(40);
  });
});

describe("a push", () => {
  async function pushed() {
    const registry = await protocolRegistry();
    for (const tag of ["1.0.0", "1.1.0"]) registry.push({ repository: "store/web", tag });
    registry.push({ repository: "store/db", tag: "1.0.0" });
    const access = { url: `oci://${registry.host}/store` };
    const { known } = await sync(freshCharts(), access);
    registry.asked();
    return { registry, access, known: { entry: known.entry ?? (() => undefined) } };
  }

  test("is read alone: one manifest, one config, what is known stays", async () => {
    const { registry, access, known } = await pushed();
    registry.push({ repository: "store/web", tag: "1.2.0_b1" });
    const next = await sync(freshCharts(), access, { ...known, only: { chart: "web", version: "1.2.0+b1" } });
    expect(next.partial).toBe(true);
    expect(next.etag).toBeUndefined();
    expect(versionsOf(next)).toEqual(["web 1.2.0+b1", "web 1.1.0", "web 1.0.0"]);
    const asked = registry.asked();
    expect(asked[0]).toBe("GET /v2/store/web/manifests/1.2.0_b1");
    expect(asked).toHaveLength(2);
  });

  test("of the same bytes, of another chart and of what is no version change nothing", async () => {
    const { access, known } = await pushed();
    const only = { chart: "web", version: "1.1.0" };
    expect((await sync(freshCharts(), access, { ...known, only })).changed).toBe(false);
    const named = { ...access, charts: ["db"] };
    expect((await sync(freshCharts(), named, { ...known, only: { chart: "web" } })).changed).toBe(false);
    for (const chart of ["unknown", "../web", "WEB"]) {
      expect((await sync(freshCharts(), access, { ...known, only: { chart, version: "1.0.0" } })).changed).toBe(false);
    }
  });

  test("of other bytes under the same version is read", async () => {
    const { registry, access, known } = await pushed();
    const { content } = registry.push({ repository: "store/web", tag: "1.0.0", content: Buffer.from("again") });
    const next = await sync(freshCharts(), access, { ...known, only: { chart: "web", version: "1.0.0" } });
    expect(next.entries[0]?.versions[1]?.digest).toBe(content.slice(7));
  });

  test("of a chart without a version lists that chart alone", async () => {
    const { registry, access, known } = await pushed();
    registry.push({ repository: "store/new", tag: "0.1.0" });
    const next = await sync(freshCharts(), access, { ...known, only: { chart: "new" } });
    expect(versionsOf(next)).toEqual(["new 0.1.0"]);
    expect(registry.asked().every((call) => call.includes("/store/new/"))).toBe(true);
  });

  test("that removes a version, or the last one, says so", async () => {
    const { registry, access, known } = await pushed();
    registry.remove("store/web", "1.1.0");
    const only = { chart: "web", version: "1.1.0" };
    expect(versionsOf(await sync(freshCharts(), access, { ...known, only }))).toEqual(["web 1.0.0"]);
    registry.remove("store/db", "1.0.0");
    const fetched = await sync(freshCharts(), access, { ...known, only: { chart: "db" } });
    expect(parseIndex(fetched.text)).toMatchObject({ entries: [], problems: [{ chart: "db", reason: "NoVersions" }] });
  });

  test("to a repository that is one chart is found at its address", async () => {
    const { registry } = await pushed();
    const access = { url: `oci://${registry.host}/store/web` };
    const only = { chart: "web", version: "1.0.0" };
    const next = await sync(freshCharts(), access, { entry: () => undefined, only });
    expect(versionsOf(next)).toEqual(["web 1.0.0"]);
    expect(next.partial).toBe(true);
  });

  test("to a repository of which nothing is known reads all of it", async () => {
    const { access } = await pushed();
    const next = await sync(freshCharts(), access, { only: { chart: "web", version: "1.0.0" } });
    expect(versionsOf(next)).toEqual(["db 1.0.0", "web 1.1.0", "web 1.0.0"]);
    expect(next.partial).toBeUndefined();
  });

  test("of an image beside the charts changes nothing", async () => {
    const { registry, access, known } = await pushed();
    registry.put("store/web", "2.0.0", { config: { mediaType: "image", ...registry.blob("{}") }, layers: [] });
    for (const only of [{ chart: "web", version: "2.0.0" }, { chart: "web" }]) {
      expect((await sync(freshCharts(), access, { ...known, only })).changed).toBe(false);
    }
  });
});
