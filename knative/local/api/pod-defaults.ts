import { at, isObject, type Json, listOf, type MutableObject, objectOf, textOf } from "./schema/json.ts";

/** Fills members in that are absent. */
export function withDefaults(value: Json | undefined, defaults: MutableObject): MutableObject {
  return { ...defaults, ...present(objectOf(value)) };
}

function present(value: object): MutableObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}

/** The pod spec that the API server would store: containers, probes, ports and volumes with their defaults. */
export function podSpecDefaults(spec: Json | undefined): MutableObject {
  const filled = withDefaults(spec, {
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    securityContext: {},
    schedulerName: "default-scheduler",
  });
  const account = textOf(filled["serviceAccountName"]) || textOf(filled["serviceAccount"]);
  if (account !== "") Object.assign(filled, { serviceAccountName: account, serviceAccount: account });
  for (const list of ["containers", "initContainers"]) {
    if (filled[list] !== undefined) filled[list] = listOf(filled[list]).map(containerDefaults);
  }
  if (filled["volumes"] !== undefined) filled["volumes"] = listOf(filled["volumes"]).map(volumeDefaults);
  return filled;
}

function containerDefaults(container: Json): Json {
  const filled = withDefaults(container, {
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: pullPolicy(textOf(at(container, "image"))),
    resources: {},
  });
  if (filled["ports"] !== undefined)
    filled["ports"] = listOf(filled["ports"]).map((port) => withDefaults(port, { protocol: "TCP" }));
  for (const probe of ["livenessProbe", "readinessProbe", "startupProbe"]) {
    if (isObject(filled[probe])) filled[probe] = probeDefaults(filled[probe]);
  }
  if (filled["env"] !== undefined) filled["env"] = listOf(filled["env"]).map(envDefaults);
  return filled;
}

function pullPolicy(image: string): string {
  if (image.includes("@")) return "IfNotPresent";
  const tag = /:([^:/]+)$/u.exec(image)?.[1] ?? "latest";
  return tag === "latest" ? "Always" : "IfNotPresent";
}

function probeDefaults(probe: Json): Json {
  const filled = withDefaults(probe, {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  });
  if (isObject(filled["httpGet"])) filled["httpGet"] = withDefaults(filled["httpGet"], { path: "/", scheme: "HTTP" });
  if (isObject(filled["grpc"])) filled["grpc"] = withDefaults(filled["grpc"], { service: "" });
  return filled;
}

function envDefaults(variable: Json): Json {
  const field = at(variable, "valueFrom", "fieldRef");
  if (!isObject(field)) return variable;
  const valueFrom = { ...objectOf(at(variable, "valueFrom")), fieldRef: withDefaults(field, { apiVersion: "v1" }) };
  return { ...objectOf(variable), valueFrom };
}

const fileSources = ["secret", "configMap", "downwardAPI", "projected"];

function volumeDefaults(volume: Json): Json {
  const filled: MutableObject = { ...objectOf(volume) };
  for (const source of fileSources) {
    if (isObject(filled[source])) filled[source] = withDefaults(filled[source], { defaultMode: 420 });
  }
  if (isObject(filled["hostPath"])) filled["hostPath"] = withDefaults(filled["hostPath"], { type: "" });
  return Object.keys(filled).length === 1 ? { ...filled, emptyDir: {} } : filled;
}

/** A pod template with the defaults of its spec. */
export function templateDefaults(template: Json | undefined): MutableObject {
  const filled = withDefaults(template, {});
  filled["spec"] = podSpecDefaults(filled["spec"]);
  return filled;
}
