import { entriesOf, type Json, type JsonObject, listOf, objectOf, textOf } from "./json.ts";
import type { KindInfo } from "./kinds.ts";
import { eachIn, fill, podSpec, podTemplate, protocol, textAt, within } from "./pod-defaults.ts";

type Filler = (object: JsonObject) => JsonObject;

/** A built-in object with what the API server fills in beyond the schema's defaults, so that readers find what they expect. */
export function builtinDefaults(kind: KindInfo, object: JsonObject): JsonObject {
  return FILLERS[`${kind.group}/${kind.kind}`]?.(object) ?? object;
}

function inSpec(change: Filler): Filler {
  return (object) => within(object, "spec", change);
}

const RBAC = "rbac.authorization.k8s.io";
const RETAIN = { whenDeleted: "Retain", whenScaled: "Retain" };

function workload(defaults: JsonObject, change: Filler = (spec) => spec): Filler {
  return inSpec((spec) => within(change(fill(spec, defaults)), "template", podTemplate));
}

function rolling(key: string, defaults: JsonObject): Filler {
  return (spec) => {
    const strategy = fill(objectOf(spec[key]), { type: "RollingUpdate" });
    if (strategy["type"] !== "RollingUpdate") return { ...spec, [key]: strategy };
    return { ...spec, [key]: { ...strategy, rollingUpdate: fill(objectOf(strategy["rollingUpdate"]), defaults) } };
  };
}

// Who names the strategy and no more gets no partition.
function statefulUpdates(spec: JsonObject): JsonObject {
  const strategy = objectOf(spec["updateStrategy"]);
  const named = textOf(strategy["type"]) !== "" && strategy["rollingUpdate"] === undefined;
  return named ? spec : rolling("updateStrategy", { partition: 0 })(spec);
}

function jobSpec(spec: JsonObject): JsonObject {
  const counted = spec["completions"] === undefined && spec["parallelism"] === undefined ? { completions: 1 } : {};
  const filled = fill(spec, {
    ...counted,
    parallelism: 1,
    backoffLimit: 6,
    completionMode: "NonIndexed",
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: spec["podFailurePolicy"] === undefined ? "TerminatingOrFailed" : "Failed",
  });
  return within(filled, "template", podTemplate);
}

function service(spec: JsonObject): JsonObject {
  const filled = fill(spec, { type: "ClusterIP", sessionAffinity: "None" });
  const type = textOf(filled["type"]);
  const outside = type === "NodePort" || type === "LoadBalancer";
  const affine =
    filled["sessionAffinity"] === "ClientIP" ? { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } } : {};
  const routed = fill(filled, {
    ...(type === "ExternalName" ? {} : { internalTrafficPolicy: "Cluster" }),
    ...(outside ? { externalTrafficPolicy: "Cluster" } : {}),
    ...(type === "LoadBalancer" ? { allocateLoadBalancerNodePorts: true } : {}),
    ...affine,
  });
  return eachIn(routed, "ports", (port) => fill(protocol(port), { targetPort: port["port"] }));
}

/** Plain texts become data; line breaks in data are no part of its base64, as Go's decoder has it. */
function secret(object: JsonObject): JsonObject {
  const { stringData, ...rest } = fill(object, { type: "Opaque" });
  const plain = entriesOf(objectOf(stringData)).map(
    ([key, text]) => [key, Buffer.from(textOf(text)).toString("base64")] as const,
  );
  const coded = entriesOf(objectOf(rest["data"])).map(([key, text]) => [key, unwrapped(text)] as const);
  const data = Object.fromEntries([...coded, ...plain]);
  return Object.keys(data).length === 0 ? rest : { ...rest, data };
}

function unwrapped(text: Json): Json {
  return typeof text === "string" && /[\r\n]/.test(text) ? text.replaceAll(/[\r\n]/g, "") : text;
}

function namespace(object: JsonObject): JsonObject {
  const name = textAt(object, "metadata", "name");
  const metadata = objectOf(object["metadata"]);
  const label = name === "" ? {} : { "kubernetes.io/metadata.name": name };
  const labelled = { ...metadata, labels: { ...objectOf(metadata["labels"]), ...label } };
  const spec = fill(objectOf(object["spec"]), { finalizers: ["kubernetes"] });
  return { ...object, metadata: labelled, spec, status: fill(objectOf(object["status"]), { phase: "Active" }) };
}

function networkPolicy(spec: JsonObject): JsonObject {
  const types = spec["egress"] === undefined ? ["Ingress"] : ["Ingress", "Egress"];
  const ruled = ["ingress", "egress"].reduce(
    (all, key) => eachIn(all, key, (rule) => eachIn(rule, "ports", protocol)),
    spec,
  );
  return fill(ruled, { podSelector: {}, policyTypes: types });
}

function binding(object: JsonObject): JsonObject {
  const bound = within(object, "roleRef", (role) => fill(role, { apiGroup: RBAC }));
  return eachIn(bound, "subjects", (subject) =>
    subject["kind"] === "ServiceAccount" ? subject : fill(subject, { apiGroup: RBAC }),
  );
}

