import { afterAll, beforeAll, expect, test } from "vitest";
import type { Laptop } from "../../knative/local/laptop.ts";
import { findCondition } from "../../shared/conditions.ts";
import { SYSTEM_NAMESPACE } from "../../shared/origin.ts";
import { apiVersionOf, type KubeObject, type ResourceDefinition } from "../../shared/resource.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { ANNOTATION } from "../../shared/resources/labels.ts";
import { type HostileServer, startHostile } from "../contracts/charts-port/hostile-server.ts";
import { startTestLaptop } from "../support/laptop.ts";
import { until } from "../support/until.ts";

const INDEX = "apiVersion: v1\nentries: {}\n";
const PASSWORD = "pa55-w0rd";
const ANN = `Basic ${Buffer.from(`ann:${PASSWORD}`).toString("base64")}`;
const TOKEN = "Bearer t0ken-t0ken";

let laptop: Laptop;
let server: HostileServer;

/** `/basic` is for Ann, `/token` for who has the token. */
beforeAll(async () => {
  server = await startHostile(({ url, headers }, response) => {
    const wanted = url?.startsWith("/token") ? TOKEN : ANN;
    response.writeHead(headers.authorization === wanted ? 200 : 401).end(INDEX);
  });
  laptop = await startTestLaptop();
});
afterAll(async () => {
  await laptop?.close();
  await server?.[Symbol.asyncDispose]();
});

async function create(kind: ResourceDefinition, metadata: KubeObject["metadata"], rest: object): Promise<void> {
  const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...rest };
  await laptop.kube.create(kind, object as KubeObject, "test");
}

const addRepository = (name: string, spec: Partial<HelmRepo["spec"]>) =>
  create(HelmRepo, { name }, { spec: { name, syncPeriod: 0, ...spec } });

const addSecret = (name: string, type: string, data: Record<string, string>) => {
  const encoded = Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString("base64")]);
  return create(Secret, { name, namespace: SYSTEM_NAMESPACE }, { type, data: Object.fromEntries(encoded) });
};

/** The repository once so many syncs have ended. */
function synced(name: string, times = 1) {
  const found = () => laptop.kube.get(HelmRepo, name);
  const ended = async () => {
    const repo = await found();
    return repo?.status?.syncState?.length === times && repo.status.state !== "syncing" && repo;
  };
  return until(`${name} is synced`, ended, { found });
}

const readyOf = ({ status }: HelmRepo) => findCondition(status?.conditions, "Ready");

test.each([
  ["in the fields of KubeSphere", (url: string) => ({ url, credential: { username: "ann", password: PASSWORD } })],
  ["in the URL", (url: string) => ({ url: url.replace("//", `//ann:${PASSWORD}@`) })],
])("credentials %s are used, moved into a Secret and blanked", async (where, specOf) => {
  const name = `inline-${where.length}`;
  const spec = { name, syncPeriod: 0, ...specOf(`${server.url}/basic`) };
  const annotations = { "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify({ spec }) };
  await create(HelmRepo, { name, annotations }, { spec });
  const repo = await synced(name);
  expect(readyOf(repo)).toMatchObject({ status: "True" });
  expect(findCondition(repo.status?.conditions, "CredentialsMoved")).toMatchObject({ status: "True" });
  expect(repo.spec).toMatchObject({ url: `${server.url}/basic`, secretRef: { name: `${name}-credentials` } });
  const secret = await laptop.kube.get(Secret, { name: `${name}-credentials`, namespace: SYSTEM_NAMESPACE });
  expect(Buffer.from(secret?.data?.["password"] ?? "", "base64").toString()).toBe(PASSWORD);
  const again = { name, annotations: { [ANNOTATION.requestedAt]: "again" } };
  await laptop.kube.apply(HelmRepo, { ...bare(name), metadata: again }, "test");
  expect(readyOf(await synced(name, 2))).toMatchObject({ status: "True" });
  expect(JSON.stringify([await laptop.kube.get(HelmRepo, name), laptop.published()])).not.toContain(PASSWORD);
});

test.each<[string, string, Record<string, string>]>([
  ["kubernetes.io/basic-auth", "/basic", { username: "ann", password: PASSWORD }],
  ["kubernetes.io/dockerconfigjson", "/basic", {}],
  ["Opaque", "/token", { token: "t0ken-t0ken" }],
])("a Secret of type %s signs in", async (type, path, data) => {
  const name = `typed-${type.length}`;
  const auths = { [new URL(server.url).host]: { username: "ann", password: PASSWORD } };
  const docker = type.endsWith("dockerconfigjson") ? { ".dockerconfigjson": JSON.stringify({ auths }) } : {};
  await addSecret(name, type, { ...data, ...docker });
  await addRepository(name, { url: `${server.url}${path}`, secretRef: { name } });
  expect(readyOf(await synced(name))).toMatchObject({ status: "True" });
});

test.each<[string, Partial<HelmRepo["spec"]>, RegExp]>([
  ["wrong ones", { secretRef: { name: "wrong" } }, /HTTP 401; check the repository's credentials/],
  [
    "a Secret that is not there",
    { secretRef: { name: "nowhere" } },
    /Secret openpitrix\/nowhere .*does not exist; create it/,
  ],
  [
    "a Secret of another namespace",
    { secretRef: { name: "wrong", namespace: "kube-system" } },
    /only Secrets in openpitrix/,
  ],
  [
    "a file of another machine",
    { credential: { caFile: "/etc/ca.pem" } },
    /names a file of another machine; put its content/,
  ],
])("%s are told in the condition", async (what, spec, cause) => {
  if (what === "wrong ones") await addSecret("wrong", "Opaque", { username: "ann", password: "wr0ng-w0rd" });
  const name = `refused-${what.length}`;
  await addRepository(name, { url: `${server.url}/basic`, ...spec });
  const ready = readyOf(await synced(name));
  expect(ready).toMatchObject({ status: "False", message: expect.stringMatching(cause) });
  expect(JSON.stringify(laptop.published())).not.toContain("wr0ng-w0rd");
});

function bare(name: string): KubeObject {
  return { apiVersion: apiVersionOf(HelmRepo), kind: HelmRepo.kind, metadata: { name } };
}
