import { completeDefinition } from "./definitions.ts";
import type { KubeObject } from "./object.ts";
import { at, type Json, listOf, type MutableObject, objectOf, textOf } from "./schema/json.ts";
import type { KindInfo } from "./schema/kinds.ts";
import { assignAddresses, inTurn } from "./service-addresses.ts";
import type { Backend } from "./target.ts";

type OnCreate = (backend: Backend, object: KubeObject) => KubeObject;
type OnUpdate = (backend: Backend, live: KubeObject, object: KubeObject) => KubeObject;

/** What the server itself adds to new objects of some built-in kinds. */
export function admitCreate(backend: Backend, kind: KindInfo, object: KubeObject): KubeObject {
  if (kind.origin !== "builtin") return object;
  return onCreate[`${kind.group}/${kind.kind}`]?.(backend, object) ?? object;
}

/** The same for changed objects; changes of subresources pass through, but those of definitions. */
export function admitUpdate(
  backend: Backend,
  kind: KindInfo,
  change: { readonly live: KubeObject; readonly object: KubeObject; readonly subresource?: string },
): KubeObject {
  if (kind.origin !== "builtin" || change.subresource !== undefined) return change.object;
  return onUpdate[`${kind.group}/${kind.kind}`]?.(backend, change.live, change.object) ?? change.object;
}

/** Runs a write of a kind: at once, or in turn where the server hands out something that nobody else may get. */
export function admitting<T>(backend: Backend, kind: KindInfo, write: () => Promise<T>): Promise<T> {
  return kind.group === "" && kind.kind === "Service" ? inTurn(backend.storage, write) : write();
}

const newNamespace: OnCreate = (_, object) => ({
  ...object,
  metadata: {
    ...object.metadata,
    labels: { "kubernetes.io/metadata.name": object.metadata.name, ...object.metadata.labels },
  },
  spec: { finalizers: ["kubernetes"] },
  status: { phase: "Active" },
});

// Finalizers of namespaces change through their subresource only.
const changedNamespace: OnUpdate = (_, live, object) => ({
  ...object,
  metadata: {
    ...object.metadata,
    labels: { ...object.metadata.labels, "kubernetes.io/metadata.name": object.metadata.name },
  },
  ...(live["spec"] === undefined ? {} : { spec: live["spec"] }),
});

const newService: OnCreate = ({ storage }, object) => {
  const spec: MutableObject = { ...objectOf(object["spec"]) };
  assignAddresses(storage, spec);
  return { ...object, spec, status: { loadBalancer: {} } };
};

const changedService: OnUpdate = ({ storage }, live, object) => {
  const before = objectOf(live["spec"]);
  const spec: MutableObject = { ...objectOf(object["spec"]) };
  if (spec["type"] !== "ExternalName") {
    // A client that does not send the address back means to keep it.
    if (!spec["clusterIP"]) Object.assign(spec, { clusterIP: before["clusterIP"], clusterIPs: before["clusterIPs"] });
    assignAddresses(storage, spec);
  }
  return { ...object, spec };
};

// What DefaultTolerationSeconds adds: a pod outlives its node by five minutes.
const tolerations = ["not-ready", "unreachable"].map((trouble) => ({
  key: `node.kubernetes.io/${trouble}`,
  operator: "Exists",
  effect: "NoExecute",
  tolerationSeconds: 300,
}));

function tolerating(spec: MutableObject): readonly Json[] {
  const own = listOf(spec["tolerations"]);
  const tolerates = (key: string): boolean =>
    own.some((one) => [key, undefined, ""].includes(at(one, "key") as string));
  return [...own, ...tolerations.filter(({ key }) => !tolerates(key))];
}

// Pods run under the account "default" unless they name one.
const newPod: OnCreate = (_, object) => {
  const spec = objectOf(object["spec"]);
  const account = textOf(spec["serviceAccountName"]) || "default";
  return {
    ...object,
    spec: {
      priority: 0,
      preemptionPolicy: "PreemptLowerPriority",
      ...spec,
      serviceAccountName: account,
      serviceAccount: account,
      tolerations: tolerating(spec),
    },
    status: { phase: "Pending", qosClass: "BestEffort" },
  };
};

// A Job finds its pods by its own uid, unless its author takes care of that.
const newJob: OnCreate = (_, object) => {
  const spec = objectOf(object["spec"]);
  const { uid, name } = object.metadata;
  if (spec["manualSelector"] === true || uid === undefined) return object;
  const own = { "batch.kubernetes.io/controller-uid": uid };
  const selector = { matchLabels: own, ...objectOf(spec["selector"]) };
  const template = objectOf(spec["template"]);
  const metadata = objectOf(template["metadata"]);
  const added = { "batch.kubernetes.io/job-name": name, "controller-uid": uid, "job-name": name, ...own };
  const labels = { ...added, ...objectOf(metadata["labels"]) };
  return { ...object, spec: { ...spec, selector, template: { ...template, metadata: { ...metadata, labels } } } };
};

const beginning =
  (status: MutableObject): OnCreate =>
  (_, object) => ({ ...object, status: { ...status } });

const phasePending = beginning({ phase: "Pending" });

const onCreate: Readonly<Record<string, OnCreate>> = {
  "/Namespace": newNamespace,
  "/Service": newService,
  "/PersistentVolumeClaim": phasePending,
  "/PersistentVolume": phasePending,
  "/Pod": newPod,
  "apps/Deployment": beginning({}),
  "apps/DaemonSet": beginning({
    currentNumberScheduled: 0,
    numberMisscheduled: 0,
    desiredNumberScheduled: 0,
    numberReady: 0,
  }),
  "apps/StatefulSet": beginning({ replicas: 0, availableReplicas: 0 }),
  "apps/ReplicaSet": beginning({ replicas: 0 }),
  "batch/CronJob": beginning({}),
  "batch/Job": (backend, object) => newJob(backend, { ...object, status: {} }),
  "policy/PodDisruptionBudget": beginning({
    disruptionsAllowed: 0,
    currentHealthy: 0,
    desiredHealthy: 0,
    expectedPods: 0,
  }),
  "apiextensions.k8s.io/CustomResourceDefinition": ({ registry }, object) => completeDefinition(registry, object),
};

const onUpdate: Readonly<Record<string, OnUpdate>> = {
  "/Namespace": changedNamespace,
  "/Service": changedService,
  "apiextensions.k8s.io/CustomResourceDefinition": ({ registry }, _, object) => completeDefinition(registry, object),
};
