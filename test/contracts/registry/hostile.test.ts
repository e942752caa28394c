import { describe, expect, test } from "vitest";
import { failure } from "../kube-port/scripted-server.ts";
import { type ProtocolOptions, type ProtocolRegistry, protocolRegistry } from "./protocol-registry.ts";
import { freshCharts, sync, versionsOf } from "./sync.ts";

const HELM = "application/vnd.cncf.helm.config.v1+json";
const CONTENT = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";
const zeros = `sha256:${"0".repeat(64)}`;

/** A registry that answers one kind of path in its own way. */
function answering(path: string, body: (call: { readonly path: string; readonly count: number }) => Answer) {
  const intercept: ProtocolOptions["intercept"] = (call, response) => {
    if (!call.path.includes(path)) return false;
    const { status = 200, headers = {}, text } = body(call);
    return !!response.writeHead(status, headers).end(text);
  };
  return protocolRegistry({ intercept });
}

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: string | Buffer;
}

describe("lists", () => {
  const tags = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `1.0.${from + at}`);
  const list = async (registry: ProtocolRegistry) =>
    failure(sync(freshCharts(), { url: `oci://${registry.host}/store`, charts: ["web"] }));

  test("without an end are TooLarge", async () => {
    const registry = await answering("tags/list", ({ count }) => ({
      headers: { link: `</v2/store/web/tags/list?last=${count}>; rel="next"` },
      text: JSON.stringify({ tags: tags(1000, count * 1000) }),
    }));
    const error = await list(registry);
    expect(error.kind).toBe("TooLarge");
    expect(error.message).toContain("more than 20000 tags, the limit");
    expect(registry.asked().length).toBe(21);
  });

  test("of empty pages without an end are TooLarge", async () => {
    const registry = await answering("tags/list", ({ count }) => ({
      headers: { link: `</v2/store/web/tags/list?last=${count}>; rel="next"` },
      text: "{}",
    }));
    expect((await list(registry)).message).toContain("more than 1000 pages, the limit");
  });

  test("that go round in a circle are Invalid", async () => {
    const registry = await answering("tags/list", () => ({
      headers: { link: '</v2/store/web/tags/list?last=x>; rel="next"' },
      text: '{"tags":[]}',
    }));
    expect((await list(registry)).message).toContain("its pages go round in a circle");
    expect(registry.asked()).toHaveLength(2);
  });

  test.each([
    "http://169.254.169.254/v2/store/web/tags/list?last=x",
    "//other.example/v2/store/web/tags/list?last=x",
    "/artifactory/api/docker/local/v2/store/web/tags/list?last=x",
    "/v2/store/web/tags/list/../../../secret?last=x",
  ])("whose next page is %s are asked for where they began", async (link) => {
    const registry = await answering("tags/list", ({ path }) =>
      path.endsWith("last=x")
        ? { text: "{}" }
        : { headers: { link: `<${link}>; rel="next"` }, text: '{"tags":["1.0.0"]}' },
    );
    registry.push({ repository: "store/web", tag: "1.0.0" });
    const found = await sync(freshCharts(), { url: `oci://${registry.host}/store`, charts: ["web"] });
    expect(versionsOf(found)).toEqual(["web 1.0.0"]);
    expect(registry.asked().slice(0, 2)).toEqual([
      "GET /v2/store/web/tags/list?n=1000",
      "GET /v2/store/web/tags/list?last=x",
    ]);
  });

  test.each(['<?last=x>; rel="prev"', "<>; rel=next", "nonsense", '</v2/other>; rel="next"'])(
    "with the Link %s end there",
    async (link) => {
      const registry = await answering("tags/list", () => ({ headers: { link }, text: '{"tags":[]}' }));
      await sync(freshCharts(), { url: `oci://${registry.host}/store`, charts: ["web"] });
      expect(registry.asked()).toHaveLength(1);
    },
  );

  test("that are too long, or not for us, cost their chart alone, unless it is known or there is no other", async () => {
    const many = JSON.stringify({ tags: tags(21_000) });
    const registry = await answering("secret/tags/list", () => ({ status: 403, text: "" }));
    registry.push({ repository: "store/web", tag: "1.0.0" });
    registry.push({ repository: "store/secret", tag: "1.0.0" });
    const access = { url: `oci://${registry.host}/store` };
    const found = await sync(freshCharts(), access);
    expect(versionsOf(found)).toEqual(["web 1.0.0"]);
    expect(found.skipped?.first).toMatchObject([{ chart: "secret", message: expect.stringContaining("HTTP 403") }]);
    const known = { entry: (name: string) => ({ name, versions: [] }) };
    expect((await failure(sync(freshCharts(), access, known))).message).toContain("secret/tags/list: HTTP 403");
    const long = await answering("tags/list", () => ({ text: many }));
    expect((await list(long)).kind).toBe("TooLarge");
  });

  test.each(["<html>", "[]", '{"tags":{"a":1}}', ""])("that are %s are Invalid", async (text) => {
    const registry = await answering("tags/list", () => ({ text }));
    expect((await list(registry)).message).toContain("the answer holds no list of tags; is this an OCI registry?");
  });

  test("of one huge page are TooLarge", async () => {
    const registry = await answering("tags/list", () => ({ text: Buffer.alloc(9 * 1024 * 1024, " ") }));
    expect((await list(registry)).kind).toBe("TooLarge");
  });

  test("hold no names that are paths, and no values that are no names", async () => {
    const repositories = ["store/../secret", "store/WEB", "store/", 7, null, "store/web", `store/${"a".repeat(300)}`];
    const registry = await answering("_catalog", () => ({ text: JSON.stringify({ repositories }) }));
    registry.push({ repository: "store/web", tag: "1.0.0" });
    registry.put("store/web", "../../x", "{}");
    expect(versionsOf(await sync(freshCharts(), { url: `oci://${registry.host}/store` }))).toEqual(["web 1.0.0"]);
    for (const call of registry.asked()) expect(call).toMatch(/^(GET|HEAD) \/v2\/(_catalog|store)/);
  });
});

