import { describe, expect, test } from "vitest";
import { eventually, expectCode, expectStatus, type Loose } from "./client.ts";
import { deployment, fresh, useCluster } from "./fixture.ts";

const fixture = useCluster();
const services = (rest = ""): string => fixture.core(`services${rest}`);
const deployments = (rest = ""): string => fixture.group("apps/v1", `deployments${rest}`);
const podTemplate = {
  metadata: { labels: { a: "b" } },
  spec: { containers: [{ name: "c", image: "registry.example/x:1" }] },
};
const selector = { matchLabels: { a: "b" } };

const service = async (spec: Loose): Promise<Loose> =>
  expectCode(await fixture.client.post(services(), { metadata: { name: fresh("svc") }, spec }), 201).body;

describe("services", () => {
  test("get a cluster IP and defaults", async () => {
    const { spec } = await service({ ports: [{ port: 80 }] });
    expect(spec).toMatchObject({
      type: "ClusterIP",
      sessionAffinity: "None",
      ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
    });
    expect(spec.clusterIP).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
    expect(spec.clusterIPs).toEqual([spec.clusterIP]);
  });

  test("get different cluster IPs", async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => service({ ports: [{ port: 80 }] })));
    expect(new Set(made.map(({ spec }) => spec.clusterIP)).size).toBe(5);
  });

  test("without one stay headless", async () => {
    expect((await service({ clusterIP: "None", ports: [{ port: 80 }] })).spec.clusterIP).toBe("None");
  });

  test("keep their cluster IP when a write leaves it out", async () => {
    const { metadata, spec } = await service({ ports: [{ port: 80 }] });
    const { body } = expectCode(
      await fixture.client.put(services(`/${metadata.name}`), {
        metadata: { name: metadata.name },
        spec: { ports: [{ port: 81 }] },
      }),
      200,
    );
    expect(body.spec.clusterIP).toBe(spec.clusterIP);
  });

  test("cannot change their cluster IP", async () => {
    const { metadata } = await service({ ports: [{ port: 80 }] });
    const reply = await fixture.client.patch(services(`/${metadata.name}`), "merge", {
      spec: { clusterIP: "10.96.200.200", clusterIPs: ["10.96.200.200"] },
    });
    expectStatus(reply, 422, "Invalid");
  });

  test("of type NodePort get a port of the range", async () => {
    const { spec } = await service({ type: "NodePort", ports: [{ port: 80 }] });
    expect(spec.ports[0].nodePort).toBeGreaterThanOrEqual(30_000);
    expect(spec.ports[0].nodePort).toBeLessThanOrEqual(32_767);
  });

  test("of type ExternalName get no address", async () => {
    expect((await service({ type: "ExternalName", externalName: "a.example" })).spec.clusterIP ?? "").toBe("");
  });

  test("the one of the API is there", async () => {
    const { body } = expectCode(await fixture.client.get("/api/v1/namespaces/default/services/kubernetes"), 200);
    expect(body.spec.ports[0].port).toBe(443);
  });
});

describe("secrets", () => {
  test("turn stringData into data and are Opaque", async () => {
    const { body } = expectCode(
      await fixture.client.post(fixture.core("secrets"), { metadata: { name: fresh() }, stringData: { a: "b" } }),
      201,
    );
    expect(body).toMatchObject({ type: "Opaque", data: { a: "Yg==" } });
    expect(body).not.toHaveProperty("stringData");
  });

  test("keep their type", async () => {
    const name = fresh();
    await fixture.client.post(fixture.core("secrets"), { metadata: { name } });
    expectStatus(
      await fixture.client.patch(fixture.core(`secrets/${name}`), "merge", { type: "example.io/other" }),
      422,
      "Invalid",
    );
  });

  test("refuse data that is no base64", async () => {
    expect([400, 422]).toContain(
      (await fixture.client.post(fixture.core("secrets"), { metadata: { name: fresh() }, data: { a: "!!" } })).code,
    );
  });

  test("refuse bad keys", async () => {
    expectStatus(
      await fixture.client.post(fixture.core("secrets"), { metadata: { name: fresh() }, data: { "a b": "Yg==" } }),
      422,
      "Invalid",
    );
  });
});