function webhooks(defaults: JsonObject): Filler {
  return (object) =>
    eachIn(object, "webhooks", (webhook) => {
      const common = {
        failurePolicy: "Fail",
        matchPolicy: "Equivalent",
        timeoutSeconds: 10,
        namespaceSelector: {},
        objectSelector: {},
      };
      const filled = fill(webhook, { ...common, ...defaults });
      const ruled = eachIn(filled, "rules", (rule) => fill(rule, { scope: "*" }));
      return within(ruled, "clientConfig", (client) =>
        within(client, "service", (target) => fill(target, { port: 443 })),
      );
    });
}

function definition(spec: JsonObject): JsonObject {
  const kind = textAt(spec, "names", "kind");
  const named = within(spec, "names", (names) =>
    fill(names, { singular: kind.toLowerCase(), listKind: `${kind}List` }),
  );
  const converted = fill(named, { conversion: { strategy: "None" } });
  return within(converted, "conversion", (conversion) =>
    within(conversion, "webhook", (webhook) =>
      within(webhook, "clientConfig", (client) => within(client, "service", (one) => fill(one, { port: 443 }))),
    ),
  );
}

function claimTemplates(spec: JsonObject): JsonObject {
  return eachIn(spec, "volumeClaimTemplates", (claim) => {
    const typed = fill(claim, { apiVersion: "v1", kind: "PersistentVolumeClaim", status: { phase: "Pending" } });
    return within(typed, "spec", (one) => fill(one, { volumeMode: "Filesystem" }));
  });
}

function pod(object: JsonObject): JsonObject {
  const spec = within(object, "spec", (one) => fill(podSpec(one), { enableServiceLinks: true }));
  return listOf(objectOf(object["status"])["conditions"]).length > 0
    ? spec
    : { ...spec, status: fill(objectOf(object["status"]), { phase: "Pending" }) };
}

const FILLERS: Readonly<Record<string, Filler>> = {
  "/Namespace": namespace,
  "/Pod": pod,
  "/PodTemplate": (object) => within(object, "template", podTemplate),
  "/Secret": secret,
  "/Service": inSpec(service),
  "/Endpoints": (object) => eachIn(object, "subsets", (subset) => eachIn(subset, "ports", protocol)),
  "/PersistentVolumeClaim": (object) => ({
    ...within(object, "spec", (spec) => fill(spec, { volumeMode: "Filesystem" })),
    status: fill(objectOf(object["status"]), { phase: "Pending" }),
  }),
  "/PersistentVolume": inSpec((spec) =>
    fill(spec, { persistentVolumeReclaimPolicy: "Retain", volumeMode: "Filesystem" }),
  ),
  "/ReplicationController": workload({ replicas: 1 }),
  "apps/Deployment": workload(
    { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 },
    rolling("strategy", { maxUnavailable: "25%", maxSurge: "25%" }),
  ),
  "apps/ReplicaSet": workload({ replicas: 1 }),
  "apps/DaemonSet": workload(
    { revisionHistoryLimit: 10 },
    rolling("updateStrategy", { maxUnavailable: 1, maxSurge: 0 }),
  ),
  "apps/StatefulSet": workload(
    {
      replicas: 1,
      podManagementPolicy: "OrderedReady",
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: RETAIN,
    },
    (spec) => claimTemplates(statefulUpdates(spec)),
  ),
  "batch/Job": inSpec(jobSpec),
  "batch/CronJob": inSpec((spec) => {
    const filled = fill(spec, {
      concurrencyPolicy: "Allow",
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
    return within(filled, "jobTemplate", (template) =>
      within(template, "spec", (job) => within(job, "template", podTemplate)),
    );
  }),
  "autoscaling/HorizontalPodAutoscaler": inSpec((spec) => fill(spec, { minReplicas: 1 })),
  "networking.k8s.io/NetworkPolicy": inSpec(networkPolicy),
  "rbac.authorization.k8s.io/RoleBinding": binding,
  "rbac.authorization.k8s.io/ClusterRoleBinding": binding,
  "storage.k8s.io/StorageClass": (object) => fill(object, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" }),
  "storage.k8s.io/CSIDriver": inSpec((spec) =>
    fill(spec, {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: "ReadWriteOnceWithFSType",
      volumeLifecycleModes: ["Persistent"],
      requiresRepublish: false,
      seLinuxMount: false,
    }),
  ),
  "scheduling.k8s.io/PriorityClass": (object) => fill(object, { preemptionPolicy: "PreemptLowerPriority" }),
  "discovery.k8s.io/EndpointSlice": (object) => eachIn(object, "ports", (port) => fill(protocol(port), { name: "" })),
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": webhooks({}),
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": webhooks({ reinvocationPolicy: "Never" }),
  "apiextensions.k8s.io/CustomResourceDefinition": inSpec(definition),
};
