import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSession, type Ran, type Session } from "../support/session.ts";

let session: Session;
const helm = (line: string): Promise<Ran> => session.run("helm", line.split(" ").filter(Boolean));
const kubectl = (line: string): Promise<Ran> => session.run("kubectl", line.split(" ").filter(Boolean));

async function ok(line: string): Promise<string> {
  const ran = await helm(line);
  expect(ran.code, `helm ${line}\n${ran.out}${ran.err}`).toBe(0);
  return ran.out;
}

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
  annotations: {openpitrix.io/stage: {{ .Values.stage }}}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: {{ .Release.Name }}}}
  template:
    metadata: {labels: {app: {{ .Release.Name }}}}
    spec:
      containers: [{name: main, image: "registry.example/shop:{{ .Values.tag }}"}]
`;

const service = `apiVersion: v1
kind: Service
metadata: {name: {{ .Release.Name }}}
spec: {selector: {app: {{ .Release.Name }}}, ports: [{port: 80}]}
`;

const hook = (when: string, kind: string): string => `apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-${kind}
  annotations: {helm.sh/hook: ${when}, helm.sh/hook-delete-policy: before-hook-creation}
spec:
  template: {spec: {restartPolicy: Never, containers: [{name: hook, image: registry.example/hook:1}]}}
`;

const probe = `apiVersion: v1
kind: Pod
metadata: {name: {{ .Release.Name }}-probe, annotations: {helm.sh/hook: test}}
spec: {restartPolicy: Never, containers: [{name: probe, image: registry.example/probe:1}]}
`;

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tills.shop.example}
spec:
  group: shop.example
  scope: Namespaced
  names: {plural: tills, kind: Till}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {open: {type: boolean}}}}}}}
`;

const till = `apiVersion: shop.example/v1
kind: Till
metadata: {name: {{ .Release.Name }}}
spec: {open: true}
`;

beforeAll(async () => {
  session = await openSession();
  for (const folder of ["chart/templates", "chart/crds"])
    await mkdir(join(session.folder, folder), { recursive: true });
  const files = {
    "Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\nappVersion: '1'\n",
    "values.yaml": "replicas: 1\ntag: '1'\nstage: ready\n",
    "templates/deployment.yaml": deployment,
    "templates/service.yaml": service,
    "templates/before.yaml": hook("pre-install", "before"),
    "templates/after.yaml": hook("post-install", "after"),
    "templates/probe.yaml": probe,
    "templates/till.yaml": till,
    "crds/tills.yaml": definition,
  };
  for (const [name, text] of Object.entries(files)) await session.file(join("chart", name), text);
});
afterAll(() => session.close());