describe("workloads", () => {
  test("a deployment gets its defaults", async () => {
    const { spec } = expectCode(await fixture.client.post(deployments(), deployment(fresh())), 201).body;
    expect(spec).toMatchObject({
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } },
    });
    expect(spec.template.spec).toMatchObject({
      restartPolicy: "Always",
      dnsPolicy: "ClusterFirst",
      schedulerName: "default-scheduler",
      terminationGracePeriodSeconds: 30,
    });
    expect(spec.template.spec.containers[0]).toMatchObject({
      imagePullPolicy: "IfNotPresent",
      terminationMessagePath: "/dev/termination-log",
      terminationMessagePolicy: "File",
    });
  });

  test.each([
    ["x:latest", "Always"],
    ["x", "Always"],
    ["x:1", "IfNotPresent"],
    ["host:5000/x", "Always"],
  ])("the image %j is pulled %s", async (image, policy) => {
    const wanted = deployment(fresh());
    wanted.spec.template.spec.containers[0].image = image;
    expect(
      (await fixture.client.post(deployments(), wanted)).body.spec.template.spec.containers[0].imagePullPolicy,
    ).toBe(policy);
  });

  test("a deployment's selector must match its template and stays", async () => {
    const name = fresh();
    const wrong = deployment(name);
    wrong.spec.template.metadata.labels = { app: "other" };
    expect(expectStatus(await fixture.client.post(deployments(), wrong), 422, "Invalid").message).toContain(
      "`selector` does not match template `labels`",
    );
    await fixture.client.post(deployments(), deployment(name));
    const changed = deployment(name);
    changed.spec.selector.matchLabels = { app: "x" };
    changed.spec.template.metadata.labels = { app: "x" };
    expect(expectStatus(await fixture.client.put(deployments(`/${name}`), changed), 422, "Invalid").message).toContain(
      "field is immutable",
    );
  });

  test.each([
    ["a selector", { template: podTemplate }],
    ["containers", { selector, template: { metadata: { labels: { a: "b" } }, spec: {} } }],
  ])("a deployment without %s is refused", async (_, spec) => {
    expectStatus(await fixture.client.post(deployments(), { metadata: { name: fresh() }, spec }), 422, "Invalid");
  });

  test("unknown fields of built-in kinds are reported as asked", async () => {
    const wanted = deployment(fresh(), { spec: { replicsa: 3 } });
    const strict = expectStatus(
      await fixture.client.post(deployments("?fieldValidation=Strict"), wanted),
      400,
      "BadRequest",
    );
    expect(strict.message).toContain('unknown field "spec.replicsa"');
    const reply = expectCode(await fixture.client.post(deployments(), wanted), 201);
    expect(reply.headers["warning"]).toContain("spec.replicsa");
    expect(reply.body.spec).not.toHaveProperty("replicsa");
  });

  test("scale can be read, put and patched", async () => {
    const name = fresh();
    await fixture.client.post(deployments(), deployment(name, { spec: { replicas: 2 } }));
    const scale = expectCode(await fixture.client.get(deployments(`/${name}/scale`)), 200).body;
    expect(scale).toMatchObject({
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      spec: { replicas: 2 },
      status: { selector: `app=${name}` },
    });
    expect(
      expectCode(await fixture.client.put(deployments(`/${name}/scale`), { ...scale, spec: { replicas: 3 } }), 200).body
        .spec.replicas,
    ).toBe(3);
    expectCode(await fixture.client.patch(deployments(`/${name}/scale`), "merge", { spec: { replicas: 0 } }), 200);
    expect((await fixture.client.get(deployments(`/${name}`))).body.spec.replicas).toBe(0);
  });

  test("a stateful set, a daemon set and a replica set get theirs", async () => {
    const post = async (plural: string, spec: Loose): Promise<Loose> =>
      expectCode(
        await fixture.client.post(fixture.group("apps/v1", plural), {
          metadata: { name: fresh() },
          spec: { selector, template: podTemplate, ...spec },
        }),
        201,
      ).body.spec;
    expect(await post("statefulsets", { serviceName: "s" })).toMatchObject({
      replicas: 1,
      podManagementPolicy: "OrderedReady",
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } },
    });
    expect(await post("daemonsets", {})).toMatchObject({
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1 } },
      revisionHistoryLimit: 10,
    });
    expect(await post("replicasets", {})).toMatchObject({ replicas: 1 });
  });

  test("a job gets its defaults and a selector of its own", async () => {
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "registry.example/x:1" }] } };
    const { body } = expectCode(
      await fixture.client.post(fixture.group("batch/v1", "jobs"), { metadata: { name: fresh() }, spec: { template } }),
      201,
    );
    expect(body.spec).toMatchObject({
      backoffLimit: 6,
      completions: 1,
      parallelism: 1,
      completionMode: "NonIndexed",
      suspend: false,
    });
    expect(body.spec.selector.matchLabels).toEqual({ "batch.kubernetes.io/controller-uid": body.metadata.uid });
    expect(body.spec.template.metadata.labels).toMatchObject({
      "batch.kubernetes.io/controller-uid": body.metadata.uid,
      "job-name": body.metadata.name,
    });
  });

  test("what the server adds to a new object belongs to no manager", async () => {
    const owned = async (path: string, body: Loose): Promise<string> => {
      const { metadata } = expectCode(await fixture.client.post(path, body), 201).body;
      return JSON.stringify(metadata.managedFields);
    };
    const ports = [{ port: 80 }];
    const service = await owned(services(), { metadata: { name: fresh("svc") }, spec: { ports } });
    expect(service).toContain("f:ports");
    expect(service).not.toContain("f:clusterIP");
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "registry.example/x:1" }] } };
    const job = await owned(fixture.group("batch/v1", "jobs"), { metadata: { name: fresh() }, spec: { template } });
    expect(job).not.toContain("controller-uid");
  });

  test("empty texts count as left out where there is a default", async () => {
    const spec = {
      serviceName: "s",
      podManagementPolicy: "",
      selector,
      template: podTemplate,
      updateStrategy: { type: "RollingUpdate" },
    };
    const body = { metadata: { name: fresh(), annotations: {} }, spec };
    const made = expectCode(await fixture.client.post(fixture.group("apps/v1", "statefulsets"), body), 201).body;
    expect(made.spec.podManagementPolicy).toBe("OrderedReady");
    expect(made.spec.updateStrategy).toEqual({ type: "RollingUpdate" });
    expect(made.metadata).not.toHaveProperty("annotations");
    expect(made.status).toEqual({ replicas: 0, availableReplicas: 0 });
  });

  test("modes of volumes are octal numbers up to 0777", async () => {
    const wanted = deployment(fresh());
    Object.assign(wanted.spec.template.spec, {
      volumes: [{ name: "v", secret: { secretName: "s", defaultMode: 755 } }],
    });
    const status = expectStatus(await fixture.client.post(deployments(), wanted), 422, "Invalid");
    expect(status.message).toContain(
      "spec.template.spec.volumes[0].secret.defaultMode: Invalid value: 755: must be a number between 0 and 0777 (octal), both inclusive",
    );
  });

  test("a bare pod tolerates trouble of its node for a while and has a priority", async () => {
    const own = { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" };
    const body = { metadata: { name: fresh() }, spec: { ...podTemplate.spec, tolerations: [own] } };
    const { spec } = expectCode(await fixture.client.post(fixture.core("pods"), body), 201).body;
    expect(spec.tolerations.map((one: Loose) => [one.key, one.tolerationSeconds])).toEqual([
      ["node.kubernetes.io/not-ready", undefined],
      ["node.kubernetes.io/unreachable", 300],
    ]);
    expect(spec).toMatchObject({ priority: 0, preemptionPolicy: "PreemptLowerPriority" });
  });

  test("a cron job gets its defaults", async () => {
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "registry.example/x:1" }] } };
    const { body } = expectCode(
      await fixture.client.post(fixture.group("batch/v1", "cronjobs"), {
        metadata: { name: fresh() },
        spec: { schedule: "* * * * *", jobTemplate: { spec: { template } } },
      }),
      201,
    );
    expect(body.spec).toMatchObject({
      concurrencyPolicy: "Allow",
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
  });

  test("a deployment's status is not taken from its body", async () => {
    const { body } = await fixture.client.post(deployments(), { ...deployment(fresh()), status: { replicas: 7 } });
    expect(body.status?.replicas ?? 0).not.toBe(7);
  });

  test("a bare pod is pending at first and can be evicted", async () => {
    const name = fresh();
    const { body } = expectCode(
      await fixture.client.post(fixture.core("pods"), { metadata: { name }, spec: podTemplate.spec }),
      201,
    );
    expect(body.status.phase).toBe("Pending");
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace: fixture.namespace } };
    expectCode(await fixture.client.post(fixture.core(`pods/${name}/eviction`), eviction), 201);
    await eventually(
      () => fixture.client.get(fixture.core(`pods/${name}`)),
      (reply) => reply.code === 404 || reply.body.metadata.deletionTimestamp !== undefined,
    );
  });

  test("that are recreated take no parameters of a rolling update", async () => {
    const name = fresh();
    const path = fixture.group("apps/v1", "deployments");
    expectCode(await fixture.client.post(path, deployment(name)), 201);
    const reply = await fixture.client.patch(`${path}/${name}`, "merge", { spec: { strategy: { type: "Recreate" } } });
    expect(expectStatus(reply, 422, "Invalid").message).toContain(
      "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
    );
  });
});