describe("a version", () => {
  /** Syncs a registry of one good chart and one that the test spoils. */
  async function beside(spoil: (registry: ProtocolRegistry) => void, intercept?: ProtocolOptions["intercept"]) {
    const registry = await protocolRegistry(intercept ? { intercept } : {});
    registry.push({ repository: "store/web", tag: "1.0.0" });
    spoil(registry);
    const found = await sync(freshCharts(), { url: `oci://${registry.host}/store` });
    expect(versionsOf(found)).toEqual(["web 1.0.0"]);
    return { message: JSON.stringify(found.skipped?.first), registry };
  }

  const chart = (config: object, content: object) => ({
    config: { mediaType: HELM, ...config },
    layers: [{ mediaType: CONTENT, ...content }],
  });
  const content = { digest: zeros, size: 10 };

  test("whose config has other bytes than its digest is left out", async () => {
    const swapped = JSON.stringify({ name: "web", version: "2.0.0" });
    const { message } = await beside(
      (registry) => registry.put("store/web", "2.0.0", chart({ digest: zeros, size: swapped.length }, content)),
      ({ path }, response) => path.endsWith(zeros) && !!response.end(swapped),
    );
    expect(message).toContain(`instead of ${zeros}; ask the registry's owner`);
  });

  test("whose manifest has another digest than the registry says is left out", async () => {
    const { message } = await beside(
      (registry) => registry.put("store/web", "0.5.0", "{}"),
      ({ path, method }, response) => {
        if (!path.endsWith("0.5.0") || method === "HEAD") return false;
        return !!response.writeHead(200, { "docker-content-digest": zeros }).end("{}");
      },
    ).catch((error: Error) => ({ message: error.message }));
    expect(message).toContain(`instead of ${zeros}`);
  });

  test.each([
    ["a huge config", { digest: zeros, size: 2_000_000 }, "announces 2000000 bytes, more than"],
    ["no config blob", { digest: zeros, size: 10 }, "the registry has no such blob; push the chart again"],
  ])("with %s is left out", async (_, config, expected) => {
    const { message } = await beside((registry) => registry.put("store/web", "2.0.0", chart(config, content)));
    expect(message).toContain(expected);
  });

  test("with a config that is no metadata, or hides characters, is left out", async () => {
    const { message } = await beside((registry) => {
      registry.put("store/web", "2.0.0", chart(registry.blob("[".repeat(100_000)), content));
      registry.put("store/web", "2.0.1", chart(registry.blob('{"name":"../x","version":"2.0.1"}'), content));
      registry.put("store/web", "2.0.2", chart(registry.blob('{"name":"web\\u0000","version":"9"}'), content));
    });
    expect(message).toContain("no mapping");
    expect(message).toContain("is a path");
    expect(message).toContain("the tag holds version 9");
  });

  test("whose config never ends is left out", async () => {
    const { message } = await beside(
      (registry) => registry.put("store/web", "2.0.0", chart({ digest: zeros, size: 10 }, content)),
      ({ path }, response) => {
        if (!path.endsWith(zeros)) return false;
        const more = () => {
          if (!response.destroyed) response.write(Buffer.alloc(65_536), (error) => error ?? setImmediate(more));
        };
        more();
        return true;
      },
    );
    expect(message).toContain("more than 1048576 bytes");
  });

  test("with a huge manifest costs its chart, and the others stay", async () => {
    const huge = JSON.stringify({ config: { x: "x".repeat(2_000_000) } });
    const registry = await protocolRegistry();
    registry.push({ repository: "store/web", tag: "1.0.0" });
    registry.put("store/big", "1.0.0", huge);
    const found = await sync(freshCharts(), { url: `oci://${registry.host}/store` });
    expect(versionsOf(found)).toEqual(["web 1.0.0"]);
    expect(JSON.stringify(found.skipped)).toContain("more than 1048576");
  });

  test("that is refused like all others is no empty repository", async () => {
    const registry = await answering("/blobs/", () => ({ status: 403, text: "" }));
    registry.push({ repository: "store/web", tag: "1.0.0" });
    const error = await failure(sync(freshCharts(), { url: `oci://${registry.host}/store` }));
    expect(error).toMatchObject({ kind: "Invalid", message: expect.stringContaining("HTTP 403") });
  });

  test("with metadata that looks like YAML stays what it is", async () => {
    const registry = await protocolRegistry();
    const description = "x\nentries:\n  evil:\n  - version: 6.6.6\n--- &a [*a, *a]";
    registry.push({
      repository: "store/web",
      tag: "1.0.0",
      metadata: { description, home: "*a", icon: "!!js/eval x" },
    });
    const found = await sync(freshCharts(), { url: `oci://${registry.host}/store` });
    expect(versionsOf(found)).toEqual(["web 1.0.0"]);
    expect(found.entries[0]?.versions[0]).toMatchObject({ description, home: "*a", icon: "!!js/eval x" });
  });
});

