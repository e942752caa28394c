import { generate } from "selfsigned";
import { beforeAll, describe, expect, test } from "vitest";
import { createCharts } from "../../../shared/adapters/charts.ts";
import { createFetchHead, type NetworkOptions } from "../../../shared/adapters/charts-http-fetch.ts";
import { until } from "../../support/until.ts";
import { failure } from "../kube-port/scripted-server.ts";
import { drip, hostile, lying } from "./hostile-server.ts";
import { indexText } from "./index-text.ts";
import { nameProxy } from "./name-proxy.ts";

const INDEX = "apiVersion: v1\nentries: {}\n";

function network(options: NetworkOptions) {
  return createCharts(createFetchHead(options));
}

describe("proxies", () => {
  let tls: { readonly cert: string; readonly private: string };
  beforeAll(async () => {
    const extensions = [{ name: "subjectAltName" as const, altNames: [{ type: 2 as const, value: "charts.example" }] }];
    tls = await generate([{ name: "commonName", value: "charts.example" }], { extensions });
  });

  test("http goes through HTTP_PROXY", async () => {
    const server = await hostile((_, response) => response.end(INDEX));
    const proxy = await nameProxy(server.port);
    const charts = network({ proxy: { HTTP_PROXY: proxy.url } });
    expect(await indexText(charts, { url: "http://charts.example/stable" })).toBe(INDEX);
    expect(proxy.asked).toEqual(["GET http://charts.example/stable/index.yaml"]);
  });

  test("https goes through a tunnel, with the server's name verified", async () => {
    const server = await hostile((_, response) => response.end(INDEX), { key: tls.private, cert: tls.cert });
    const proxy = await nameProxy(server.port);
    const charts = network({ proxy: { HTTPS_PROXY: proxy.url } });
    expect(await indexText(charts, { url: "https://charts.example", ca: tls.cert })).toBe(INDEX);
    const error = await failure(indexText(charts, { url: "https://other.example", ca: tls.cert }));
    expect(error.message).toContain("ERR_TLS_CERT_ALTNAME_INVALID");
    expect(proxy.asked).toEqual(["CONNECT charts.example:443", "CONNECT other.example:443"]);
  });

  test.each(["http://127.0.0.1:PORT", "http://localhost:PORT"])("%s is spoken to directly", async (url) => {
    const server = await hostile((_, response) => response.end(INDEX));
    const proxy = await nameProxy(server.port);
    const charts = network({ proxy: { HTTP_PROXY: proxy.url } });
    expect(await indexText(charts, { url: url.replace("PORT", String(server.port)) })).toBe(INDEX);
    expect(proxy.asked).toEqual([]);
  });

  test("so are hosts of NO_PROXY", async () => {
    const server = await hostile((_, response) => response.end(INDEX));
    const proxy = await nameProxy(server.port);
    const charts = network({ proxy: { HTTP_PROXY: proxy.url, NO_PROXY: "10.0.0.1,.inside.invalid" } });
    expect((await failure(indexText(charts, { url: "http://charts.inside.invalid" }))).kind).toBe("Unavailable");
    expect(proxy.asked).toEqual([]);
    expect(await indexText(charts, { url: "http://charts.outside.invalid" })).toBe(INDEX);
  });

  test("empty variables name no proxy", async () => {
    const charts = network({ proxy: { HTTP_PROXY: "", HTTPS_PROXY: "", NO_PROXY: "" } });
    expect((await failure(indexText(charts, { url: "http://charts.invalid" }))).kind).toBe("Unavailable");
  });
});

describe("a repository at a public name", () => {
  async function at(location: string, allowedHosts?: readonly string[]) {
    const inside = await hostile((_, response) => response.end(INDEX));
    const server = await hostile((_, response) =>
      response.writeHead(302, { location: location.replace("PORT", String(inside.port)) }).end(),
    );
    const proxy = await nameProxy(server.port);
    const charts = network({ proxy: { HTTP_PROXY: proxy.url } });
    const access = { url: "http://charts.example", ...(allowedHosts ? { allowedHosts } : {}) };
    return { inside, text: indexText(charts, access) };
  }

  test.each([
    ["http://127.0.0.1:PORT/", "127.0.0.1 is a loopback address"],
    ["http://localhost:PORT/", "localhost (127.0.0.1) is a loopback address"],
    ["http://0.0.0.0:PORT/", "0.0.0.0 is a loopback address"],
    ["http://[::ffff:7f00:1]:PORT/", "is a loopback address"],
    ["http://10.0.0.1/", "10.0.0.1 is a private address"],
    ["http://169.254.169.254/", "169.254.169.254 is a link-local or metadata address"],
  ])("may not lead to %s", async (location, cause) => {
    const { inside, text } = await at(location);
    const error = await failure(text);
    expect(error.kind).toBe("Invalid");
    expect(error.message).toContain(cause);
    expect(inside.requests).toEqual([]);
  });

  test("may where allowedHosts names the host", async () => {
    const { text } = await at("http://localhost:PORT/", ["localhost"]);
    expect(await text).toBe(INDEX);
  });

  test("may not name a package there either", async () => {
    const inside = await hostile((_, response) => response.end("bytes"));
    const charts = createCharts(createFetchHead());
    const error = await failure(charts.fetchPackage({ url: "https://charts.example" }, `${inside.url}/c.tgz`));
    expect(error.message).toContain("add 127.0.0.1 to spec.allowedHosts");
    expect(inside.requests).toEqual([]);
  });
});

