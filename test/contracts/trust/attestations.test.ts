import { describe, expect, test } from "vitest";
import { createAttestations } from "../../../shared/adapters/attestations.ts";
import { createFetchHead } from "../../../shared/adapters/charts-http-fetch.ts";
import { hostile } from "../charts-port/hostile-server.ts";
import { S3_ACCESS, S3_SERVERS } from "../charts-port/s3-servers.ts";
import { failure } from "../kube-port/scripted-server.ts";

const attestations = createAttestations(createFetchHead());
const PROVENANCE = "-----BEGIN PGP SIGNED MESSAGE-----";

describe("the provenance beside a package", () => {
  test("is asked for with the repository's credentials, its query kept", async () => {
    const server = await hostile((_, response) => response.end(PROVENANCE));
    const access = { url: server.url, username: "ann", password: "pw" };
    const found = await attestations.fetchProvenance(access, `${server.url}/web-1.0.0+7.tgz?x=1`);
    expect(Buffer.from(found ?? []).toString()).toBe(PROVENANCE);
    const [request] = server.requests;
    expect(request?.url).toBe("/web-1.0.0+7.tgz.prov?x=1");
    expect(request?.headers.authorization).toMatch(/^Basic /);
    await attestations.fetchProvenance({ ...access, url: "http://localhost:1" }, `${server.url}/web.tgz`);
    expect(server.requests[1]?.headers.authorization).toBeUndefined();
  });

  test.each([404, 410])("is not there where the server answers %s", async (status) => {
    const server = await hostile((_, response) => response.writeHead(status).end("no such file"));
    expect(await attestations.fetchProvenance(server, `${server.url}/web.tgz`)).toBeUndefined();
  });

  test.each([
    [401, "Invalid"],
    [403, "Invalid"],
    [500, "Unavailable"],
    [429, "Unavailable"],
  ])("cannot be had where the server answers %s: %s", async (status, kind) => {
    const server = await hostile((_, response) => response.writeHead(status).end());
    const failed = await failure(attestations.fetchProvenance(server, `${server.url}/web.tgz`));
    expect(failed).toMatchObject({ kind, message: expect.stringContaining(`web.tgz.prov: HTTP ${status}`) });
  });

  test("is not read beyond 256 KiB", async () => {
    const server = await hostile((_, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(64 * 1024, "a")));
      };
      response.on("drain", more);
      more();
    });
    const failed = await failure(attestations.fetchProvenance(server, `${server.url}/web.tgz`));
    expect(failed).toMatchObject({ kind: "TooLarge", message: expect.stringContaining("262144 bytes") });
  });

  test("comes with no cosign signatures: those are in registries", async () => {
    expect(
      await attestations.fetchSignatures({ url: "http://127.0.0.1:1" }, "http://127.0.0.1:1/web.tgz"),
    ).toBeUndefined();
  });
});

describe.each(S3_SERVERS)("provenance in a bucket on %s", (_, start) => {
  test("is found beside the package, and not where there is none", async () => {
    await using server = await start();
    await server.put("/charts/index.yaml", Buffer.from("apiVersion: v1\nentries: {}\n"));
    await server.put("/charts/web-1.0.0.tgz.prov", Buffer.from(PROVENANCE));
    const access = { url: `s3://127.0.0.1:${server.port}/charts`, s3: S3_ACCESS };
    const found = await attestations.fetchProvenance(access, `${access.url}/web-1.0.0.tgz`);
    expect(Buffer.from(found ?? []).toString()).toBe(PROVENANCE);
    expect(await attestations.fetchProvenance(access, `${access.url}/web-1.1.0.tgz`)).toBeUndefined();
  });
});
