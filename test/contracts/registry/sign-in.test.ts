import { generate } from "selfsigned";
import { beforeAll, describe, expect, test } from "vitest";
import { hostile } from "../charts-port/hostile-server.ts";
import { failure } from "../kube-port/scripted-server.ts";
import { protocolRegistry, type RegistryCall } from "./protocol-registry.ts";
import { freshCharts, sync, versionsOf } from "./sync.ts";

const ANN = { username: "ann", password: "pa55-w0rd" };
const BASIC = `Basic ${Buffer.from("ann:pa55-w0rd").toString("base64")}`;

interface Issued {
  readonly authorization: string | undefined;
  readonly query: Readonly<Record<string, string>>;
}

interface IssuerOptions {
  readonly expiresIn?: number;
  /** Whether somebody without credentials gets a token. */
  readonly anonymous?: boolean;
  readonly body?: string;
}

/** A token server as Docker specifies it. */
async function issuer({ expiresIn = 300, anonymous = false, body }: IssuerOptions = {}) {
  const issued: Issued[] = [];
  const server = await hostile((request, response, count) => {
    const { authorization } = request.headers;
    issued.push({ authorization, query: Object.fromEntries(new URL(request.url ?? "/", "http://x").searchParams) });
    if (authorization !== BASIC && !(anonymous && authorization === undefined)) return response.writeHead(401).end();
    response.end(body ?? JSON.stringify({ token: `t${count}`, expires_in: expiresIn }));
  });
  return { url: `${server.url}/token`, issued };
}

/** A registry that answers only to tokens of the issuer. */
async function guarded(realm: string, extra: { readonly scope?: string; readonly storage?: string } = {}) {
  const seen: RegistryCall[] = [];
  const registry = await protocolRegistry({
    ...(extra.storage === undefined ? {} : { storage: (digest) => `${extra.storage}/${digest}` }),
    intercept(call, response) {
      seen.push(call);
      if (/^Bearer t\d+$/.test(call.headers.authorization ?? "")) return false;
      const repository = /^\/v2\/(.+)\/(?:tags|manifests|blobs)\//.exec(call.path)?.[1];
      const scope = extra.scope ?? (repository ? `repository:${repository}:pull` : "registry:catalog:*");
      response.setHeader("www-authenticate", `Bearer realm="${realm}",service="reg",scope="${scope}"`);
      return !!response.writeHead(401).end(JSON.stringify({ errors: [{ code: "UNAUTHORIZED" }] }));
    },
  });
  registry.push({ repository: "store/web", tag: "1.0.0" });
  registry.push({ repository: "store/db", tag: "2.0.0" });
  return { registry, seen, access: { url: `oci://${registry.host}/store` } };
}

describe("tokens", () => {
  test("are asked for with the password, for each repository once, and the registry never sees it", async () => {
    const { url, issued } = await issuer();
    const { registry, seen, access } = await guarded(url);
    const charts = freshCharts();
    const found = await sync(charts, { ...access, ...ANN });
    expect(versionsOf(found)).toEqual(["db 2.0.0", "web 1.0.0"]);
    expect(issued.map(({ query }) => query["scope"]).sort()).toEqual([
      "registry:catalog:*",
      "repository:store/db:pull",
      "repository:store/web:pull",
      "repository:store:pull",
    ]);
    for (const { authorization, query } of issued) {
      expect(authorization).toBe(BASIC);
      expect(query["service"]).toBe("reg");
    }
    expect(seen.filter(({ headers }) => headers.authorization === undefined)).toHaveLength(1);
    expect(seen.some(({ headers }) => headers.authorization === BASIC)).toBe(false);
    registry.push({ repository: "store/web", tag: "1.1.0" });
    await sync(charts, { ...access, ...ANN }, found.known);
    expect(issued).toHaveLength(4);
  });

  test("of other people are not used", async () => {
    const { url, issued } = await issuer({ anonymous: true });
    const { access } = await guarded(url);
    const charts = freshCharts();
    await sync(charts, { ...access, ...ANN });
    await sync(charts, access);
    expect(issued.map(({ authorization }) => authorization)).toEqual([
      ...Array(4).fill(BASIC),
      ...Array(4).fill(undefined),
    ]);
  });

  test("that have run out, or that the registry does not take any more, are asked for again", async () => {
    const { url, issued } = await issuer({ expiresIn: 0 });
    const { access } = await guarded(url);
    await sync(freshCharts(), { ...access, ...ANN, charts: ["web"] });
    expect(issued.length).toBeGreaterThan(2);
    const once = await issuer();
    const { registry } = await guarded(once.url);
    const charts = freshCharts();
    const named = { url: `oci://${registry.host}/store`, charts: ["web"], ...ANN };
    await sync(charts, named);
    const picky = await protocolRegistry({
      intercept({ headers }, response) {
        if (headers.authorization === "Bearer t2") return false;
        response.setHeader("www-authenticate", `Bearer realm="${once.url}",service="reg"`);
        return !!response.writeHead(401).end();
      },
    });
    picky.push({ repository: "store/web", tag: "1.0.0" });
    expect(versionsOf(await sync(charts, { ...named, url: `oci://${picky.host}/store` }))).toEqual(["web 1.0.0"]);
  });

  test("may be for a scope of the registry's own", async () => {
    const { url, issued } = await issuer({ anonymous: true });
    const { access } = await guarded(url, { scope: "aws" });
    await sync(freshCharts(), access);
    expect(issued.map(({ query }) => query["scope"])).toEqual(["aws"]);
  });

  test("that the user has already are sent as they are", async () => {
    const { url, issued } = await issuer();
    const { access } = await guarded(url);
    expect(versionsOf(await sync(freshCharts(), { ...access, token: "t9" }))).toHaveLength(2);
    expect(issued).toEqual([]);
  });

  test("that are refused say what to check, never with the password", async () => {
    const { url } = await issuer();
    const { access } = await guarded(url);
    const wrong = await failure(
      sync(freshCharts(), { ...access, username: "ann", password: "wr0ng", charts: ["web"] }),
    );
    expect(wrong.kind).toBe("Invalid");
    expect(wrong.message).toContain(
      "HTTP 401, no token for repository:store/web:pull; check the repository's credentials",
    );
    expect(wrong.message).not.toContain("wr0ng");
    const nobody = await failure(sync(freshCharts(), { ...access, charts: ["web"] }));
    expect(nobody.message).toContain("give the repository a secretRef");
  });

  test.each(["{", "[]", '{"token":7}', '{"token":"a\\nb: c"}', `{"token":"${"t".repeat(40_000)}"}`])(
    "%.30s is none",
    async (body) => {
      const { url } = await issuer({ body });
      const { access } = await guarded(url);
      const error = await failure(sync(freshCharts(), { ...access, ...ANN, charts: ["web"] }));
      expect(error.message).toContain("the answer holds no token");
    },
  );
});

