import type { KubeObject } from "./object.ts";
import { at, type Json, listOf, textOf, textsOf } from "./schema/json.ts";
import { type Cell, type ColumnsByKind, number } from "./table-cell-values.ts";
import { age, text } from "./table-columns.ts";

function firstOf(items: readonly string[], most: number, separator: string): string {
  const shown = items.slice(0, most).join(separator);
  return items.length > most ? `${shown} + ${items.length - most} more...` : shown;
}

const shownAddresses = 3;

function addressesOf(subset: Json): readonly string[] {
  const addresses = listOf(at(subset, "addresses")).map((one) => textOf(at(one, "ip")));
  const ports = listOf(at(subset, "ports")).map((one) => at(one, "port"));
  if (ports.length === 0) return addresses;
  return ports.flatMap((port) => addresses.map((ip) => `${ip.includes(":") ? `[${ip}]` : ip}:${port}`));
}

const endpoints: Cell = (object) => {
  const subsets = listOf(object["subsets"]);
  return subsets.length === 0 ? "<none>" : firstOf(subsets.flatMap(addressesOf), shownAddresses, ",");
};

const slicePorts: Cell = (slice) => {
  const ports = listOf(slice["ports"]).map((one) => String(at(one, "port") ?? at(one, "name") ?? "*"));
  return ports.length === 0 ? "<unset>" : firstOf(ports, shownAddresses, ",");
};

const sliceAddresses: Cell = (slice) => {
  const addresses = listOf(slice["endpoints"]).flatMap((one) => textsOf(at(one, "addresses")));
  return addresses.length === 0 ? "<unset>" : firstOf(addresses, shownAddresses, ",");
};

const sources: Readonly<Record<string, string>> = {
  Resource: "resource",
  ContainerResource: "containerResource",
  Pods: "pods",
  Object: "object",
  External: "external",
};

// Resources are named, other metrics are not; averages of what is no resource say so, but for pods.
function metric(spec: Json, status: Json | undefined): string {
  const type = textOf(at(spec, "type"));
  const source = sources[type];
  if (source === undefined) return "<unknown type>";
  const [target, current] = [at(spec, source, "target"), at(status, source, "current")];
  if (type.endsWith("Resource")) return `${textOf(at(spec, source, "name"))}: ${resourceMetric(target, current)}`;
  const average = at(target, "averageValue") !== undefined;
  const key = average ? "averageValue" : "value";
  const suffix = average && type !== "Pods" ? " (avg)" : "";
  return `${at(current, key) ?? "<unknown>"}/${at(target, key)}${suffix}`;
}

function resourceMetric(target: Json | undefined, current: Json | undefined): string {
  const value = at(target, "averageValue");
  if (value !== undefined) return `${at(current, "averageValue") ?? "<unknown>"}/${value}`;
  const [wanted, found] = [at(target, "averageUtilization"), at(current, "averageUtilization")];
  return `${found === undefined ? "<unknown>" : `${found}%`}/${wanted === undefined ? "<auto>" : `${wanted}%`}`;
}

const shownMetrics = 2;

function targets(autoscaler: KubeObject): string {
  const statuses = listOf(at(autoscaler, "status", "currentMetrics"));
  const metrics = listOf(at(autoscaler, "spec", "metrics")).map((spec, index) => metric(spec, statuses[index]));
  return metrics.length === 0 ? "<none>" : firstOf(metrics, shownMetrics, ", ");
}

/** The columns of the kinds that lead traffic to pods and scale them. */
export const trafficCells: ColumnsByKind = {
  "/Endpoints": [text("Endpoints", endpoints), age],
  "discovery.k8s.io/EndpointSlice": [
    text("AddressType", (object) => textOf(object["addressType"])),
    text("Ports", slicePorts),
    text("Endpoints", sliceAddresses),
    age,
  ],
  "autoscaling/HorizontalPodAutoscaler": [
    text("Reference", (object) => {
      const reference = at(object, "spec", "scaleTargetRef");
      return `${textOf(at(reference, "kind"))}/${textOf(at(reference, "name"))}`;
    }),
    text("Targets", targets),
    text("MinPods", (object) => String(at(object, "spec", "minReplicas") ?? "<unset>")),
    text("MaxPods", number("spec", "maxReplicas")),
    text("Replicas", number("status", "currentReplicas")),
    age,
  ],
};
