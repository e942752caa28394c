import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../../knative/local/tools/run-command.ts";
import { createKube, type Kube } from "../../shared/adapters/kubernetes.ts";
import { toCrd } from "../../shared/crd.ts";
import { VersionState } from "../../shared/lifecycle/states.ts";
import { TRANSITIONS } from "../../shared/lifecycle/transitions.ts";
import type { KubeObject } from "../../shared/resource.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import { startCluster, type TestCluster } from "../contracts/kube-port/cluster.ts";
import { binary } from "../support/binaries.ts";
import { CustomResourceDefinition } from "../support/custom-resource-definition.ts";
import { until } from "../support/until.ts";

let cluster: TestCluster;
let kube: Kube;

beforeAll(async () => {
  cluster = await startCluster();
  kube = createKube({ from: "kubeconfig", path: cluster.kubeconfig });
  for (const kind of [HelmApplicationVersion, HelmPackage]) {
    await kube.apply(CustomResourceDefinition, toCrd(kind) as KubeObject, "test");
    await until(
      `${kind.plural} are served`,
      async () => (await kube.findKind(`${kind.group}/${kind.version}`, kind.kind)) !== undefined,
    );
  }
});
afterAll(async () => {
  kube?.close();
  await cluster?.stop();
});

/** The way by which functions bring a version into a state. */
const WAY: Readonly<Record<VersionState, readonly VersionState[]>> = {
  draft: ["draft"],
  submitted: ["draft", "submitted"],
  rejected: ["draft", "submitted", "rejected"],
  passed: ["draft", "submitted", "passed"],
  active: ["draft", "submitted", "passed", "active"],
  suspended: ["draft", "submitted", "passed", "active", "suspended"],
};

let made = 0;

/** A version with a package, in that state, or in none. */
async function versionIn(state: VersionState | undefined): Promise<string> {
  const name = `appv-cel-${++made}`;
  const version = {
    apiVersion: "application.kubesphere.io/v1alpha1",
    kind: "HelmApplicationVersion",
    metadata: { name },
  };
  let object = await kube.create(
    HelmApplicationVersion,
    { ...version, spec: { package: "pkg-1", name: "web", version: "1.0.0", digest: "sha256:1" } } as KubeObject,
    "test",
  );
  for (const next of state === undefined ? [] : WAY[state]) {
    object = await kube.replaceStatus(
      HelmApplicationVersion,
      { ...object, status: { state: next } } as KubeObject,
      "test",
    );
  }
  return name;
}

/** What kubectl says to a patch: "" where it was taken. */
async function patch(name: string, subresource: string | undefined, body: object): Promise<string> {
  const at = subresource === undefined ? [] : [`--subresource=${subresource}`];
  const args = ["--kubeconfig", cluster.kubeconfig, "patch", ...at, "--type=merge", "-p", JSON.stringify(body)];
  try {
    await runCommand(binary("kubectl"), [...args, name.includes("/") ? name : `helmapplicationversions/${name}`]);
    return "";
  } catch (error) {
    return error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
  }
}

const legal = new Set(TRANSITIONS.flatMap(({ from, to }) => from.map((state) => `${state} ${to}`)));
const pairs = VersionState.options.flatMap((from) => VersionState.options.map((to) => [from, to] as const));

describe("kubectl moves a version only as the functions would", () => {
  test.each(pairs)("%s to %s", async (from, to) => {
    const allowed = from === to || legal.has(`${from} ${to}`);
    const answer = await patch(await versionIn(from), "status", { status: { state: to } });
    expect(answer === "", answer).toBe(allowed);
    if (!allowed) expect(answer).toContain("no act leads from the state this version is in to that one");
  });

  test.each(VersionState.options)("from no state to %s", async (to) => {
    const answer = await patch(await versionIn(undefined), "status", { status: { state: to } });
    expect(answer === "", answer).toBe(["draft", "submitted"].includes(to));
  });

  test("a state is never taken back", async () => {
    const name = await versionIn("submitted");
    expect(await patch(name, "status", { status: { state: null } })).toContain("no act leads");
    expect(await patch(name, "status", { status: null })).toContain("cannot be taken back");
  });

  test.each(VersionState.options)("the package of a version that is %s", async (state) => {
    const answer = await patch(await versionIn(state), undefined, { spec: { package: "pkg-2" } });
    expect(answer === "", answer).toBe(["draft", "rejected"].includes(state));
  });

  test.each([{ digest: "sha256:2" }, { digest: null }, { name: "other" }, { version: "2.0.0" }, { package: null }])(
    "what was reviewed is what is offered: %j",
    async (spec) => {
      expect(await patch(await versionIn("draft"), undefined, { spec })).toBe("");
      const name = await versionIn("active");
      expect(await patch(name, undefined, { spec })).toContain("the package of a version changes in draft or rejected");
      expect(await patch(name, undefined, { spec: { description: "new" } })).toBe("");
    },
  );
});

test("a package never changes", async () => {
  const spec = { digest: `sha256:${"ab".repeat(32)}`, size: 1 };
  const metadata = { name: "pkg-cel" };
  await kube.create(
    HelmPackage,
    { apiVersion: "application.kubesphere.io/v1alpha1", kind: "HelmPackage", metadata, spec } as KubeObject,
    "test",
  );
  expect(await patch("helmpackages/pkg-cel", undefined, { spec: { size: 2 } })).toContain("a package never changes");
  expect(await patch("helmpackages/pkg-cel", undefined, { metadata: { labels: { a: "b" } } })).toBe("");
});
