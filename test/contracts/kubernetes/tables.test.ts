import { describe, expect, test } from "vitest";
import { expectCode, type Loose } from "./client.ts";
import { fresh, useCluster } from "./fixture.ts";

const fixture = useCluster();
const table = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json" };

describe("columns", () => {
  test.each([
    ["/api/v1/events", "Last Seen, Type, Reason, Object, Subobject, Source, Message, First Seen, Count, Name"],
    [
      "/apis/events.k8s.io/v1/events",
      "Last Seen, Type, Reason, Object, Subobject, Source, Message, First Seen, Count, Name",
    ],
    ["/api/v1/namespaces", "Name, Status, Age"],
    [
      "/api/v1/persistentvolumes",
      "Name, Capacity, Access Modes, Reclaim Policy, Status, Claim, StorageClass, VolumeAttributesClass, Reason, Age, VolumeMode",
    ],
    [
      "/api/v1/nodes",
      "Name, Status, Roles, Age, Version, Internal-IP, External-IP, OS-Image, Kernel-Version, Container-Runtime",
    ],
    ["/api/v1/resourcequotas", "Name, Request, Limit, Age"],
    ["/api/v1/limitranges", "Name, Created At"],
    [
      "/apis/apps/v1/daemonsets",
      "Name, Desired, Current, Ready, Up-to-date, Available, Node Selector, Age, Containers, Images, Selector",
    ],
    [
      "/apis/batch/v1/cronjobs",
      "Name, Schedule, Timezone, Suspend, Active, Last Schedule, Age, Containers, Images, Selector",
    ],
    ["/apis/networking.k8s.io/v1/ingressclasses", "Name, Controller, Parameters, Age"],
    [
      "/apis/storage.k8s.io/v1/storageclasses",
      "Name, Provisioner, ReclaimPolicy, VolumeBindingMode, AllowVolumeExpansion, Age",
    ],
    ["/apis/scheduling.k8s.io/v1/priorityclasses", "Name, Value, Global-Default, Age, PreemptionPolicy"],
    ["/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", "Name, Webhooks, Age"],
    ["/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "Name, Created At"],
    ["/apis/rbac.authorization.k8s.io/v1/clusterroles", "Name, Created At"],
  ])("of %s", async (path, columns) => {
    const { body } = expectCode(await fixture.client.get(path, table), 200);
    expect(body.columnDefinitions.map((column: Loose) => column.name).join(", ")).toBe(columns);
  });
});

/** The cells of an object, its name and age left out. */
async function cellsOf(path: string, object: Loose): Promise<Loose[]> {
  const made = expectCode(
    await fixture.client.post(path, { metadata: { name: fresh(), ...object.metadata }, ...object }),
    201,
  );
  const { name } = made.body.metadata;
  const { body } = expectCode(await fixture.client.get(`${path}/${name}`, table), 200);
  if (!path.includes("/namespaces/")) await fixture.client.delete(`${path}/${name}`);
  const shown = body.columnDefinitions.map((column: Loose) => !["Name", "Age"].includes(column.name));
  return body.rows[0].cells.filter((_: Loose, index: number) => shown[index]);
}

const selector = { matchLabels: { a: "b" }, matchExpressions: [{ key: "c", operator: "In", values: ["d", "e"] }] };
const reference = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const once = { restartPolicy: "Never", containers: [{ name: "c", image: "registry.example/x:1" }] };
const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
const cpu = { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 70 } } };
const pods = { type: "Pods", pods: { metric: { name: "hits" }, target: { type: "AverageValue", averageValue: "5" } } };

