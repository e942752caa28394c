import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { connect } from "nats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KINDS } from "../../knative/generate/kinds.ts";
import { startKubernetesApi } from "../../knative/local/api/kubernetes-api.ts";
import { MANIFESTS_FOLDER } from "../../knative/local/manifests.ts";
import { startNatsProcess } from "../../knative/local/nats-process.ts";
import type { KubeObject } from "../../shared/resource.ts";
import { binary } from "../support/binaries.ts";
import { KUBESPHERE_OBJECTS } from "./kubesphere-objects.ts";
import { NEW_OBJECTS } from "./new-objects.ts";

const run = promisify(execFile);
const stops: (() => Promise<unknown>)[] = [];
let folder = "";
let kubeconfig = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "conformance-"));
  stops.unshift(() => rm(folder, { recursive: true }));
  const nats = await startNatsProcess({ binary: binary("nats-server"), folder: join(folder, "nats"), port: 0 });
  stops.unshift(() => nats.stop());
  const connection = await connect({ servers: nats.url });
  stops.unshift(() => connection.close());
  const api = await startKubernetesApi({ nats: connection, storage: "memory" });
  stops.unshift(() => api.close());
  kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, api.kubeconfig());
  const manifests = ["namespace.yaml", "crds", "rbac"].flatMap((name) => ["-f", join(MANIFESTS_FOLDER, name)]);
  await kubectl("apply", ...manifests);
  await kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=30s");
  await kubectl("create", "namespace", "demo");
});

afterAll(async () => {
  for (const stop of stops) await stop();
});

describe.each(
  [...KUBESPHERE_OBJECTS, ...NEW_OBJECTS].map((object) => [object.kind, object.metadata.name, object] as const),
)("%s %s", (kind, _, object) => {
  const { namespace = "default", name } = object.metadata;
  const target = [kind.toLowerCase(), name, "-n", namespace];

  test("passes kubectl apply with nothing dropped", async () => {
    const { stderr } = await kubectl("apply", "-f", await file(withoutStatus(object)));
    expect(stderr).toBe("");
    if ("status" in object) {
      const patch = JSON.stringify({ status: object.status });
      await kubectl("patch", ...target, "--subresource=status", "--type=merge", "-p", patch);
    }
    const stored = JSON.parse((await kubectl("get", ...target, "-o", "json")).stdout);
    expect(stored).toMatchObject({ ...object, metadata: ownMetadata(object) });
  });

  test("a field that nobody knows is refused", async () => {
    const spec = { ...(object as unknown as { spec: object }).spec, colour: "red" };
    const other = { ...withoutStatus(object), metadata: { name: `${name}-x`, namespace } };
    const path = await file(Object.assign(other, { spec }));
    await expect(kubectl("apply", "-f", path)).rejects.toThrow(/unknown field "spec.colour"/);
  });

  test("shows its columns", async () => {
    const { stdout } = await kubectl("get", ...target);
    const columns = KINDS.find((each) => each.kind === kind)?.columns ?? [];
    const heads = columns.map((column) => column.name.toUpperCase());
    expect(stdout.split("\n")[0]?.split(/\s{2,}/)).toEqual(["NAME", ...heads]);
  });
});

test("the category lists all kinds, and kubectl explain teaches a field", async () => {
  const { stdout } = await kubectl("get", "openpitrix", "-A", "-o", "name");
  const plurals = stdout
    .trim()
    .split("\n")
    .map((line) => line.split(".")[0]);
  expect(new Set(plurals)).toEqual(new Set(KINDS.map(({ singular }) => singular)));
  const explained = await kubectl("explain", "helmrepos.spec.syncPeriod");
  expect(explained.stdout).toMatch(/FIELD: syncPeriod <integer>[\s\S]*Seconds between two syncs/);
});

test("a version cannot jump the review", async () => {
  const target = ["helmapplicationversion", "appv-n04mj714o54k56"];
  const jump = kubectl(
    "patch",
    ...target,
    "--subresource=status",
    "--type=merge",
    "-p",
    '{"status":{"state":"suspended"}}',
  );
  await expect(jump).rejects.toThrow(/no act leads from the state this version is in/);
});

test.each<[string, string, string, string]>([
  ["yes", "repo-sync-tick", "list", "helmrepos.application.kubesphere.io"],
  ["no", "repo-sync-tick", "update", "helmrepos.application.kubesphere.io"],
  ["yes", "version-approved", "update", "helmapplicationversions.application.kubesphere.io/status"],
  ["no", "version-approved", "get", "helmrepos.application.kubesphere.io"],
  ["yes", "repo-sync-started", "get", "secrets -n openpitrix"],
  ["no", "repo-sync-started", "create", "secrets -n openpitrix"],
  ["no", "repo-sync-started", "list", "secrets -n openpitrix"],
  ["no", "repo-sync-started", "get", "secrets -n demo"],
  ["yes", "repo-sync-requested", "patch", "secrets -n openpitrix"],
  ["no", "repo-sync-requested", "patch", "secrets -n demo"],
  ["yes", "source-store-objects", "watch", "helmreleases.application.kubesphere.io"],
  ["no", "source-store-objects", "watch", "secrets"],
])("%s: %s may %s %s", async (...[answer, account, verb, what]) => {
  const as = `--as=system:serviceaccount:openpitrix:${account}`;
  const [resource = "", subresource] = what.split("/");
  const scope = subresource === undefined ? [] : [`--subresource=${subresource}`];
  const asked = kubectl("auth", "can-i", verb, ...resource.split(" "), ...scope, as);
  const { stdout } = await asked.catch((error: { stdout: string }) => error);
  expect(stdout.trim()).toBe(answer);
});

function kubectl(...args: readonly string[]) {
  return run(binary("kubectl"), [`--kubeconfig=${kubeconfig}`, ...args]);
}

/** The object as a client creates it: the API server takes status on its own, and an owner has to be there. */
function withoutStatus(object: KubeObject): KubeObject {
  const { status: _, ...rest } = object as KubeObject & { status?: unknown };
  return { ...rest, metadata: ownMetadata(object) };
}

function ownMetadata({ metadata: { ownerReferences: _, ...metadata } }: KubeObject): KubeObject["metadata"] {
  return metadata;
}

async function file(object: KubeObject): Promise<string> {
  const path = join(folder, `${object.kind}-${object.metadata.name}.json`);
  await writeFile(path, JSON.stringify(object));
  return path;
}
