import type { KubeObject } from "./object.ts";
import { podSpecDefaults, templateDefaults, withDefaults } from "./pod-defaults.ts";
import { isObject, type Json, listOf, type MutableObject, objectOf, textOf } from "./schema/json.ts";
import type { KindInfo } from "./schema/kinds.ts";

type Fill = (spec: MutableObject, object: KubeObject) => void;

/** Fills in what Kubernetes' own kinds get from code, not from their schemas (pkg/apis/<group>/v1/defaults.go). */
export function builtinDefaults(kind: KindInfo, object: KubeObject): KubeObject {
  if (kind.origin !== "builtin") return object;
  const whole = wholes[`${kind.group}/${kind.kind}`];
  if (whole !== undefined) return whole(object);
  const fill = specs[`${kind.group}/${kind.kind}`];
  if (fill === undefined) return object;
  const spec: MutableObject = { ...objectOf(object["spec"]) };
  fill(spec, object);
  return { ...object, spec };
}

function fill(spec: MutableObject, defaults: MutableObject): void {
  Object.assign(spec, withDefaults(spec, defaults));
}

const deployment: Fill = (spec) => {
  fill(spec, { replicas: 1, strategy: {}, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  const strategy = withDefaults(spec["strategy"], { type: "RollingUpdate" });
  if (strategy["type"] === "RollingUpdate") {
    strategy["rollingUpdate"] = withDefaults(strategy["rollingUpdate"], { maxUnavailable: "25%", maxSurge: "25%" });
  }
  spec["strategy"] = strategy;
  spec["template"] = templateDefaults(spec["template"]);
};

const statefulSet: Fill = (spec) => {
  fill(spec, {
    replicas: 1,
    podManagementPolicy: "OrderedReady",
    revisionHistoryLimit: 10,
    updateStrategy: {},
    persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" },
  });
  const strategy = withDefaults(spec["updateStrategy"], { type: "RollingUpdate" });
  if (strategy["type"] === "RollingUpdate")
    strategy["rollingUpdate"] = withDefaults(strategy["rollingUpdate"], { partition: 0 });
  spec["updateStrategy"] = strategy;
  spec["template"] = templateDefaults(spec["template"]);
  if (spec["volumeClaimTemplates"] !== undefined)
    spec["volumeClaimTemplates"] = listOf(spec["volumeClaimTemplates"]).map(claimTemplate);
};

function claimTemplate(template: Json): Json {
  const head = { apiVersion: "v1", kind: "PersistentVolumeClaim", status: { phase: "Pending" } };
  const filled = withDefaults(template, head);
  filled["spec"] = withDefaults(filled["spec"], { volumeMode: "Filesystem" });
  return filled;
}

const daemonSet: Fill = (spec) => {
  fill(spec, { updateStrategy: {}, revisionHistoryLimit: 10 });
  const strategy = withDefaults(spec["updateStrategy"], { type: "RollingUpdate" });
  if (strategy["type"] === "RollingUpdate") {
    strategy["rollingUpdate"] = withDefaults(strategy["rollingUpdate"], { maxSurge: 0, maxUnavailable: 1 });
  }
  spec["updateStrategy"] = strategy;
  spec["template"] = templateDefaults(spec["template"]);
};

const replicaSet: Fill = (spec) => {
  fill(spec, { replicas: 1 });
  if (isObject(spec["template"])) spec["template"] = templateDefaults(spec["template"]);
};

const jobSpec = (spec: MutableObject): void => {
  fill(spec, {
    parallelism: 1,
    backoffLimit: 6,
    completionMode: "NonIndexed",
    suspend: false,
    podReplacementPolicy: "TerminatingOrFailed",
  });
  if (spec["completions"] === undefined && spec["parallelism"] === 1) spec["completions"] = 1;
  spec["template"] = templateDefaults(spec["template"]);
};

const job: Fill = (spec, object) => {
  jobSpec(spec);
  const { uid, name } = object.metadata;
  if (spec["manualSelector"] === true || uid === undefined) return;
  const own = { "batch.kubernetes.io/controller-uid": uid };
  spec["selector"] = { matchLabels: own, ...objectOf(spec["selector"]) };
  const template: MutableObject = { ...objectOf(spec["template"]) };
  const metadata = objectOf(template["metadata"]);
  const labels = { "batch.kubernetes.io/job-name": name, "controller-uid": uid, "job-name": name, ...own };
  template["metadata"] = { ...metadata, labels: { ...labels, ...objectOf(metadata["labels"]) } };
  spec["template"] = template;
};

const cronJob: Fill = (spec) => {
  fill(spec, { concurrencyPolicy: "Allow", suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 });
  const template: MutableObject = { ...objectOf(spec["jobTemplate"]) };
  const inner: MutableObject = { ...objectOf(template["spec"]) };
  inner["template"] = templateDefaults(inner["template"]);
  spec["jobTemplate"] = { ...template, spec: inner };
};

const service: Fill = (spec) => {
  fill(spec, { type: "ClusterIP", sessionAffinity: "None" });
  if (spec["ports"] !== undefined) {
    spec["ports"] = listOf(spec["ports"]).map((port) =>
      withDefaults(port, { protocol: "TCP", targetPort: objectOf(port)["port"] ?? 0 }),
    );
  }
  if (spec["type"] === "ExternalName") return;
  fill(spec, { internalTrafficPolicy: "Cluster", ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" });
  if (spec["type"] !== "ClusterIP") fill(spec, { externalTrafficPolicy: "Cluster" });
  if (spec["type"] === "LoadBalancer") fill(spec, { allocateLoadBalancerNodePorts: true });
};

const pod: Fill = (spec) => {
  Object.assign(
    spec,
    withDefaults(podSpecDefaults(spec), {
      enableServiceLinks: true,
      serviceAccountName: "default",
      serviceAccount: "default",
    }),
  );
};

const specs: Readonly<Record<string, Fill>> = {
  "/Pod": pod,
  "/Service": service,
  "/PersistentVolumeClaim": (spec) => fill(spec, { volumeMode: "Filesystem" }),
  "/PersistentVolume": (spec) => fill(spec, { volumeMode: "Filesystem", persistentVolumeReclaimPolicy: "Retain" }),
  "/ReplicationController": replicaSet,
  "apps/Deployment": deployment,
  "apps/StatefulSet": statefulSet,
  "apps/DaemonSet": daemonSet,
  "apps/ReplicaSet": replicaSet,
  "batch/Job": job,
  "batch/CronJob": cronJob,
  "autoscaling/HorizontalPodAutoscaler": (spec) => fill(spec, { minReplicas: 1 }),
  "networking.k8s.io/NetworkPolicy": (spec) =>
    fill(spec, { podSelector: {}, policyTypes: spec["egress"] === undefined ? ["Ingress"] : ["Ingress", "Egress"] }),
};

const secret = (object: KubeObject): KubeObject => {
  const { stringData, ...kept } = object;
  const written = Object.entries(objectOf(stringData)).map(([key, value]) => [
    key,
    Buffer.from(textOf(value)).toString("base64"),
  ]);
  const data = { ...objectOf(object["data"]), ...Object.fromEntries(written) };
  const filled = Object.keys(data).length === 0 ? kept : { ...kept, data };
  return { type: "Opaque", ...filled } as KubeObject;
};

const rbacGroup = "rbac.authorization.k8s.io";

const binding = (object: KubeObject): KubeObject => {
  const bound: KubeObject = { ...object, roleRef: withDefaults(object["roleRef"], { apiGroup: rbacGroup }) };
  if (object["subjects"] === undefined) return bound;
  const subjects = listOf(object["subjects"]).map((subject) =>
    objectOf(subject)["kind"] === "ServiceAccount" ? subject : withDefaults(subject, { apiGroup: rbacGroup }),
  );
  return { ...bound, subjects };
};

const webhooks = (object: KubeObject): KubeObject => {
  const defaults = {
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
  };
  if (object["webhooks"] === undefined) return object;
  return { ...object, webhooks: listOf(object["webhooks"]).map((webhook) => withDefaults(webhook, defaults)) };
};

const wholes: Readonly<Record<string, (object: KubeObject) => KubeObject>> = {
  "/Secret": secret,
  [`${rbacGroup}/RoleBinding`]: binding,
  [`${rbacGroup}/ClusterRoleBinding`]: binding,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": webhooks,
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": (object) => {
    const filled = webhooks(object);
    if (filled["webhooks"] === undefined) return filled;
    return {
      ...filled,
      webhooks: listOf(filled["webhooks"]).map((webhook) => withDefaults(webhook, { reinvocationPolicy: "Never" })),
    };
  },
  "storage.k8s.io/StorageClass": (object) =>
    ({ reclaimPolicy: "Delete", volumeBindingMode: "Immediate", ...object }) as KubeObject,
  "scheduling.k8s.io/PriorityClass": (object) =>
    ({ preemptionPolicy: "PreemptLowerPriority", ...object }) as KubeObject,
};
