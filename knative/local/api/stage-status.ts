import { type KubeObject, splitApiVersion, timestamp } from "./object.ts";
import { at, type Json, listOf, type MutableObject, objectOf, textOf } from "./schema/json.ts";

/** The annotation, on an object or its pod template, that makes the stage fail it instead. */
export const stageAnnotation = "openpitrix.io/stage";

type Status = (object: KubeObject, failed: boolean) => MutableObject | undefined;

/** The status that a workload has once it is ready (or has failed); undefined for objects without a stage. */
export function stagedStatus(object: KubeObject): MutableObject | undefined {
  const { group } = splitApiVersion(object.apiVersion);
  return statuses[`${group}/${object.kind}`]?.(object, isMarked(object));
}

/** The storage resources that the stage looks after. */
export const stagedResources: readonly string[] = [
  "core/pods",
  "core/persistentvolumeclaims",
  "core/services",
  "core/replicationcontrollers",
  "apps/deployments",
  "apps/statefulsets",
  "apps/daemonsets",
  "apps/replicasets",
  "batch/jobs",
];

function isMarked(object: KubeObject): boolean {
  const own = object.metadata.annotations?.[stageAnnotation];
  return own === "fail" || at(object, "spec", "template", "metadata", "annotations", stageAnnotation) === "fail";
}

function condition(type: string, status: boolean, [reason, message]: readonly [string, string]): MutableObject {
  return { type, status: status ? "True" : "False", reason, message, lastTransitionTime: timestamp() };
}

const replicasOf = (object: KubeObject): number => Number(at(object, "spec", "replicas") ?? 1);

const deployment: Status = (object, failed) => {
  const replicas = replicasOf(object);
  const { generation = 1, name } = object.metadata;
  const counts = failed ? { unavailableReplicas: replicas } : { readyReplicas: replicas, availableReplicas: replicas };
  const available = condition(
    "Available",
    !failed,
    failed
      ? ["MinimumReplicasUnavailable", "Deployment does not have minimum availability."]
      : ["MinimumReplicasAvailable", "Deployment has minimum availability."],
  );
  const progressing = condition(
    "Progressing",
    !failed,
    failed
      ? ["ProgressDeadlineExceeded", `Deployment "${name}" has exceeded its progress deadline.`]
      : ["NewReplicaSetAvailable", `Deployment "${name}" has successfully progressed.`],
  );
  const conditions = [available, progressing].map((one) => ({ ...one, lastUpdateTime: one["lastTransitionTime"] }));
  return { observedGeneration: generation, replicas, updatedReplicas: replicas, ...counts, conditions };
};

const statefulSet: Status = (object, failed) => {
  const replicas = replicasOf(object);
  const { generation = 1, name } = object.metadata;
  const revision = `${name}-${generation}`;
  const ready = failed ? 0 : replicas;
  return {
    observedGeneration: generation,
    replicas,
    readyReplicas: ready,
    availableReplicas: ready,
    currentReplicas: replicas,
    updatedReplicas: replicas,
    currentRevision: revision,
    updateRevision: revision,
    collisionCount: 0,
  };
};

// One node is assumed, so that a daemon set has something to run on.
const daemonSet: Status = (object, failed) => {
  const ready = failed ? 0 : 1;
  return {
    observedGeneration: object.metadata.generation ?? 1,
    currentNumberScheduled: 1,
    desiredNumberScheduled: 1,
    numberMisscheduled: 0,
    numberReady: ready,
    numberAvailable: ready,
    updatedNumberScheduled: 1,
    ...(failed ? { numberUnavailable: 1 } : {}),
  };
};

const replicaSet: Status = (object, failed) => {
  const replicas = replicasOf(object);
  const ready = failed ? 0 : replicas;
  return {
    observedGeneration: object.metadata.generation ?? 1,
    replicas,
    fullyLabeledReplicas: replicas,
    readyReplicas: ready,
    availableReplicas: ready,
  };
};

const job: Status = (object, failed) => {
  if (at(object, "spec", "suspend") === true) return undefined;
  const now = timestamp();
  const startTime = textOf(at(object, "status", "startTime")) || now;
  if (failed) {
    const why = ["BackoffLimitExceeded", "Job has reached the specified backoff limit"] as const;
    const conditions = [condition("FailureTarget", true, why), condition("Failed", true, why)];
    return {
      startTime,
      failed: 1,
      ready: 0,
      terminating: 0,
      conditions: conditions.map((one) => ({ ...one, lastProbeTime: now })),
    };
  }
  const why = ["CompletionsReached", "Reached expected number of succeeded pods"] as const;
  const conditions = [condition("SuccessCriteriaMet", true, why), condition("Complete", true, why)];
  const succeeded = Number(at(object, "spec", "completions") ?? 1);
  return {
    startTime,
    completionTime: now,
    succeeded,
    ready: 0,
    terminating: 0,
    conditions: conditions.map((one) => ({ ...one, lastProbeTime: now })),
  };
};

const pod: Status = (object, failed) => {
  const runsOn = textOf(at(object, "spec", "restartPolicy")) === "Always";
  const ready = runsOn && !failed;
  const phase = failed ? "Failed" : runsOn ? "Running" : "Succeeded";
  const why = ready ? (["", ""] as const) : (["PodCompleted", ""] as const);
  const conditions = ["Initialized", "Ready", "ContainersReady", "PodScheduled"].map((type) => {
    const holds = type === "Initialized" || type === "PodScheduled" || ready;
    return { ...condition(type, holds, why), lastProbeTime: null };
  });
  const containerStatuses = listOf(at(object, "spec", "containers")).map((container) =>
    containerStatus(container, { ready, failed }),
  );
  return {
    phase,
    conditions,
    containerStatuses,
    hostIP: "127.0.0.1",
    podIP: "127.0.0.1",
    podIPs: [{ ip: "127.0.0.1" }],
    qosClass: "BestEffort",
    startTime: timestamp(),
  };
};

function containerStatus(container: Json, { ready, failed }: { ready: boolean; failed: boolean }): MutableObject {
  const now = timestamp();
  const ended = { exitCode: failed ? 1 : 0, reason: failed ? "Error" : "Completed", startedAt: now, finishedAt: now };
  const image = textOf(at(container, "image"));
  const state: MutableObject = ready ? { running: { startedAt: now } } : { terminated: ended };
  return {
    name: textOf(at(container, "name")),
    image,
    imageID: "",
    ready,
    started: ready,
    restartCount: 0,
    state,
    lastState: {},
  };
}

const claim: Status = (object, failed) => {
  if (failed) return { phase: "Lost" };
  const requests = objectOf(at(object, "spec", "resources", "requests"));
  const capacity = requests["storage"] === undefined ? {} : { capacity: { storage: requests["storage"] } };
  return { phase: "Bound", accessModes: at(object, "spec", "accessModes") ?? [], ...capacity };
};

const service: Status = (object, failed) => {
  if (failed || at(object, "spec", "type") !== "LoadBalancer") return undefined;
  return { loadBalancer: { ingress: [{ ip: "127.0.0.1", ipMode: "VIP" }] } };
};

const statuses: Readonly<Record<string, Status>> = {
  "/Pod": pod,
  "/PersistentVolumeClaim": claim,
  "/Service": service,
  "/ReplicationController": replicaSet,
  "apps/Deployment": deployment,
  "apps/StatefulSet": statefulSet,
  "apps/DaemonSet": daemonSet,
  "apps/ReplicaSet": replicaSet,
  "batch/Job": job,
};