describe("other kinds", () => {
  test.each([
    [
      "networking.k8s.io/v1",
      "ingresses",
      {
        rules: [
          {
            host: "a.example",
            http: {
              paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "s", port: { number: 80 } } } }],
            },
          },
        ],
      },
    ],
    ["networking.k8s.io/v1", "networkpolicies", { podSelector: {} }],
    ["policy/v1", "poddisruptionbudgets", { minAvailable: 1, selector }],
    [
      "autoscaling/v2",
      "horizontalpodautoscalers",
      { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" } },
    ],
    ["coordination.k8s.io/v1", "leases", { holderIdentity: "me" }],
  ])("%s %s are stored", async (groupVersion, plural, spec) => {
    const name = fresh();
    const { body } = expectCode(
      await fixture.client.post(fixture.group(groupVersion, plural), { metadata: { name }, spec }),
      201,
    );
    expect(body.spec).toMatchObject(spec);
    expectCode(await fixture.client.delete(fixture.group(groupVersion, `${plural}/${name}`)), 200);
  });

  test("a persistent volume claim is pending at first", async () => {
    const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
    const { body } = expectCode(
      await fixture.client.post(fixture.core("persistentvolumeclaims"), { metadata: { name: fresh() }, spec }),
      201,
    );
    expect(body).toMatchObject({ spec: { volumeMode: "Filesystem" }, status: { phase: "Pending" } });
  });

  test("events can be written and selected", async () => {
    const name = fresh("event");
    const involvedObject = { kind: "Pod", name: "some-pod", namespace: fixture.namespace };
    expectCode(
      await fixture.client.post(fixture.core("events"), {
        metadata: { name },
        involvedObject,
        reason: "Tested",
        message: "hello",
        type: "Normal",
      }),
      201,
    );
    const { body } = await fixture.client.get(fixture.core("events?fieldSelector=involvedObject.name%3Dsome-pod"));
    expect(body.items.map((item: Loose) => item.metadata.name)).toEqual([name]);
  });

  test("events of both groups are the same objects, in their own words", async () => {
    const [old, later] = [fresh("event"), fresh("event")];
    const involvedObject = { kind: "Pod", name: "shared-pod", namespace: fixture.namespace };
    const news = (rest = ""): string => fixture.group("events.k8s.io/v1", `events${rest}`);
    const said = { reason: "Tested", message: "hello", type: "Normal", count: 2, source: { component: "contract" } };
    await fixture.client.post(fixture.core("events"), { metadata: { name: old }, involvedObject, ...said });
    expect(expectCode(await fixture.client.get(news(`/${old}`)), 200).body).toMatchObject({
      apiVersion: "events.k8s.io/v1",
      regarding: involvedObject,
      note: "hello",
      deprecatedCount: 2,
      deprecatedSource: { component: "contract" },
    });
    const event = {
      metadata: { name: later },
      regarding: involvedObject,
      note: "bye",
      reason: "Tested",
      action: "Testing",
      type: "Normal",
      eventTime: "2026-01-01T00:00:00.000000Z",
      reportingController: "contract.openpitrix.io/test",
      reportingInstance: "one",
    };
    expect(expectCode(await fixture.client.post(news(), event), 201).body).toMatchObject({ note: "bye" });
    const both = await fixture.client.get(fixture.core("events?fieldSelector=involvedObject.name%3Dshared-pod"));
    expect(both.body.items.map((item: Loose) => [item.metadata.name, item.message]).sort()).toEqual(
      [
        [old, "hello"],
        [later, "bye"],
      ].sort(),
    );
    const listed = await fixture.client.get(news("?fieldSelector=regarding.name%3Dshared-pod"));
    expect(listed.body.items.map((item: Loose) => item.note).sort()).toEqual(["bye", "hello"]);
    const series = { count: 2, lastObservedTime: "2026-01-01T00:01:00.000000Z" };
    expectCode(await fixture.client.patch(news(`/${later}`), "merge", { series }), 200);
    expect((await fixture.client.get(fixture.core(`events/${later}`))).body.series).toEqual(series);
    expectCode(await fixture.client.delete(news(`/${old}`)), 200);
    expectCode(await fixture.client.get(fixture.core(`events/${old}`)), 404);
  });

  test("names with colons are fine for roles", async () => {
    const name = `contract:${fresh()}`;
    const path = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    expectCode(await fixture.client.post(path, { metadata: { name }, rules: [] }), 201);
    expect(expectCode(await fixture.client.get(`${path}/${encodeURIComponent(name)}`), 200).body.metadata.name).toBe(
      name,
    );
    expectCode(await fixture.client.delete(`${path}/${name}`), 200);
  });

  test("a binding's role cannot be changed", async () => {
    const path = fixture.group("rbac.authorization.k8s.io/v1", "rolebindings");
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "one" };
    expectCode(
      await fixture.client.post(path, {
        metadata: { name: "fixed" },
        roleRef,
        subjects: [{ kind: "User", name: "u" }],
      }),
      201,
    );
    const reply = await fixture.client.patch(`${path}/fixed`, "merge", { roleRef: { ...roleRef, name: "two" } });
    expectStatus(reply, 422, "Invalid");
  });
});
