import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate } from "selfsigned";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failure } from "../../test/contracts/kube-port/scripted-server.ts";
import type { ResourceDefinition } from "../resource.ts";
import { createKube } from "./kubernetes.ts";
import { connectKube } from "./kubernetes-config.ts";

const Widget: ResourceDefinition = { group: "", version: "v1", kind: "Widget", plural: "widgets", scope: "Cluster" };

let folder: string;
let server: Server;
let port: number;
let certificate: { readonly cert: string; readonly private: string };
const authorizations: (string | undefined)[] = [];

/** A TLS server that knows only the token `good` and answers with the identity it saw. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kube-config-"));
  const altNames = [{ type: 7 as const, ip: "127.0.0.1" }];
  certificate = await generate([{ name: "commonName", value: "api" }], {
    extensions: [{ name: "subjectAltName", altNames }],
  });
  server = createServer({ key: certificate.private, cert: certificate.cert }, (request, response) => {
    const { authorization } = request.headers;
    authorizations.push(authorization);
    response.statusCode = authorization === "Bearer stale" ? 401 : 200;
    response.end(JSON.stringify({ kind: "Widget", metadata: { name: "w" }, authorization }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

/** Writes a kubeconfig of one cluster and one user. */
async function kubeconfig(name: string, parts: { readonly cluster: object; readonly user?: object }): Promise<string> {
  const path = join(folder, name);
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "here",
    contexts: [{ name: "here", context: { cluster: "c", ...(parts.user ? { user: "u" } : {}) } }],
    clusters: [{ name: "c", cluster: parts.cluster }],
    users: parts.user ? [{ name: "u", user: parts.user }] : [],
  };
  await writeFile(path, JSON.stringify(config));
  return path;
}

async function seenBy(path: string): Promise<unknown> {
  const kube = createKube({ from: "kubeconfig", path });
  const object = await kube.get(Widget, "w");
  kube.close();
  return object;
}

describe("in a Pod", () => {
  test("the mounted CA and token are used; a rotated token is read after a 401", async () => {
    await writeFile(join(folder, "ca.crt"), certificate.cert);
    await writeFile(join(folder, "token"), "good\n");
    const kube = createKube({ from: "pod", host: "127.0.0.1", port: String(port), directory: folder });
    expect(await kube.get(Widget, "w")).toMatchObject({ authorization: "Bearer good" });
    kube.close();
    await writeFile(join(folder, "token"), "stale");
    const later = createKube({ from: "pod", host: "127.0.0.1", port: String(port), directory: folder });
    expect((await failure(later.get(Widget, "w"))).kind).toBe("Forbidden");
    await writeFile(join(folder, "token"), "fresh");
    expect(await later.get(Widget, "w")).toMatchObject({ authorization: "Bearer fresh" });
    later.close();
  });

  test("a missing token names the file and what to do", async () => {
    const kube = createKube({ from: "pod", host: "::1", port: "443", directory: join(folder, "none") });
    const error = await failure(kube.get(Widget, "w"));
    expect(error.kind).toBe("Unavailable");
    expect(error.message).toMatch(/none\/(token|ca\.crt).*mounted ServiceAccount token, or name a kubeconfig/);
  });
});

describe("with a kubeconfig", () => {
  const cluster = () => ({
    server: `https://127.0.0.1:${port}`,
    "certificate-authority-data": Buffer.from(certificate.cert).toString("base64"),
  });

  test("tokens, passwords and exec plugins identify us", async () => {
    const token = await kubeconfig("token", { cluster: cluster(), user: { token: "good" } });
    expect(await seenBy(token)).toMatchObject({ authorization: "Bearer good" });
    const password = await kubeconfig("password", { cluster: cluster(), user: { username: "ann", password: "pw" } });
    expect(await seenBy(password)).toMatchObject({
      authorization: `Basic ${Buffer.from("ann:pw").toString("base64")}`,
    });
    const credential = {
      kind: "ExecCredential",
      apiVersion: "client.authentication.k8s.io/v1",
      status: { token: "x" },
    };
    const exec = { apiVersion: credential.apiVersion, command: "echo", args: [JSON.stringify(credential)] };
    expect(await seenBy(await kubeconfig("exec", { cluster: cluster(), user: { exec } }))).toMatchObject({
      authorization: "Bearer x",
    });
  });

  test("the CA counts also without a user, and TLS is verified", async () => {
    expect(await seenBy(await kubeconfig("anonymous", { cluster: cluster() }))).toMatchObject({ kind: "Widget" });
    const distrusting = await kubeconfig("distrust", { cluster: { server: `https://127.0.0.1:${port}` } });
    expect((await failure(seenBy(distrusting))).message).toContain("self-signed certificate");
    const careless = { server: `https://127.0.0.1:${port}`, "insecure-skip-tls-verify": true };
    expect(await seenBy(await kubeconfig("careless", { cluster: careless }))).toMatchObject({ kind: "Widget" });
  });

  test("several files are one configuration", async () => {
    const first = join(folder, "first");
    await writeFile(first, JSON.stringify({ "current-context": "here", contexts: [], clusters: [], users: [] }));
    const second = await kubeconfig("second", { cluster: cluster(), user: { token: "good" } });
    expect(await seenBy(`${first}:${second}`)).toMatchObject({ authorization: "Bearer good" });
  });

  test.each([
    ["no file", () => Promise.resolve(join(folder, "nowhere")), "nowhere"],
    ["no cluster", () => kubeconfig("empty", { cluster: {} }), "empty"],
    ["no address", () => kubeconfig("odd", { cluster: { server: "ftp://x" } }), "ftp://x"],
  ])("%s is an error that names the place", async (_, path, named) => {
    const error = await failure(seenBy(await path()));
    expect(error.kind).toBe("Invalid");
    expect(error.message).toContain(named);
  });
});

test("credentials do not leave the machine in clear text", async () => {
  const connection = await connectKube({ from: "server", url: "http://api.example.org", token: "good" });
  const error = await failure(connection.authorize());
  expect(error.message).toContain("credentials are not sent without TLS");
  expect(error.message).not.toContain("good");
});
