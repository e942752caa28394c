import { humanDuration } from "./age.ts";
import type { KubeObject } from "./object.ts";
import { at, type Json, listOf, textOf } from "./schema/json.ts";
import {
  type Cell,
  type ColumnsByKind,
  field,
  joined,
  labelsOf,
  number,
  orElse,
  plain,
  size,
  truth,
} from "./table-cell-values.ts";
import { age, created, flag, text, whole } from "./table-columns.ts";
import type { TableColumn } from "./tables.ts";

const webhooks: readonly TableColumn[] = [whole("Webhooks", size("webhooks")), age];

function nodeStatus(node: KubeObject): string {
  const ready = listOf(at(node, "status", "conditions")).find((one) => at(one, "type") === "Ready");
  const state = ready === undefined ? "Unknown" : at(ready, "status") === "True" ? "Ready" : "NotReady";
  return at(node, "spec", "unschedulable") === true ? `${state},SchedulingDisabled` : state;
}

const rolePrefix = "node-role.kubernetes.io/";

function nodeRoles(node: KubeObject): string {
  const roles = Object.keys(node.metadata.labels ?? {}).filter((label) => label.startsWith(rolePrefix));
  return roles.length === 0
    ? "<none>"
    : roles
        .map((role) => role.slice(rolePrefix.length))
        .sort()
        .join(",");
}

const nodeAddress =
  (type: string): Cell =>
  (node) =>
    textOf(
      at(
        listOf(at(node, "status", "addresses")).find((one) => at(one, "type") === type),
        "address",
      ),
    ) || "<none>";

const nodeInfo = (name: string, key: string): TableColumn =>
  text(name, orElse("<unknown>", "status", "nodeInfo", key), 1);

function quotas(limits: boolean): Cell {
  return (object) => {
    const hard = Object.entries((at(object, "status", "hard") ?? {}) as Record<string, Json>).sort();
    const shown = hard.filter(([name]) => name.startsWith("limits.") === limits);
    return shown.map(([name, most]) => `${name}: ${at(object, "status", "used", name) ?? 0}/${most}`).join(", ");
  };
}

function certificateState(request: KubeObject): string {
  const types = listOf(at(request, "status", "conditions")).map((one) => textOf(at(one, "type")));
  const decided = ["Denied", "Approved"].find((one) => types.includes(one)) ?? "Pending";
  const issued = textOf(at(request, "status", "certificate")) === "" ? [] : ["Issued"];
  return [decided, ...(types.includes("Failed") ? ["Failed"] : []), ...issued].join(",");
}

const requestedFor: Cell = (request) => {
  const seconds = at(request, "spec", "expirationSeconds");
  return typeof seconds === "number" ? humanDuration(seconds * 1000) : "<none>";
};

function controllerOf({ metadata }: KubeObject): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return "<none>";
  const [group = ""] = owner.apiVersion.includes("/") ? owner.apiVersion.split("/") : [];
  return `${owner.kind.toLowerCase()}${group === "" ? "" : `.${group}`}/${owner.name}`;
}

function availability(service: KubeObject): string {
  const condition = listOf(at(service, "status", "conditions")).find((one) => at(one, "type") === "Available");
  const status = textOf(at(condition, "status")) || "Unknown";
  return status === "True" ? status : `${status} (${textOf(at(condition, "reason"))})`;
}

function classParameters(ingressClass: KubeObject): string {
  const parameters = at(ingressClass, "spec", "parameters");
  if (parameters === undefined) return "<none>";
  const group = textOf(at(parameters, "apiGroup"));
  return `${textOf(at(parameters, "kind"))}${group === "" ? "" : `.${group}`}/${textOf(at(parameters, "name"))}`;
}

function policyParameter(binding: KubeObject): string {
  const name = textOf(at(binding, "spec", "paramRef", "name"));
  if (name === "") return "<unset>";
  return `${textOf(at(binding, "spec", "paramRef", "namespace")) || "*"}/${name}`;
}

const paramKind: Cell = (policy) => {
  const kind = at(policy, "spec", "paramKind");
  return kind === undefined ? "<unset>" : `${textOf(at(kind, "apiVersion"))}/${textOf(at(kind, "kind"))}`;
};

function parentOf(address: KubeObject): string {
  const parent = at(address, "spec", "parentRef");
  if (parent === undefined) return "<none>";
  const group = textOf(at(parent, "group"));
  const resource = `${textOf(at(parent, "resource"))}${group === "" ? "" : `.${group}`}`.toLowerCase();
  return [resource, textOf(at(parent, "namespace")), textOf(at(parent, "name"))].filter(Boolean).join("/");
}

