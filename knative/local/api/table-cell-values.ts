import { ageOf } from "./age.ts";
import type { KubeObject } from "./object.ts";
import { at, isObject, type Json, listOf, objectOf, textOf, textsOf } from "./schema/json.ts";
import type { TableColumn } from "./tables.ts";

/** What fills one cell of a table. */
export type Cell = (object: KubeObject) => Json;

/** The columns of kinds, by `<group>/<kind>`. */
export type ColumnsByKind = Readonly<Record<string, readonly TableColumn[]>>;

/** A number at a path, 0 when absent. */
export const number =
  (...path: readonly string[]): Cell =>
  (object) =>
    Number(at(object, ...path) ?? 0);

/** `ready/wanted` of two numbers. */
export const ratio =
  (ready: readonly string[], wanted: readonly string[]): Cell =>
  (object) =>
    `${at(object, ...ready) ?? 0}/${at(object, ...wanted) ?? 0}`;

const orNone = (value: string): string => (value === "" ? "<none>" : value);

/** A text at a path, `<none>` when absent. */
export const field =
  (...path: readonly string[]): Cell =>
  (object) =>
    orNone(String(at(object, ...path) ?? ""));

/** A text at a path, empty when absent. */
export const plain =
  (...path: readonly string[]): Cell =>
  (object) =>
    textOf(at(object, ...path));

/** A value at a path as text, or what is shown instead. */
export const orElse =
  (absent: string, ...path: readonly string[]): Cell =>
  (object) =>
    String(at(object, ...path) ?? absent);

/** A truth at a path, or its default. */
export const truth =
  (absent: boolean, ...path: readonly string[]): Cell =>
  (object) =>
    (at(object, ...path) ?? absent) === true;

/** A list of texts at a path. */
export const joined =
  (...path: readonly string[]): Cell =>
  (object) =>
    textsOf(at(object, ...path)).join(",");

/** How many items a list has. */
export const size =
  (...path: readonly string[]): Cell =>
  (object) =>
    listOf(at(object, ...path)).length;

/** The phase of what goes through some. */
export const phase: Cell = (object) =>
  object.metadata.deletionTimestamp === undefined ? textOf(at(object, "status", "phase")) : "Terminating";

/** The claim that a volume is bound to. */
export const claimOf: Cell = (object) => {
  const claim = at(object, "spec", "claimRef");
  return claim === undefined ? "" : `${textOf(at(claim, "namespace"))}/${textOf(at(claim, "name"))}`;
};

const podSpec = (object: KubeObject): Json | undefined =>
  at(object, "spec", "template", "spec") ??
  at(object, "template", "spec") ??
  at(object, "spec", "jobTemplate", "spec", "template", "spec");

/** One field of every container of the pod template. */
export const eachContainer =
  (key: string): Cell =>
  (object) =>
    listOf(at(podSpec(object), "containers"))
      .map((container) => textOf(at(container, key)))
      .join(",");

/** Labels as `key=value` pairs. */
export function pairsOf(labels: Json | undefined): string {
  const pairs = Object.entries(objectOf(labels)).filter(([, value]) => typeof value === "string");
  return orNone(pairs.map(([key, value]) => `${key}=${value}`).join(","));
}

/** A label selector in one line. */
export function labelsOf(wanted: Json | undefined): string {
  const expressions = listOf(at(wanted, "matchExpressions")).map(expressionText);
  const pairs = pairsOf(at(wanted, "matchLabels"));
  return expressions.length === 0 ? pairs : [pairs, ...expressions].filter((one) => one !== "<none>").join(",");
}

function expressionText(expression: Json): string {
  const [key, operator] = [textOf(at(expression, "key")), textOf(at(expression, "operator"))];
  if (operator === "Exists") return key;
  if (operator === "DoesNotExist") return `!${key}`;
  return `${key} ${operator.toLowerCase()} (${listOf(at(expression, "values")).map(textOf).join(",")})`;
}

/** What a workload or a Service selects. */
export const selector: Cell = (object) => {
  const wanted = at(object, "spec", "selector");
  const plainPairs = at(wanted, "matchLabels") === undefined && at(wanted, "matchExpressions") === undefined;
  return plainPairs ? pairsOf(wanted) : labelsOf(wanted);
};