describe("rows", () => {
  test.each([
    ["policy/v1/poddisruptionbudgets", { spec: { minAvailable: 1, selector } }, ["1", "N/A", 0]],
    ["policy/v1/poddisruptionbudgets", { spec: { maxUnavailable: "50%", selector } }, ["N/A", "50%", 0]],
    ["networking.k8s.io/v1/networkpolicies", { spec: { podSelector: {} } }, ["<none>"]],
    ["networking.k8s.io/v1/networkpolicies", { spec: { podSelector: selector } }, ["a=b,c in (d,e)"]],
    [
      "autoscaling/v2/horizontalpodautoscalers",
      { spec: { maxReplicas: 3, scaleTargetRef: reference, metrics: [cpu, pods, cpu] } },
      ["Deployment/web", "cpu: <unknown>/70%, <unknown>/5 + 1 more...", "1", 3, 0],
    ],
    [
      "batch/v1/cronjobs",
      { spec: { schedule: "@daily", jobTemplate: { spec: { template: { spec: once } } } } },
      ["@daily", "<none>", "False", 0, "<none>", "c", "registry.example/x:1", "<none>"],
    ],
    ["coordination.k8s.io/v1/leases", { spec: { holderIdentity: "me" } }, ["me"]],
    [
      "discovery.k8s.io/v1/endpointslices",
      {
        addressType: "IPv4",
        ports: [
          { name: "a", port: 80 },
          { name: "b", port: 81 },
        ],
        endpoints: [{ addresses: ["10.1.2.3"] }],
      },
      ["IPv4", "80,81", "10.1.2.3"],
    ],
    ["discovery.k8s.io/v1/endpointslices", { addressType: "IPv4", endpoints: [] }, ["IPv4", "<unset>", "<unset>"]],
    [
      "apps/v1/daemonsets",
      {
        spec: {
          selector: { matchLabels: { a: "b" } },
          template: {
            metadata: { labels: { a: "b" } },
            spec: { nodeSelector: { disk: "ssd" }, containers: [{ name: "c", image: "registry.example/x:1" }] },
          },
        },
      },
      [0, 0, 0, 0, 0, "disk=ssd", "c", "registry.example/x:1", "a=b"],
    ],
  ])("of %s", async (resource, object, cells) => {
    const [group, version, plural = ""] = resource.split("/");
    expect(await cellsOf(fixture.group(`${group}/${version}`, plural), object)).toEqual(cells);
  });

  test.each([
    ["persistentvolumeclaims", { spec: claim }, ["Pending", "", "", "", "", "<unset>", "Filesystem"]],
    [
      "endpoints",
      { subsets: [{ addresses: ["1", "2", "3", "4"].map((one) => ({ ip: `10.0.0.${one}` })), ports: [{ port: 80 }] }] },
      ["10.0.0.1:80,10.0.0.2:80,10.0.0.3:80 + 1 more..."],
    ],
    ["endpoints", {}, ["<none>"]],
    [
      "podtemplates",
      { template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "x:1" }] } } },
      ["c", "x:1", "a=b"],
    ],
  ])("of %s in the core group", async (plural, object, cells) => {
    expect(await cellsOf(fixture.core(plural), object)).toEqual(cells);
  });

  test.each([
    [
      "/apis/storage.k8s.io/v1/storageclasses",
      { provisioner: "a.example/disk" },
      ["a.example/disk", "Delete", "Immediate", false],
    ],
    ["/apis/scheduling.k8s.io/v1/priorityclasses", { value: 7 }, [7, false, "PreemptLowerPriority"]],
    [
      "/apis/networking.k8s.io/v1/ingressclasses",
      {
        spec: {
          controller: "a.example/gate",
          parameters: { apiGroup: "a.example", kind: "Gate", name: "g", scope: "Cluster" },
        },
      },
      ["a.example/gate", "Gate.a.example/g"],
    ],
    ["/apis/node.k8s.io/v1/runtimeclasses", { handler: "runsc" }, ["runsc"]],
    ["/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", { webhooks: [] }, [0]],
    [
      "/api/v1/persistentvolumes",
      {
        spec: {
          capacity: { storage: "1Gi" },
          accessModes: ["ReadOnlyMany"],
          hostPath: { path: "/data" },
          claimRef: { namespace: "n", name: "c" },
        },
      },
      ["1Gi", "ROX", "Retain", expect.stringMatching(/^(Pending|Available)$/), "n/c", "", "<unset>", "", "Filesystem"],
    ],
  ])("of %s", async (path, object, cells) => {
    expect(await cellsOf(path, object)).toEqual(cells);
  });

  test("of events tell what happened, and their name last", async () => {
    const happened = {
      involvedObject: { kind: "Pod", name: "p", namespace: fixture.namespace, fieldPath: "spec.containers{main}" },
      reason: "Tested",
      message: " it works ",
      type: "Normal",
      source: { component: "contract", host: "here" },
      count: 2,
    };
    const path = fixture.core("events");
    const [, type, reason, object, part, source, message, , count] = await cellsOf(path, happened);
    expect([type, reason, object, part, source, message, count]).toEqual([
      "Normal",
      "Tested",
      "pod/p",
      "spec.containers{main}",
      "contract, here",
      "it works",
      2,
    ]);
  });

  test("of the default storage class say so", async () => {
    const path = "/apis/storage.k8s.io/v1/storageclasses";
    const name = fresh("class");
    const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
    await fixture.client.post(path, { metadata: { name, annotations }, provisioner: "a.example/disk" });
    const { body } = await fixture.client.get(`${path}/${name}`, table);
    await fixture.client.delete(`${path}/${name}`);
    expect(body.rows[0].cells[0]).toBe(`${name} (default)`);
  });
});
