import { ageOf } from "./age.ts";
import { clusterCells } from "./cluster-table-cells.ts";
import { eventColumns } from "./event-table-cells.ts";
import { at, listOf } from "./schema/json.ts";
import type { KindInfo } from "./schema/kinds.ts";
import { storageCells } from "./storage-table-cells.ts";
import {
  type ColumnsByKind,
  dataSize,
  eachContainer,
  field,
  ingressHosts,
  ingressPorts,
  jobDuration,
  jobStatus,
  number,
  pairsOf,
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
import { age, created, flag, text, whole } from "./table-columns.ts";
import type { TableColumn } from "./tables.ts";
import { trafficCells } from "./traffic-table-cells.ts";

/** The columns of a built-in kind; those that kubectl shows nothing of have their age. */
export function builtinCells(kind: KindInfo): readonly TableColumn[] {
  return cells[`${kind.group}/${kind.kind}`] ?? [age];
}

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

const replicaColumns: readonly TableColumn[] = [
  whole("Desired", number("spec", "replicas")),
  whole("Current", number("status", "replicas")),
  whole("Ready", number("status", "readyReplicas")),
  age,
  ...podDetails,
];

const cells: ColumnsByKind = {
  ...clusterCells,
  ...storageCells,
  ...trafficCells,
  "/Event": eventColumns,
  "events.k8s.io/Event": eventColumns,
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
  "/PodTemplate": [
    ...podDetails.slice(0, 2).map((column) => ({ ...column, priority: 0 })),
    text("Pod Labels", (object) => pairsOf(at(object, "template", "metadata", "labels"))),
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
    whole("Desired", number("status", "desiredNumberScheduled")),
    whole("Current", number("status", "currentNumberScheduled")),
    whole("Ready", number("status", "numberReady")),
    whole("Up-to-date", number("status", "updatedNumberScheduled")),
    whole("Available", number("status", "numberAvailable")),
    text("Node Selector", (object) => pairsOf(at(object, "spec", "template", "spec", "nodeSelector"))),
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
    flag("Suspend", (object) => (at(object, "spec", "suspend") === true ? "True" : "False")),
    whole("Active", (object) => listOf(at(object, "status", "active")).length),
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