describe("the budget of a host", () => {
  test("a host that answered 429 is left alone by all repositories, others are not", async () => {
    const charts = createCharts(createFetchHead());
    const busy = await hostile((_, response) => response.writeHead(429, { "retry-after": "30" }).end());
    const other = await hostile((_, response) => response.end(INDEX));
    expect((await failure(indexText(charts, { url: `${busy.url}/one` }))).retryAfterMs).toBe(30_000);
    const refused = await failure(indexText(charts, { url: `${busy.url}/two` }));
    expect(refused.kind).toBe("Unavailable");
    expect(refused.retryAfterMs).toBeGreaterThan(25_000);
    expect(refused.message).toContain("answered HTTP 429 and wants not to be asked for another 30 s");
    expect(busy.requests).toHaveLength(1);
    expect(await indexText(charts, { url: other.url })).toBe(INDEX);
  });

  test("has a limit of requests at once, which are freed when their bodies end", async () => {
    const charts = network({ maxPerHost: 2 });
    const held: (() => void)[] = [];
    const server = await hostile((_, response) => {
      response.write("apiVersion: v1\n");
      held.push(() => response.end("entries: {}\n"));
    });
    const texts = Array.from({ length: 5 }, () => indexText(charts, { url: server.url }));
    for (let served = 0; served < texts.length; served++) {
      await until("the next request comes", () => held.length > served);
      expect(held.length).toBeLessThanOrEqual(served + 2);
      held[served]?.();
    }
    expect(await Promise.all(texts)).toEqual(Array(5).fill(INDEX));
  });

  test("a repository that waits for its turn in vain says so", async () => {
    const fetchHead = createFetchHead({ maxPerHost: 1 });
    const server = await hostile((_, response) => response.write("x"));
    const holding = failure(indexText(createCharts(fetchHead, { indexMs: 1_500 }), { url: server.url }));
    await until("the place is taken", () => server.requests.length === 1);
    const error = await failure(indexText(createCharts(fetchHead, { indexMs: 200 }), { url: server.url }));
    expect(error.kind).toBe("Unavailable");
    expect(error.message).toContain("all 1 connections that 127.0.0.1");
    expect((await holding).message).toContain("longer than 1500 ms, the limit");
  });

  test.each([
    ["a body that is longer than announced", () => lying(10, INDEX)],
    ["a body that is shorter than announced", () => lying(10_000, INDEX)],
    ["a status that is refused", () => hostile((_, response) => response.writeHead(404).end("not here"))],
    ["not modified", () => hostile((_, response) => response.writeHead(304).end())],
    ["a redirect loop", () => hostile((_, response) => response.writeHead(302, { location: "/" }).end("there"))],
    ["a closed connection", () => hostile((request) => request.socket.destroy())],
    ["a compressed body that is none", () => hostile((_, r) => r.setHeader("content-encoding", "gzip").end(INDEX))],
  ])("gets its place back after %s", async (_, serve) => {
    const charts = createCharts(createFetchHead({ maxPerHost: 1 }), { indexMs: 2_000 });
    const { url } = await serve();
    for (let turn = 0; turn < 3; turn++) {
      const error = await failure(indexText(charts, { url }));
      expect(error.message, `turn ${turn}`).not.toContain("stayed in use");
    }
  });

  test("slow servers do not delay a fast one", async () => {
    const charts = createCharts(createFetchHead(), { indexMs: 2_000 });
    const slow = await Promise.all(Array.from({ length: 20 }, () => hostile(drip(50))));
    const ends = slow.map(({ url }) => failure(indexText(charts, { url })));
    await until("all slow ones are being read", () => slow.every(({ requests }) => requests.length === 1));
    const fast = await hostile((_, response) => response.end(INDEX));
    const begun = performance.now();
    expect(await indexText(charts, { url: fast.url })).toBe(INDEX);
    expect(performance.now() - begun).toBeLessThan(1_000);
    for (const error of await Promise.all(ends)) expect(error.message).toContain("longer than 2000 ms, the limit");
  });
});

describe("Content-Length", () => {
  test.each([
    ["more than comes", { announced: INDEX.length + 10, body: INDEX }, `after ${INDEX.length} of`],
    ["less than comes", { announced: 10, body: INDEX }, "bytes beyond the length that it announced"],
    ["less than comes of a long body", { announced: 10, body: INDEX.repeat(100_000) }, "bytes beyond the length"],
  ])("of %s fails the fetch", async (_, { announced, body }, cause) => {
    const server = await lying(announced, body);
    const error = await failure(indexText(createCharts(createFetchHead()), { url: server.url }));
    expect(error.kind).toBe("Unavailable");
    expect(error.message).toContain("the body broke off");
    expect(error.message).toContain(cause);
  });
});
