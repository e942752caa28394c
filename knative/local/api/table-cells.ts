import { ageOf } from "./age.ts";
import { at, listOf, textOf } from "./schema/json.ts";
import type { KindInfo } from "./schema/kinds.ts";
import {
  accessModes,
  type Cell,
  dataSize,
  eachContainer,
  eventTarget,
  field,
  ingressHosts,
  ingressPorts,
  jobDuration,
  jobStatus,
  lastSeen,
  number,
  podReady,
  podRestarts,
  podStatus,
  ratio,
  roleOf,
  selector,
  serviceAddress,
  servicePorts,
  subjectNames,
} from "./table-cell-values.ts";
import type { TableColumn } from "./tables.ts";

/** The columns of the built-in kinds whose cells must be computed; undefined for those that JSON paths can fill. */
export function builtinCells(kind: KindInfo): readonly TableColumn[] | undefined {
  return cells[`${kind.group}/${kind.kind}`];
}

function text(name: string, cell: Cell, priority = 0): TableColumn {
  return { name, type: "string", priority, cell };
}

const age: TableColumn = text("Age", (object) => ageOf(object.metadata.creationTimestamp ?? ""));

const podDetails: readonly TableColumn[] = [
  text("Containers", eachContainer("name"), 1),
  text("Images", eachContainer("image"), 1),
  text("Selector", selector, 1),
];

const bindingColumns: readonly TableColumn[] = [
  text("Role", roleOf),
  age,
  text("Users", subjectNames("User"), 1),
  text("Groups", subjectNames("Group"), 1),
  text("ServiceAccounts", subjectNames("ServiceAccount"), 1),
];

const created: TableColumn = text("Created At", (object) => object.metadata.creationTimestamp ?? "");

const replicaColumns: readonly TableColumn[] = [
  text("Desired", number("spec", "replicas")),
  text("Current", number("status", "replicas")),
  text("Ready", number("status", "readyReplicas")),
  age,
  ...podDetails,
];

const cells: Readonly<Record<string, readonly TableColumn[]>> = {
  "/ConfigMap": [text("Data", dataSize), age],
  "/Secret": [text("Type", field("type")), text("Data", dataSize), age],
  "/ServiceAccount": [text("Secrets", (object) => listOf(object["secrets"]).length), age],
  "/Service": [
    text("Type", field("spec", "type")),
    text("Cluster-IP", field("spec", "clusterIP")),
    text("External-IP", serviceAddress),
    text("Port(s)", servicePorts),
    age,
    text("Selector", selector, 1),
  ],
  "/Pod": [
    text("Ready", podReady),
    text("Status", podStatus),
    text("Restarts", podRestarts),
    age,
    text("IP", field("status", "podIP"), 1),
    text("Node", field("spec", "nodeName"), 1),
    text("Nominated Node", field("status", "nominatedNodeName"), 1),
    text("Readiness Gates", () => "<none>", 1),
  ],
  "/PersistentVolumeClaim": [
    text("Status", field("status", "phase")),
    text("Volume", (object) => textOf(at(object, "spec", "volumeName"))),
    text("Capacity", (object) => textOf(at(object, "status", "capacity", "storage"))),
    text("Access Modes", (object) => accessModes(at(object, "status", "accessModes"))),
    text("StorageClass", (object) => textOf(at(object, "spec", "storageClassName"))),
    age,
  ],
  "/Event": [
    text("Last Seen", lastSeen),
    text("Type", field("type")),
    text("Reason", field("reason")),
    text("Object", eventTarget),
    text("Message", (object) => textOf(object["message"]).trim()),
  ],
  "apps/Deployment": [
    text("Ready", ratio(["status", "readyReplicas"], ["spec", "replicas"])),
    text("Up-to-date", number("status", "updatedReplicas")),
    text("Available", number("status", "availableReplicas")),
    age,
    ...podDetails,
  ],
  "apps/StatefulSet": [
    text("Ready", ratio(["status", "readyReplicas"], ["spec", "replicas"])),
    age,
    ...podDetails.slice(0, 2),
  ],
  "apps/ReplicaSet": replicaColumns,
  "/ReplicationController": replicaColumns,
  "apps/DaemonSet": [
    text("Desired", number("status", "desiredNumberScheduled")),
    text("Current", number("status", "currentNumberScheduled")),
    text("Ready", number("status", "numberReady")),
    text("Up-to-date", number("status", "updatedNumberScheduled")),
    text("Available", number("status", "numberAvailable")),
    text("Node Selector", () => "<none>"),
    age,
    ...podDetails,
  ],
  "batch/Job": [
    text("Status", jobStatus),
    text("Completions", ratio(["status", "succeeded"], ["spec", "completions"])),
    text("Duration", jobDuration),
    age,
    ...podDetails,
  ],
  "batch/CronJob": [
    text("Schedule", field("spec", "schedule")),
    text("Timezone", field("spec", "timeZone")),
    text("Suspend", (object) => (at(object, "spec", "suspend") === true ? "True" : "False")),
    text("Active", (object) => listOf(at(object, "status", "active")).length),
    text("Last Schedule", (object) => {
      const last = at(object, "status", "lastScheduleTime");
      return typeof last === "string" ? ageOf(last) : "<none>";
    }),
    age,
    ...podDetails,
  ],
  "networking.k8s.io/Ingress": [
    text("Class", field("spec", "ingressClassName")),
    text("Hosts", ingressHosts),
    text("Address", (object) => (serviceAddress(object) === "<none>" ? "" : serviceAddress(object))),
    text("Ports", ingressPorts),
    age,
  ],
  "rbac.authorization.k8s.io/Role": [created],
  "rbac.authorization.k8s.io/ClusterRole": [created],
  "rbac.authorization.k8s.io/RoleBinding": bindingColumns,
  "rbac.authorization.k8s.io/ClusterRoleBinding": bindingColumns,
  "apiextensions.k8s.io/CustomResourceDefinition": [created],
};