describe("credentials", () => {
  let tls: { readonly cert: string; readonly private: string };
  beforeAll(async () => {
    const extensions = [{ name: "subjectAltName" as const, altNames: [{ type: 7 as const, ip: "127.0.0.1" }] }];
    tls = await generate([{ name: "commonName", value: "registry" }], { extensions });
  });

  test("go to a registry that asks for them, and to no storage that it redirects to", async () => {
    const stored = new Map<string, Buffer>();
    const storage = await hostile((request, response) => {
      response.end(stored.get(request.url?.slice(1) ?? "") ?? "nothing");
    });
    const registry = await protocolRegistry({
      storage: (digest) => `${storage.url}/${digest}`,
      intercept({ headers }, response) {
        if (headers.authorization === BASIC) return false;
        return !!response.writeHead(401, { "www-authenticate": 'Basic realm="r"' }).end();
      },
    });
    registry.push({ repository: "store/web", tag: "1.0.0" });
    for (const [digest, bytes] of registry.blobs()) stored.set(digest, bytes);
    const access = { url: `oci://${registry.host}/store`, charts: ["web"] };
    const charts = freshCharts();
    const found = await sync(charts, { ...access, ...ANN });
    expect(versionsOf(found)).toEqual(["web 1.0.0"]);
    await charts.fetchPackage({ ...access, ...ANN }, found.entries[0]?.versions[0]?.urls[0] ?? "");
    expect(storage.requests).toHaveLength(2);
    for (const { headers } of storage.requests) expect(headers.authorization).toBeUndefined();
    const error = await failure(sync(freshCharts(), access));
    expect(error.message).toContain("HTTP 401; check the repository's credentials");
  });

  test("go nowhere over plain http but to the registry's own host", async () => {
    const { url, issued } = await issuer();
    const registry = await protocolRegistry({
      tls: { key: tls.private, cert: tls.cert },
      intercept(_, response) {
        return !!response.writeHead(401, { "www-authenticate": `Bearer realm="${url}",service="r"` }).end();
      },
    });
    const access = { url: `oci://${registry.host}/store`, charts: ["web"], plainHttp: false, ca: tls.cert, ...ANN };
    const error = await failure(sync(freshCharts(), access));
    expect(error.kind).toBe("Invalid");
    expect(error.message).toContain("is a plain http address on another host, so no credentials are sent there");
    expect(issued).toEqual([]);
  });

  test("do not follow where the issuer of tokens redirects to", async () => {
    const { url, issued } = await issuer({ anonymous: true });
    const moved = await hostile((_, response) => response.writeHead(307, { location: url }).end());
    const { access } = await guarded(`${moved.url}/token`);
    await sync(freshCharts(), { ...access, ...ANN, charts: ["web"] });
    expect(issued.length).toBeGreaterThan(0);
    for (const { authorization } of issued) expect(authorization).toBeUndefined();
  });

  test("stay at home when an index leads to a registry elsewhere", async () => {
    const seen: (string | undefined)[] = [];
    const registry = await protocolRegistry({
      intercept: ({ headers }) => !seen.push(headers.authorization),
    });
    registry.push({ repository: "store/web", tag: "1.0.0" });
    const access = { url: "http://127.0.0.1:9/charts", ...ANN, token: "t" };
    await freshCharts().fetchPackage(access, `oci://${registry.host}/store/web:1.0.0`);
    expect(seen).toEqual([undefined, undefined]);
  });

  test("a registry on https is verified, and spoken to in plain only on loopback addresses", async () => {
    const registry = await protocolRegistry({ tls: { key: tls.private, cert: tls.cert } });
    registry.push({ repository: "store/web", tag: "1.0.0" });
    const access = { url: `oci://${registry.host}/store`, plainHttp: false };
    expect(versionsOf(await sync(freshCharts(), { ...access, ca: tls.cert }))).toEqual(["web 1.0.0"]);
    expect((await failure(sync(freshCharts(), access))).message).toContain("give the repository's CA");
    const far = await failure(sync(freshCharts(), { url: "oci://no-such-host.invalid/store" }));
    expect(far.message).toContain("https://no-such-host.invalid/");
    const told = await failure(sync(freshCharts(), { url: "oci://no-such-host.invalid/store", plainHttp: true }));
    expect(told.message).toContain("http://no-such-host.invalid/");
  });
});
