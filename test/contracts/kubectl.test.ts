import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSession, type Ran, type RunOptions, type Session } from "../support/session.ts";

let session: Session;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.close());

const kubectl = (line: string, more?: RunOptions): Promise<Ran> =>
  session.run("kubectl", line.split(" ").filter(Boolean), more);

async function ok(line: string, more?: RunOptions): Promise<string> {
  const ran = await kubectl(line, more);
  expect(ran.code, `kubectl ${line}\n${ran.out}${ran.err}`).toBe(0);
  return ran.out;
}

const web = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  labels: {app: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: main
        image: registry.example/web:1
        ports: [{containerPort: 80}]
`;

describe("kubectl", () => {
  test("knows the server", async () => {
    expect(await ok("version")).toContain("Server Version: v1.");
    expect(await ok("cluster-info")).toContain("is running at");
  });

  test("lists what the server has", async () => {
    const kinds = await ok("api-resources --verbs=list -o name");
    expect(kinds.split("\n")).toEqual(
      expect.arrayContaining(["pods", "deployments.apps", "customresourcedefinitions.apiextensions.k8s.io"]),
    );
    expect(await ok("api-versions")).toContain("apps/v1");
  });

  test("creates a namespace and sees it", async () => {
    expect(await ok("create namespace shop")).toBe("namespace/shop created\n");
    expect(await ok("get namespace shop --no-headers")).toMatch(/^shop +Active +\d+s\n$/);
  });

  test("applies, and applies again without a change", async () => {
    expect(await ok("apply -f -", { input: web })).toBe("deployment.apps/web created\n");
    expect(await ok("apply -f -", { input: web })).toBe("deployment.apps/web unchanged\n");
    expect(await ok("apply -f -", { input: web.replace("web:1", "web:2") })).toBe("deployment.apps/web configured\n");
  });

  test("waits for readiness", async () => {
    expect(await ok("wait -n shop --for=condition=Available deployment/web --timeout=20s")).toBe(
      "deployment.apps/web condition met\n",
    );
    expect(await ok("rollout status -n shop deployment/web --timeout=20s")).toContain("successfully rolled out");
  });

  test.each([
    ["", /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb +2\/2 +2 +2 +\d+s\n$/],
    ["-o wide", /CONTAINERS +IMAGES +SELECTOR\n.*main +registry\.example\/web:2 +app=web\n$/],
    ["-o name", /^deployment\.apps\/web\n$/],
    ["-o jsonpath={.items[*].spec.replicas}", /^2$/],
    [
      "-o custom-columns=N:.metadata.name,I:.spec.template.spec.containers[0].image",
      /^N +I\nweb +registry\.example\/web:2\n$/,
    ],
    ["--show-labels", /LABELS\n.*app=web\n$/],
    ["-l app=web -o name", /^deployment\.apps\/web\n$/],
    ["-l app!=web -o name", /^$/],
    ["--field-selector metadata.name=web -o name", /^deployment\.apps\/web\n$/],
    ["-o yaml", /^apiVersion: v1\nitems:\n- apiVersion: apps\/v1\n/],
    ["--sort-by=.metadata.name -o name", /web/],
  ])("gets deployments %s", async (options, shown) => {
    expect(await ok(`get deployments -n shop ${options}`)).toMatch(shown);
  });

  test("describes", async () => {
    const text = await ok("describe deployment web -n shop");
    expect(text).toMatch(/Replicas: +2 desired \| 2 updated \| 2 total \| 2 available \| 0 unavailable/);
    expect(text).toMatch(/RollingUpdateStrategy: +25% max unavailable, 25% max surge/);
  });

  test.each([
    "namespace shop",
    "service kubernetes",
    "serviceaccount default",
    "clusterrole view",
    "secret -A",
    "configmap -A",
  ])("describes %s", async (what) => {
    await ok(`describe ${what}`);
  });

  test.each(["deployment.spec.replicas", "pod.spec.containers", "crd", "service.spec --recursive"])(
    "explains %s",
    async (what) => {
      expect(await ok(`explain ${what}`)).toContain("KIND:");
    },
  );

  test("applies on the server side, and meets conflicts", async () => {
    const input = web.replace("replicas: 2", "replicas: 3");
    const refused = await kubectl("apply --server-side --field-manager=other -f -", { input });
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("Apply failed with");
    expect(await ok("apply --server-side --field-manager=other --force-conflicts -f -", { input })).toBe(
      "deployment.apps/web serverside-applied\n",
    );
    expect(await ok("get deployment web -n shop -o jsonpath={.spec.replicas}")).toBe("3");
  });

  test("shows differences", async () => {
    const ran = await kubectl("diff --server-side --field-manager=other --force-conflicts -f -", {
      input: web.replace("web:1", "web:9"),
    });
    expect(ran.code).toBe(1);
    expect(ran.out).toContain("+      - image: registry.example/web:9");
  });

  test("edits with a scripted editor", async () => {
    const editor = await session.file("editor.sh", "sed -i 's/^  a: b$/  a: c/' \"$1\"\n");
    await ok("create configmap edited -n shop --from-literal=a=b");
    const changed = await ok("edit configmap edited -n shop", { env: { KUBE_EDITOR: `sh ${editor}` } });
    expect(changed).toBe("configmap/edited edited\n");
    expect(await ok("get configmap edited -n shop -o jsonpath={.data.a}")).toBe("c");
  });

  test.each([
    ["merge", '{"data":{"m":"1"}}', "m"],
    ["json", '[{"op":"add","path":"/data/j","value":"1"}]', "j"],
    ["strategic", '{"data":{"s":"1"}}', "s"],
  ])("patches of type %s", async (type, patch, key) => {
    const ran = await session.run("kubectl", [
      "patch",
      "configmap",
      "edited",
      "-n",
      "shop",
      `--type=${type}`,
      "-p",
      patch,
    ]);
    expect(ran.out).toBe("configmap/edited patched\n");
    expect(await ok(`get configmap edited -n shop -o jsonpath={.data.${key}}`)).toBe("1");
  });

  test("labels and annotates", async () => {
    expect(await ok("label configmap edited -n shop tier=front")).toBe("configmap/edited labeled\n");
    expect((await kubectl("label configmap edited -n shop tier=back")).err).toContain("already has a value");
    expect(await ok("label configmap edited -n shop tier=back --overwrite")).toBe("configmap/edited labeled\n");
    expect(await ok("label configmap edited -n shop tier-")).toBe("configmap/edited unlabeled\n");
    expect(await ok("annotate configmap edited -n shop note=x")).toBe("configmap/edited annotated\n");
  });

  test("replaces", async () => {
    const object = await ok("get configmap edited -n shop -o yaml");
    expect(await ok("replace -f -", { input: object.replace("a: c", "a: d") })).toBe("configmap/edited replaced\n");
  });

  test("scales and sets images", async () => {
    expect(await ok("scale deployment web -n shop --replicas=1")).toBe("deployment.apps/web scaled\n");
    expect(await ok("set image deployment/web -n shop main=registry.example/web:5")).toBe(
      "deployment.apps/web image updated\n",
    );
    expect(await ok("rollout restart deployment/web -n shop")).toBe("deployment.apps/web restarted\n");
  });

  test("creates most things by command", async () => {
    for (const what of [
      "secret generic s --from-literal=a=b",
      "configmap c --from-literal=a=b",
      "serviceaccount robot",
      "deployment d --image=registry.example/d:1",
      "service clusterip e --tcp=80:80",
      "job j --image=registry.example/j:1",
      "cronjob k --image=registry.example/k:1 --schedule=@daily",
      "role r --verb=get --resource=pods",
      "rolebinding b --role=r --serviceaccount=shop:robot",
      "ingress i --rule=a.example/=e:80",
      "poddisruptionbudget p --selector=a=b --min-available=1",
      "quota q --hard=pods=1",
    ]) {
      expect(await ok(`create ${what} -n shop`)).toMatch(/ created\n$/);
    }
    await ok("wait -n shop --for=condition=complete job/j --timeout=20s");
    expect(await ok("get all -n shop")).toContain("deployment.apps/d");
  });

  test("runs a pod, in name", async () => {
    expect(await ok("run box -n shop --image=registry.example/box:1")).toBe("pod/box created\n");
    await ok("wait -n shop --for=condition=Ready pod/box --timeout=20s");
    expect(await ok("get pod box -n shop --no-headers")).toMatch(/^box +1\/1 +Running +0 +\d+s\n$/);
  });

  test("asks what may be done", async () => {
    expect(await ok("auth can-i create deployments")).toBe("yes\n");
    const robot = await kubectl("auth can-i get pods -n shop --as=system:serviceaccount:shop:robot");
    expect(robot.out).toBe("yes\n");
    expect((await kubectl("auth can-i delete pods -n shop --as=system:serviceaccount:shop:robot")).out).toBe("no\n");
    expect(await ok("auth whoami -o jsonpath={.status.userInfo.groups}")).toContain("system:masters");
    expect(await ok("auth can-i --list -n shop")).toContain("*.*");
  });

  test("makes tokens that work", async () => {
    const token = (await ok("create token robot -n shop")).trim();
    const config = JSON.parse(session.cluster.kubeconfig) as { users: { user: object }[] };
    const user = config.users[0];
    if (user !== undefined) user.user = { token };
    const path = await session.file("robot", JSON.stringify(config));
    expect(await ok(`get pod box -n shop --kubeconfig=${path} -o name`)).toBe("pod/box\n");
    expect((await kubectl(`get secrets -n shop --kubeconfig=${path}`)).err).toContain("is forbidden");
  });

  test("shows events", async () => {
    const uid = await ok("get pod box -n shop -o jsonpath={.metadata.uid}");
    const event = {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "e1", namespace: "shop" },
      involvedObject: { kind: "Pod", name: "box", namespace: "shop", uid },
      reason: "Tested",
      message: "it works",
      type: "Normal",
      lastTimestamp: new Date().toISOString(),
    };
    await ok("create -f -", { input: JSON.stringify(event) });
    expect(await ok("events -n shop")).toContain("it works");
    expect(await ok("get events -n shop")).toContain("Tested");
    expect(await ok("describe pod box -n shop")).toContain("it works");
  });

  test("watches", async () => {
    const seen = kubectl("get configmap -n shop -w -o name --request-timeout=3s");
    await ok("create configmap seen -n shop");
    expect((await seen).out).toContain("configmap/seen");
  });

  test("works with definitions of its own", async () => {
    const input = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shoes.shop.example}
spec:
  group: shop.example
  scope: Namespaced
  names: {plural: shoes, singular: shoe, kind: Shoe, shortNames: [sh], categories: [wear]}
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
    schema:
      openAPIV3Schema:
        type: object
        description: A shoe.
        properties:
          spec: {type: object, properties: {size: {type: integer, description: How long it is., minimum: 20}}}
`;
    expect(await ok("apply -f -", { input })).toContain("created");
    await ok("wait --for=condition=Established crd/shoes.shop.example --timeout=20s");
    const shoe = "apiVersion: shop.example/v1\nkind: Shoe\nmetadata: {name: left, namespace: shop}\nspec: {size: 42}\n";
    expect(await ok("apply -f -", { input: shoe })).toBe("shoe.shop.example/left created\n");
    expect(await ok("get sh -n shop")).toMatch(/^NAME +SIZE\nleft +42\n$/);
    expect(await ok("get wear -n shop -o name")).toBe("shoe.shop.example/left\n");
    expect(await ok("explain shoe.spec.size")).toContain("How long it is.");
    const refused = await kubectl("apply -f -", { input: shoe.replace("42", "7") });
    expect(refused.err).toContain("spec.size in body should be greater than or equal to 20");
    const unknown = await kubectl("apply -f -", { input: shoe.replace("size: 42", "sise: 42") });
    expect(unknown.err).toContain('unknown field "spec.sise"');
    expect(await ok("delete crd shoes.shop.example")).toContain("deleted");
  });

  test("deletes in each cascade mode", async () => {
    for (const mode of ["background", "foreground", "orphan"]) {
      await ok(`create deployment gone-${mode} -n shop --image=registry.example/x:1`);
      expect(await ok(`delete deployment gone-${mode} -n shop --cascade=${mode} --timeout=20s`)).toContain("deleted");
    }
    expect((await kubectl("get deployment gone-orphan -n shop")).err).toContain(
      'deployments.apps "gone-orphan" not found',
    );
  });

  test("deletes by label, all of a kind, and by force", async () => {
    expect(await ok("delete deployment -n shop -l app=d")).toContain('"d" deleted');
    expect(await ok("delete configmap --all -n shop")).toContain("deleted");
    expect(await ok("delete pod box -n shop --force --grace-period=0")).toContain("deleted");
    expect(await ok("delete secret nothing -n shop --ignore-not-found")).toBe("");
  });

  test("dry runs leave nothing behind", async () => {
    expect(await ok("create configmap dry -n shop --dry-run=server")).toContain("(server dry run)");
    expect((await kubectl("get configmap dry -n shop")).code).toBe(1);
  });

  test("deletes a namespace with all that is in it", async () => {
    expect(await ok("delete namespace shop --timeout=30s")).toContain("deleted");
    expect((await kubectl("get namespace shop")).err).toContain('namespaces "shop" not found');
    expect(await ok("get deployments -A -o name")).toBe("");
  });
});