/** How many entries a ConfigMap or Secret has. */
export const dataSize: Cell = (object) =>
  Object.keys(objectOf(object["data"])).length + Object.keys(objectOf(object["binaryData"])).length;

/** The ports of a Service, `80:30080/TCP`. */
export const servicePorts: Cell = (object) => {
  const ports = listOf(at(object, "spec", "ports")).map((port) => {
    const node = at(port, "nodePort");
    return `${at(port, "port")}${node === undefined ? "" : `:${node}`}/${at(port, "protocol") ?? "TCP"}`;
  });
  return orNone(ports.join(","));
};

/** Where a Service is reached from outside. */
export const serviceAddress: Cell = (object) => {
  const ingress = listOf(at(object, "status", "loadBalancer", "ingress")).map(
    (one) => textOf(at(one, "ip")) || textOf(at(one, "hostname")),
  );
  const external = listOf(at(object, "spec", "externalIPs")).map((ip) => textOf(ip));
  if (ingress.length + external.length > 0) return [...ingress, ...external].join(",");
  if (at(object, "spec", "type") === "LoadBalancer") return "<pending>";
  return orNone(textOf(at(object, "spec", "externalName")));
};

/** Ready containers of all. */
export const podReady: Cell = (object) => {
  const statuses = listOf(at(object, "status", "containerStatuses"));
  const ready = statuses.filter((status) => at(status, "ready") === true).length;
  return `${ready}/${listOf(at(object, "spec", "containers")).length}`;
};

/** How often the containers were restarted. */
export const podRestarts: Cell = (object) =>
  String(
    listOf(at(object, "status", "containerStatuses")).reduce<number>(
      (sum, status) => sum + Number(at(status, "restartCount") ?? 0),
      0,
    ),
  );

/** The phase, or why there is none. */
export const podStatus: Cell = (object) => {
  if (object.metadata.deletionTimestamp !== undefined) return "Terminating";
  const [first] = listOf(at(object, "status", "containerStatuses"));
  const ended = textOf(at(first, "state", "terminated", "reason"));
  return textOf(at(object, "status", "reason")) || ended || textOf(at(object, "status", "phase")) || "Unknown";
};

/** The state of a Job in one word. */
export const jobStatus: Cell = (object) => {
  const holds = (type: string): boolean =>
    listOf(at(object, "status", "conditions")).some(
      (condition) => at(condition, "type") === type && at(condition, "status") === "True",
    );
  if (holds("Complete")) return "Complete";
  if (holds("Failed")) return "Failed";
  return holds("Suspended") ? "Suspended" : "Running";
};

/** How long a Job took, or has been taking. */
export const jobDuration: Cell = (object) => {
  const start = at(object, "status", "startTime");
  if (typeof start !== "string") return "";
  const end = at(object, "status", "completionTime");
  return ageOf(start, typeof end === "string" ? Date.parse(end) : Date.now());
};

/** The hosts of an Ingress. */
export const ingressHosts: Cell = (object) =>
  listOf(at(object, "spec", "rules"))
    .map((rule) => textOf(at(rule, "host")) || "*")
    .join(",") || "*";

/** The ports of an Ingress. */
export const ingressPorts: Cell = (object) => (listOf(at(object, "spec", "tls")).length > 0 ? "80, 443" : "80");

/** The role that a binding grants. */
export const roleOf: Cell = (object) =>
  `${textOf(at(object, "roleRef", "kind"))}/${textOf(at(object, "roleRef", "name"))}`;

/** The subjects of one kind that a binding names. */
export const subjectNames =
  (kind: string): Cell =>
  (object) =>
    listOf(object["subjects"])
      .filter((subject) => isObject(subject) && subject["kind"] === kind)
      .map((subject) => [at(subject, "namespace"), at(subject, "name")].filter(Boolean).join("/"))
      .join(", ");

const modes: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

/** Access modes as kubectl shortens them. */
export function accessModes(value: Json | undefined): string {
  return listOf(value)
    .map((mode) => modes[textOf(mode)] ?? textOf(mode))
    .join(",");
}