describe("helm", () => {
  test("installs a chart with a definition and hooks, and waits", async () => {
    expect(await ok("install shop chart --wait --timeout 30s")).toContain("STATUS: deployed");
    expect((await kubectl("get deployment shop -o jsonpath={.status.readyReplicas}")).out).toBe("1");
    expect((await kubectl("get tills -o name")).out).toBe("till.shop.example/shop\n");
    expect((await kubectl("get jobs -o name")).out).toBe("job.batch/shop-after\njob.batch/shop-before\n");
  });

  test("stores its release as a Secret", async () => {
    const { out } = await kubectl(
      "get secret sh.helm.release.v1.shop.v1 -o jsonpath={.type}:{.metadata.labels.status}",
    );
    expect(out).toBe("helm.sh/release.v1:deployed");
  });

  test("lists, shows the status and gets all of it", async () => {
    const releases = JSON.parse(await ok("list -o json"));
    expect(releases).toMatchObject([
      { name: "shop", namespace: "default", revision: "1", status: "deployed", chart: "shop-1.0.0" },
    ]);
    expect(JSON.parse(await ok("status shop -o json")).info.status).toBe("deployed");
    for (const part of ["all", "values", "manifest", "hooks", "notes", "metadata"]) await ok(`get ${part} shop`);
  });

  test("upgrades with changed values", async () => {
    expect(await ok("upgrade shop chart --set replicas=3 --wait --timeout 30s")).toContain("REVISION: 2");
    expect((await kubectl("get deployment shop -o jsonpath={.spec.replicas}/{.metadata.generation}")).out).toBe("3/2");
  });

  test("puts back what somebody changed in between", async () => {
    await kubectl("scale deployment shop --replicas=9");
    await ok("upgrade shop chart --set replicas=3,tag=2 --force-conflicts --wait --timeout 30s");
    expect((await kubectl("get deployment shop -o jsonpath={.spec.replicas}")).out).toBe("3");
  });

  test("merges three ways on the client side", async () => {
    await ok("install plain chart --server-side=false --skip-crds --wait --timeout 30s");
    await kubectl("annotate service plain added=by-hand");
    await ok("upgrade plain chart --server-side=false --set tag=5 --wait --timeout 30s");
    const { out } = await kubectl("get service plain -o jsonpath={.metadata.annotations.added}");
    expect(out).toBe("by-hand");
    expect((await kubectl("get deployment plain -o jsonpath={.spec.template.spec.containers[0].image}")).out).toBe(
      "registry.example/shop:5",
    );
    await ok("uninstall plain --wait --timeout 30s");
  });

  test("rolls back", async () => {
    expect(await ok("rollback shop 1 --force-conflicts --wait --timeout 30s")).toContain("Rollback was a success");
    expect((await kubectl("get deployment shop -o jsonpath={.spec.replicas}")).out).toBe("1");
  });

  test("tells the history", async () => {
    const history = JSON.parse(await ok("history shop -o json")) as { revision: number; status: string }[];
    expect(history.map(({ revision, status }) => [revision, status])).toEqual([
      [1, "superseded"],
      [2, "superseded"],
      [3, "superseded"],
      [4, "deployed"],
    ]);
  });

  test("tests a release", async () => {
    expect(await ok("test shop --timeout 30s")).toContain("Phase:          Succeeded");
  });

  test("upgrades or installs", async () => {
    expect(await ok("upgrade --install second chart --skip-crds --wait --timeout 30s")).toContain(
      'Release "second" does not exist. Installing it now.',
    );
    expect(await ok("upgrade --install second chart --skip-crds --set tag=3")).toContain("REVISION: 2");
    await ok("uninstall second --wait --timeout 30s");
  });

  test("reports a release that fails", async () => {
    const ran = await helm("install broken chart --skip-crds --set stage=fail --wait --timeout 4s");
    expect(ran.code).toBe(1);
    expect(JSON.parse(await ok("status broken -o json")).info.status).toBe("failed");
    await ok("uninstall broken --wait --timeout 30s");
  });

  test("takes everything back that belongs to a failed atomic install", async () => {
    const ran = await helm(
      "install undone chart --skip-crds --set stage=fail --rollback-on-failure --wait --timeout 4s",
    );
    expect(ran.code).toBe(1);
    expect((await kubectl("get deployment undone")).code).toBe(1);
    expect((await helm("status undone")).code).toBe(1);
  });

  test("simulates on the server", async () => {
    const out = await ok("install dry chart --skip-crds --dry-run=server");
    expect(out).toContain("kind: Deployment");
    expect((await kubectl("get deployment dry")).code).toBe(1);
  });

  test("installs into a namespace that it creates", async () => {
    await ok("install far chart --skip-crds -n far --create-namespace --wait --timeout 30s");
    expect(JSON.parse(await ok("list -A -o json"))).toHaveLength(2);
    await ok("uninstall far -n far --wait --timeout 30s");
  });

  test("uninstalls without residue", async () => {
    expect(await ok("uninstall shop --wait --timeout 30s")).toContain('release "shop" uninstalled');
    expect((await kubectl("get deployments,tills,secrets -o name")).out).toBe("");
    expect((await kubectl("get services -o name")).out).toBe("service/kubernetes\n");
    expect(await ok("list -A -q")).toBe("");
  });
});
