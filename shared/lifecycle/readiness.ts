import type { ReleaseObject } from "../helm-port.ts";

/** How far one object has come, in the sense of kstatus. */
export type Readiness = "Ready" | "Progressing" | "Failed";

/** How one object of a release is, with a sentence when it is not ready. */
export interface ObjectReadiness {
  readonly readiness: Readiness;
  readonly message: string;
}

type Fields = Readonly<Record<string, unknown>>;

type Check = (object: Live) => ObjectReadiness;

interface Live {
  readonly name: string;
  readonly spec: Fields;
  readonly status: Fields;
}

const READY: ObjectReadiness = { readiness: "Ready", message: "" };

/** The kinds that take time to become ready; all others are ready once they exist. */
const CHECKS: Readonly<Record<string, Check>> = {
  Deployment: (object) => deployment(object),
  StatefulSet: (object) => replicas(object, "readyReplicas", "updatedReplicas"),
  ReplicaSet: (object) => replicas(object, "readyReplicas", "availableReplicas"),
  DaemonSet: (object) => daemonSet(object),
  Job: (object) => job(object),
  Pod: (object) => pod(object),
  PersistentVolumeClaim: (object) => claim(object),
  CustomResourceDefinition: (object) => condition(object, "Established"),
  APIService: (object) => condition(object, "Available"),
};

/** How one object of a manifest is, by the rules of its kind. */
export function readinessOf({ kind, name, live }: ReleaseObject): ObjectReadiness {
  const label = `${kind} ${name}`;
  if (!live) return progressing(`${label} does not exist yet`);
  const status = fields(live["status"]);
  const { generation } = fields(live["metadata"]);
  const observed = status["observedGeneration"];
  if (typeof observed === "number" && typeof generation === "number" && observed < generation) {
    return progressing(`${label} has changed and was not looked at yet`);
  }
  return CHECKS[kind]?.({ name: label, spec: fields(live["spec"]), status }) ?? READY;
}

function deployment(object: Live): ObjectReadiness {
  const stuck = conditionOf(object, "Progressing");
  if (stuck?.["status"] === "False" && stuck["reason"] === "ProgressDeadlineExceeded") {
    return failed(`${object.name} did not progress: ${text(stuck["message"])}`);
  }
  return replicas(object, "availableReplicas", "updatedReplicas");
}

function replicas({ name, spec, status }: Live, ...counters: readonly string[]): ObjectReadiness {
  const wanted = count(spec["replicas"], 1);
  const least = Math.min(...counters.map((counter) => count(status[counter], 0)));
  return least >= wanted ? READY : progressing(`${name} has ${least} of ${wanted} replicas ready`);
}

function daemonSet({ name, status }: Live): ObjectReadiness {
  const wanted = status["desiredNumberScheduled"];
  if (typeof wanted !== "number") return progressing(`${name} was not scheduled yet`);
  const ready = Math.min(count(status["numberReady"], 0), count(status["updatedNumberScheduled"], wanted));
  return ready >= wanted ? READY : progressing(`${name} has ${ready} of ${wanted} pods ready`);
}

function job(object: Live): ObjectReadiness {
  const broken = conditionOf(object, "Failed");
  if (broken?.["status"] === "True") return failed(`${object.name} failed: ${text(broken["message"])}`);
  return conditionOf(object, "Complete")?.["status"] === "True"
    ? READY
    : progressing(`${object.name} has not completed`);
}

function pod(object: Live): ObjectReadiness {
  const phase = object.status["phase"];
  if (phase === "Failed") return failed(`${object.name} failed: ${text(object.status["message"])}`);
  return phase === "Succeeded" ? READY : condition(object, "Ready");
}

function claim({ name, status }: Live): ObjectReadiness {
  const phase = status["phase"];
  if (phase === "Lost") return failed(`${name} lost its volume`);
  return phase === "Bound" ? READY : progressing(`${name} is not bound to a volume`);
}

function condition(object: Live, type: string): ObjectReadiness {
  return conditionOf(object, type)?.["status"] === "True" ? READY : progressing(`${object.name} is not ${type}`);
}

function conditionOf({ status }: Live, type: string): Fields | undefined {
  const list = status["conditions"];
  return Array.isArray(list) ? list.map(fields).find((entry) => entry["type"] === type) : undefined;
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function count(value: unknown, fallback: number): number {
  return typeof value === "number" ? value : fallback;
}

function text(value: unknown): string {
  return typeof value === "string" && value !== "" ? value : "no reason given";
}

function progressing(message: string): ObjectReadiness {
  return { readiness: "Progressing", message };
}

function failed(message: string): ObjectReadiness {
  return { readiness: "Failed", message };
}
