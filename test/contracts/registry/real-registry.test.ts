import { createSign, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { generate } from "selfsigned";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PackageToMake } from "../../../knative/local/demo/chart-packages.ts";
import { REGISTRY_USER, startRegistry, type TestRegistry } from "../../support/registry.ts";
import { hostile } from "../charts-port/hostile-server.ts";
import { failure } from "../kube-port/scripted-server.ts";
import { freshCharts, sync, versionsOf } from "./sync.ts";

const PACKAGES: readonly PackageToMake[] = [
  { chart: "hello-web", version: "1.0.0" },
  { chart: "hello-web", version: "1.1.0+build.7" },
  { chart: "clock", version: "0.3.0" },
];
const BASIC = `Basic ${Buffer.from(`${REGISTRY_USER.username}:${REGISTRY_USER.password}`).toString("base64")}`;

describe("Debian's docker-registry, pushed to by helm", () => {
  let registry: TestRegistry;
  let files: readonly string[];
  beforeAll(async () => {
    registry = await startRegistry();
    files = await registry.push("store", PACKAGES);
  });
  afterAll(() => registry[Symbol.asyncDispose]());

  test("is synced by its catalog; every package is what helm pushed and what helm pulls", async () => {
    const charts = freshCharts();
    const access = { url: `oci://${registry.host}/store` };
    const found = await sync(charts, access);
    expect(versionsOf(found)).toEqual(["clock 0.3.0", "hello-web 1.1.0+build.7", "hello-web 1.0.0"]);
    for (const { name, version, urls } of found.entries.flatMap(({ versions }) => versions)) {
      const pushed = await readFile(files.find((file) => file.endsWith(`/${name}-${version}.tgz`)) ?? "");
      for (const url of urls) expect(Buffer.from(await charts.fetchPackage(access, url)).equals(pushed)).toBe(true);
      const to = ["--version", version, "--destination", registry.folder];
      await registry.helm("pull", `oci://${registry.host}/store/${name}`, ...to);
      expect((await readFile(join(registry.folder, `${name}-${version}.tgz`))).equals(pushed)).toBe(true);
    }
  });

  test("shows what helm pushes next, among all and alone", async () => {
    const charts = freshCharts();
    const access = { url: `oci://${registry.host}/next` };
    await registry.push("next", PACKAGES.slice(0, 1));
    const first = await sync(charts, access);
    expect((await sync(charts, access, first.known)).changed).toBe(false);
    await registry.push("next", [{ chart: "hello-web", version: "1.2.0" }]);
    const second = await sync(charts, access, first.known);
    expect(versionsOf(second)).toEqual(["hello-web 1.2.0", "hello-web 1.0.0"]);
    const entry = first.known.entry ?? (() => undefined);
    const only = await sync(charts, access, { entry, only: { chart: "hello-web", version: "1.2.0" } });
    expect(only.entries).toEqual(second.entries);
  });
});

describe("a docker-registry that wants to be signed in to", () => {
  test("by user name and password", async () => {
    await using registry = await startRegistry({ signIn: { kind: "basic" } });
    await registry.push("store", PACKAGES.slice(2));
    const access = { url: `oci://${registry.host}/store`, ...REGISTRY_USER };
    expect(versionsOf(await sync(freshCharts(), access))).toEqual(["clock 0.3.0"]);
    const wrong = await failure(sync(freshCharts(), { ...access, password: "wr0ng" }));
    expect(wrong).toMatchObject({ kind: "Invalid", message: expect.stringContaining("HTTP 401 (UNAUTHORIZED") });
    const nobody = await failure(sync(freshCharts(), { url: access.url }));
    expect(nobody.message).toContain("check the repository's credentials");
  });

  test("by tokens that it verifies, for what their scope allows", async () => {
    const { cert, private: key } = await generate([{ name: "commonName", value: "issuer" }], { keySize: 2048 });
    const scopes: string[] = [];
    const issuer = await hostile((request, response) => {
      const { searchParams } = new URL(request.url ?? "/", "http://issuer");
      if (request.headers.authorization !== BASIC) return response.writeHead(401).end();
      scopes.push(...searchParams.getAll("scope"));
      response.end(JSON.stringify({ token: signed({ cert, key }, searchParams.getAll("scope")), expires_in: 300 }));
    });
    const signIn = { kind: "token" as const, realm: `${issuer.url}/token`, issuer: "test", certificate: cert };
    await using registry = await startRegistry({ signIn });
    await registry.push("store", PACKAGES.slice(2));
    scopes.splice(0);
    const charts = freshCharts();
    const access = { url: `oci://${registry.host}/store`, ...REGISTRY_USER };
    const found = await sync(charts, access);
    expect(versionsOf(found)).toEqual(["clock 0.3.0"]);
    expect(scopes).toEqual(["repository:store:pull", "registry:catalog:*", "repository:store/clock:pull"]);
    const bytes = await charts.fetchPackage(access, found.entries[0]?.versions[0]?.urls[0] ?? "");
    expect(bytes.length).toBeGreaterThan(100);
    expect(scopes).toHaveLength(3);
  });
});

/** A token as Docker's token specification has it, signed with a certificate that the registry trusts. */
function signed({ cert, key }: { readonly cert: string; readonly key: string }, scopes: readonly string[]): string {
  const access = scopes.map((scope) => {
    const [type, name, actions = ""] = /^([^:]+):(.+):([^:]+)$/.exec(scope)?.slice(1) ?? [];
    return { type, name, actions: actions.split(",") };
  });
  const now = Math.floor(Date.now() / 1000);
  const x5c = [new X509Certificate(cert).raw.toString("base64")];
  const claims = {
    iss: "test",
    sub: "ann",
    aud: "registry",
    iat: now,
    nbf: now - 60,
    exp: now + 300,
    jti: "1",
    access,
  };
  const parts = [{ typ: "JWT", alg: "RS256", x5c }, claims].map((part) => base64url(JSON.stringify(part)));
  return [...parts, createSign("RSA-SHA256").update(parts.join(".")).sign(key, "base64url")].join(".");
}

function base64url(text: string): string {
  return Buffer.from(text).toString("base64url");
}
