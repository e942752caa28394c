import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../../../knative/local/tools/run-command.ts";
import type { Access } from "../../../shared/access-port.ts";
import { createKube, type Kube } from "../../../shared/adapters/kubernetes.ts";
import { createAccess } from "../../../shared/adapters/kubernetes-access.ts";
import { externalResource, type KubeObject } from "../../../shared/resource.ts";
import { binary } from "../../support/binaries.ts";
import { startCluster, type TestCluster } from "./cluster.ts";

const RBAC = { group: "rbac.authorization.k8s.io", version: "v1", scope: "Cluster" } as const;
const ClusterRole = externalResource<"ClusterRole", KubeObject & { readonly rules: readonly object[] }>({
  ...RBAC,
  kind: "ClusterRole",
  plural: "clusterroles",
});

let cluster: TestCluster;
let kube: Kube;
let access: Access;
let clock = 0;
const kubectl = async (...args: readonly string[]) =>
  (await runCommand(binary("kubectl"), ["--kubeconfig", cluster.kubeconfig, ...args])).trim();

beforeAll(async () => {
  cluster = await startCluster();
  kube = createKube({ from: "kubeconfig", path: cluster.kubeconfig });
  access = createAccess(kube, () => clock);
});
afterAll(async () => {
  kube?.close();
  await cluster?.stop();
});

const wish = { verb: "review", group: "openpitrix.io", resource: "apps", subresource: "versions" };

test("a token's user is known, and may what roles say, no more and no less", async () => {
  await kubectl("create", "serviceaccount", "rita", "-n", "default");
  const token = await kubectl("create", "token", "rita", "-n", "default");
  const user = await access.authenticate(token);
  expect(user).toMatchObject({ name: "system:serviceaccount:default:rita" });
  expect(user?.groups).toContain("system:serviceaccounts");
  if (!user) throw new Error("the token is nobody's");
  const before = await access.permits(user, wish);
  expect(before).toMatchObject({ allowed: false });
  expect(JSON.stringify(before)).toContain("rita may not review apps/versions of openpitrix.io");

  const rules = [{ apiGroups: ["openpitrix.io"], resources: ["apps/versions"], verbs: ["review"] }];
  await kube.create(
    ClusterRole,
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "reviewers" },
      rules,
    } as KubeObject,
    "test",
  );
  await kubectl(
    "create",
    "clusterrolebinding",
    "rita-reviews",
    "--clusterrole=reviewers",
    "--serviceaccount=default:rita",
  );
  expect(await access.permits(user, wish), "an answer counts for some seconds").toMatchObject({ allowed: false });
  clock += 60_000;
  expect(await access.permits(user, wish)).toEqual({ allowed: true });
  expect(await access.permits(user, { ...wish, verb: "release" })).toMatchObject({ allowed: false });
});

test.each(["", "x", "a.b.c", "x".repeat(100_000)])("a token that is nobody's is nobody's", async (token) => {
  expect(await access.authenticate(token)).toBe(undefined);
});

test("an API server that is down is no answer, and is asked again", async () => {
  let asked = 0;
  const down = createAccess({
    review: async () => {
      asked++;
      throw new Error("it is down");
    },
  });
  await expect(down.authenticate("token")).rejects.toThrow("it is down");
  await expect(down.authenticate("token")).rejects.toThrow("it is down");
  expect(asked).toBe(2);
});