describe("a package", () => {
  async function served(options: ProtocolOptions = {}) {
    const registry = await protocolRegistry(options);
    const pushed = registry.push({ repository: "store/web", tag: "1.0.0", content: Buffer.from("the package") });
    return {
      registry,
      pushed,
      access: { url: `oci://${registry.host}/store` },
      url: `oci://${registry.host}/store/web`,
    };
  }

  test("comes by tag, by digest, and by both where they agree", async () => {
    const { access, url, pushed } = await served();
    for (const at of [`${url}:1.0.0`, `${url}@${pushed.manifest}`, `${url}:0.0.0@${pushed.manifest}`]) {
      expect(Buffer.from(await freshCharts().fetchPackage(access, at)).toString()).toBe("the package");
    }
  });

  test("is still what it was by digest when its tag was pushed again", async () => {
    const { registry, access, url, pushed } = await served();
    registry.push({ repository: "store/web", tag: "1.0.0", content: Buffer.from("another package") });
    const fetch = async (at: string) => Buffer.from(await freshCharts().fetchPackage(access, at)).toString();
    expect(await fetch(`${url}:1.0.0`)).toBe("another package");
    expect(await fetch(`${url}@${pushed.manifest}`)).toBe("the package");
  });

  test("with other bytes than its digest is refused", async () => {
    const { access, url } = await served({
      intercept: ({ path }, response) => path.includes("/blobs/") && !!response.end("other bytes"),
    });
    const error = await failure(freshCharts().fetchPackage(access, `${url}:1.0.0`));
    expect(error.kind).toBe("Invalid");
    expect(error.message).toContain("ask the registry's owner");
  });

  test("that is gone, no chart, or not named says so", async () => {
    const { registry, access, url } = await served();
    registry.put("store/web", "2.0.0", { config: { mediaType: "x/y", ...registry.blob("{}") } });
    const message = async (at: string) => (await failure(freshCharts().fetchPackage(access, at))).message;
    expect(await message(`${url}:9.9.9`)).toContain("the registry has no such version; choose another one");
    expect(await message(`${url}@${zeros}`)).toContain("the registry has no such version");
    expect(await message(`${url}:2.0.0`)).toContain("it is no Helm chart");
    expect(await message(url)).toContain("the address names no tag and no digest");
    expect(await message("oci://ann:pa55@h/x:1")).toContain("oci://***@h/x:1: it carries credentials");
  });

  test("is bounded", async () => {
    const registry = await protocolRegistry();
    registry.push({ repository: "store/web", tag: "1.0.0", content: Buffer.alloc(33 * 1024 * 1024) });
    const access = { url: `oci://${registry.host}/store` };
    const error = await failure(freshCharts().fetchPackage(access, `oci://${registry.host}/store/web:1.0.0`));
    expect(error.kind).toBe("TooLarge");
    expect(registry.asked()).toHaveLength(1);
  });

  test("may not be redirected to a metadata address", async () => {
    const { access, url } = await served({ storage: () => "http://169.254.169.254/latest" });
    const error = await failure(freshCharts().fetchPackage(access, `${url}:1.0.0`));
    expect(error.message).toContain("link-local or metadata address");
  });
});
