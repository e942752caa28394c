import { badRequest } from "./errors.ts";
import { type KubeObject, qualifiedResource } from "./object.ts";
import { at } from "./schema/json.ts";
import type { KindInfo } from "./schema/kinds.ts";
import type { FieldTerm } from "./selectors.ts";

// The fields that Kubernetes' own kinds can be selected by (pkg/apis/*/v1/conversion.go and the strategies).
const builtinFields: Readonly<Record<string, readonly string[]>> = {
  pods: [
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "spec.hostNetwork",
    "status.phase",
    "status.podIP",
    "status.nominatedNodeName",
  ],
  events: [
    "involvedObject.kind",
    "involvedObject.namespace",
    "involvedObject.name",
    "involvedObject.uid",
    "involvedObject.apiVersion",
    "involvedObject.resourceVersion",
    "involvedObject.fieldPath",
    "reason",
    "reportingComponent",
    "source",
    "type",
  ],
  "events.events.k8s.io": [
    "regarding.kind",
    "regarding.namespace",
    "regarding.name",
    "regarding.uid",
    "reason",
    "type",
  ],
  secrets: ["type"],
  namespaces: ["status.phase"],
  nodes: ["spec.unschedulable"],
  services: ["spec.clusterIP", "spec.type"],
  replicationcontrollers: ["status.replicas"],
  "jobs.batch": ["status.successful"],
  "certificatesigningrequests.certificates.k8s.io": ["spec.signerName"],
};

/** Tells whether an object matches all terms; undefined when there are none. Throws 400 for fields that cannot be used. */
export function fieldMatch(kind: KindInfo, terms: readonly FieldTerm[]): ((object: KubeObject) => boolean) | undefined {
  if (terms.length === 0) return undefined;
  const allowed = new Set(selectableFields(kind));
  for (const term of terms) {
    if (allowed.has(term.field)) continue;
    throw badRequest(unselectable(kind, term.field));
  }
  return (object) => terms.every((term) => (fieldText(object, term.field) === term.value) === term.equal);
}

// Kinds that can be selected by more than name and namespace word it in another way.
function unselectable(kind: KindInfo, field: string): string {
  if (kind.kind === "Job" && kind.group === "batch") return `field label "${field}" not supported for Job`;
  return kind.origin === "crd" || builtinFields[qualifiedResource(kind)] !== undefined
    ? `field label not supported: ${field}`
    : `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

function selectableFields(kind: KindInfo): readonly string[] {
  const own = kind.origin === "builtin" ? (builtinFields[qualifiedResource(kind)] ?? []) : kind.selectableFields;
  return ["metadata.name", "metadata.namespace", ...own.map((path) => path.replace(/^\./u, ""))];
}

function fieldText(object: KubeObject, field: string): string {
  const found = at(object, ...field.split("."));
  if (field === "source" && typeof found === "object") return String(at(object, "source", "component") ?? "");
  return found === undefined || found === null ? "" : String(found);
}