/** The columns of the kinds of a cluster's own: nodes, admission, certificates and the like. */
export const clusterCells: ColumnsByKind = {
  "/Namespace": [text("Status", field("status", "phase")), age],
  "/Node": [
    text("Status", nodeStatus),
    text("Roles", nodeRoles),
    age,
    text("Version", plain("status", "nodeInfo", "kubeletVersion")),
    text("Internal-IP", nodeAddress("InternalIP"), 1),
    text("External-IP", nodeAddress("ExternalIP"), 1),
    nodeInfo("OS-Image", "osImage"),
    nodeInfo("Kernel-Version", "kernelVersion"),
    nodeInfo("Container-Runtime", "containerRuntimeVersion"),
  ],
  "/LimitRange": [created],
  "/ResourceQuota": [text("Request", quotas(false)), text("Limit", quotas(true)), age],
  "/ComponentStatus": ["Status", "Message", "Error"].map((name) => text(name, () => "")),
  "apiregistration.k8s.io/APIService": [
    text("Service", (object) =>
      at(object, "spec", "service") === undefined
        ? "Local"
        : `${textOf(at(object, "spec", "service", "namespace"))}/${textOf(at(object, "spec", "service", "name"))}`,
    ),
    text("Available", availability),
    age,
  ],
  "apps/ControllerRevision": [
    text("Controller", controllerOf),
    text("Revision", (object) => Number(object["revision"] ?? 0)),
    age,
  ],
  "certificates.k8s.io/CertificateSigningRequest": [
    age,
    text("SignerName", field("spec", "signerName")),
    text("Requestor", plain("spec", "username")),
    text("RequestedDuration", requestedFor),
    text("Condition", certificateState),
  ],
  "networking.k8s.io/IngressClass": [
    text("Controller", plain("spec", "controller")),
    text("Parameters", classParameters),
    age,
  ],
  "networking.k8s.io/IPAddress": [text("ParentRef", parentOf)],
  "networking.k8s.io/NetworkPolicy": [
    text("Pod-Selector", (object) => labelsOf(at(object, "spec", "podSelector"))),
    age,
  ],
  "networking.k8s.io/ServiceCIDR": [text("CIDRs", joined("spec", "cidrs")), age],
  "policy/PodDisruptionBudget": [
    text("Min Available", orElse("N/A", "spec", "minAvailable")),
    text("Max Unavailable", orElse("N/A", "spec", "maxUnavailable")),
    whole("Allowed Disruptions", number("status", "disruptionsAllowed")),
    age,
  ],
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": webhooks,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": webhooks,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": [
    whole("Validations", size("spec", "validations")),
    text("ParamKind", paramKind),
    age,
  ],
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": [
    text("PolicyName", plain("spec", "policyName")),
    text("ParamRef", policyParameter),
    age,
  ],
  "scheduling.k8s.io/PriorityClass": [
    whole("Value", number("value")),
    flag("Global-Default", truth(false, "globalDefault")),
    age,
    text("PreemptionPolicy", plain("preemptionPolicy")),
  ],
  "coordination.k8s.io/Lease": [text("Holder", plain("spec", "holderIdentity")), age],
  "node.k8s.io/RuntimeClass": [text("Handler", plain("handler")), age],
  "resource.k8s.io/ResourceClaim": [
    text("State", (object) => (at(object, "status", "allocation") === undefined ? "pending" : "allocated")),
    age,
  ],
  "resource.k8s.io/ResourceSlice": [
    text("Node", plain("spec", "nodeName")),
    text("Driver", plain("spec", "driver")),
    text("Pool", plain("spec", "pool", "name")),
    age,
  ],
  "flowcontrol.apiserver.k8s.io/FlowSchema": [
    text("PriorityLevel", plain("spec", "priorityLevelConfiguration", "name")),
    text("MatchingPrecedence", number("spec", "matchingPrecedence")),
    text("DistinguisherMethod", field("spec", "distinguisherMethod", "type")),
    age,
    text("MissingPL", () => "?"),
  ],
  "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration": [
    text("Type", plain("spec", "type")),
    text("NominalConcurrencyShares", field("spec", "limited", "nominalConcurrencyShares")),
    text("Queues", field("spec", "limited", "limitResponse", "queuing", "queues")),
    text("HandSize", field("spec", "limited", "limitResponse", "queuing", "handSize")),
    text("QueueLengthLimit", field("spec", "limited", "limitResponse", "queuing", "queueLengthLimit")),
    age,
  ],
};
