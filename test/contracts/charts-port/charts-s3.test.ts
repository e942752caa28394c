import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCharts } from "../../../shared/adapters/charts.ts";
import { createFetchHead } from "../../../shared/adapters/charts-http-fetch.ts";
import type { RepositoryAccess } from "../../../shared/ports.ts";
import { failure } from "../kube-port/scripted-server.ts";
import { hostile } from "./hostile-server.ts";
import { indexText } from "./index-text.ts";
import { nameProxy } from "./name-proxy.ts";
import { S3_ACCESS, S3_DOMAIN, S3_SERVERS, type S3Server } from "./s3-servers.ts";

const INDEX = "apiVersion: v1\nentries: {}\n";
const PACKAGE = Buffer.from("a package");
const charts = createCharts(createFetchHead());

describe.each(S3_SERVERS)("buckets on %s", (_, start) => {
  let server: S3Server;
  let access: RepositoryAccess;

  beforeAll(async () => {
    server = await start();
    for (const folder of ["/charts/team a/ü", "/charts/public"]) {
      await server.put(`${folder}/index.yaml`, Buffer.from(INDEX));
      await server.put(`${folder}/web-1.0.0+build.1.tgz`, PACKAGE);
    }
    access = { url: `s3://127.0.0.1:${server.port}/charts/team a/ü`, s3: S3_ACCESS };
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  test("give index and packages to whoever has the keys", async () => {
    expect(await indexText(charts, access)).toBe(INDEX);
    const at = `127.0.0.1:${server.port}/charts/team%20a/%C3%BC/web-1.0.0+build.1.tgz`;
    for (const url of [`s3://${at}`, `http://${at}`, "s3://charts/team a/ü/web-1.0.0+build.1.tgz"]) {
      expect(Buffer.from(await charts.fetchPackage(access, url)).toString(), url).toBe("a package");
    }
  });

  test.each(["a b.tgz", "a+b.tgz", "a%20b.tgz", "(a)!*'~.tgz", "a:b@c$d&e,f;g=h.tgz", "日本語.tgz", "a/../b.tgz"])(
    "give a package named %s",
    async (name) => {
      const path = name.split("/").map(encodeURIComponent).join("/");
      await server.put(`/charts/odd/${path}`, Buffer.from(name));
      const bytes = await charts.fetchPackage(access, `s3://127.0.0.1:${server.port}/charts/odd/${path}`);
      expect(Buffer.from(bytes).toString()).toBe(name);
    },
  );

  test("are asked for what has changed only", async () => {
    const first = await charts.fetchIndex(access);
    if (!first.changed) throw new Error("changed was expected");
    await Array.fromAsync(first.chunks);
    const { etag = "" } = first;
    expect(etag).not.toBe("");
    expect(await charts.fetchIndex(access, { etag })).toEqual({ changed: false });
  });

  test("are read without keys where everybody may", async () => {
    expect(await indexText(charts, { url: `s3://127.0.0.1:${server.port}/charts/public` })).toBe(INDEX);
    const error = await failure(indexText(charts, { url: access.url }));
    expect(error.message).toContain("HTTP 403 AccessDenied; give the repository's Secret keys");
  });

  test("are addressed by endpoint, in the path or in front of the host", async () => {
    const url = "s3://charts/team a/ü";
    const endpoint = `http://127.0.0.1:${server.port}`;
    expect(await indexText(charts, { url, s3: { ...S3_ACCESS, endpoint } })).toBe(INDEX);
    const proxy = await nameProxy(server.port);
    const proxied = createCharts(createFetchHead({ proxy: { HTTP_PROXY: proxy.url } }));
    const virtual = { ...S3_ACCESS, endpoint: `http://${S3_DOMAIN}`, addressing: "virtual-host" as const };
    expect(await indexText(proxied, { url, s3: virtual })).toBe(INDEX);
    expect(proxy.asked).toEqual([`GET http://charts.${S3_DOMAIN}/team%20a/%C3%BC/index.yaml`]);
  });

  test.each([
    [{ secretAccessKey: "wrong" }, "SignatureDoesNotMatch; correct secretAccessKey"],
    [{ accessKeyID: "AKIDOTHER" }, "InvalidAccessKeyId; correct accessKeyID"],
    [{ region: "eu-test-2" }, "set spec.s3.region"],
  ])("say what is wrong with %j", async (wrong, cause) => {
    const error = await failure(indexText(charts, { ...access, s3: { ...S3_ACCESS, ...wrong } }));
    expect(error.kind).toBe("Invalid");
    expect(error.message).toContain(cause);
    expect(error.message).not.toMatch(/wJalr|wrong/);
  });

  test("say that an object is not there", async () => {
    const error = await failure(indexText(charts, { ...access, url: `s3://127.0.0.1:${server.port}/charts/none` }));
    expect(error.message).toMatch(/HTTP 404 NoSuchKey; check the path/);
  });
});

describe("keys of a bucket", () => {
  test("are for its own object store: nothing is signed for other hosts", async () => {
    const other = await hostile((_, response) => response.end(PACKAGE));
    const own = await hostile((_, response) => response.writeHead(307, { location: `${other.url}/moved` }).end());
    const access = { url: `s3://127.0.0.1:${own.port}/charts`, s3: S3_ACCESS, username: "ann", password: "secret" };
    await charts.fetchPackage(access, `${own.url}/charts/web.tgz`);
    await charts.fetchPackage(access, `${other.url}/web.tgz`);
    expect(own.requests.map(({ headers }) => headers.authorization)).toEqual([
      expect.stringMatching(/^AWS4-HMAC-SHA256/),
    ]);
    for (const { headers } of other.requests) {
      expect(Object.keys(headers).filter((name) => /^authorization|^x-amz/.test(name))).toEqual([]);
    }
    expect(other.requests).toHaveLength(2);
  });

  test.each([
    [{ accessKeyID: "AKID" }, "both accessKeyID and secretAccessKey"],
    [{ secretAccessKey: "s3cret" }, "both accessKeyID and secretAccessKey"],
  ])("are complete or absent: %j", async (s3, cause) => {
    const error = await failure(indexText(charts, { url: "s3://127.0.0.1:1/charts", s3 }));
    expect(error.kind).toBe("Invalid");
    expect(error.message).toContain(cause);
    expect(error.message).not.toContain("s3cret");
  });

  test("a URL without a bucket is Invalid", async () => {
    expect((await failure(indexText(charts, { url: "s3://s3.eu-1.example" }))).message).toContain("names no bucket");
  });

  test("a bucket elsewhere says where", async () => {
    const { port } = await hostile((_, response) => response.writeHead(400, { "x-amz-bucket-region": "eu-9" }).end());
    const error = await failure(indexText(charts, { url: `s3://127.0.0.1:${port}/charts`, s3: S3_ACCESS }));
    expect(error.message).toContain("the bucket is in region eu-9");
  });
});
