import { at, isObject, type Json, type JsonObject, listOf, type MutableObject, objectOf, textOf } from "./json.ts";

const VOLUME_MODES = ["secret", "configMap", "projected", "downwardAPI"] as const;
const PROBES = ["livenessProbe", "readinessProbe", "startupProbe"] as const;
const HOOKS = ["postStart", "preStop"] as const;

/** The object with what is missing taken from the defaults; what it says itself stays, but for texts that are empty. */
export function fill(object: JsonObject, defaults: JsonObject): JsonObject {
  const filled: MutableObject = { ...defaults, ...object };
  for (const [key, value] of Object.entries(defaults)) {
    if (typeof value === "string" && filled[key] === "") filled[key] = value;
  }
  return filled;
}

/** The object with one member replaced by what a function makes of it, when it has that member. */
export function within(object: JsonObject, key: string, change: (value: JsonObject) => JsonObject): JsonObject {
  const value = object[key];
  return isObject(value) ? { ...object, [key]: change(value) } : object;
}

/** The object with every item of a list member replaced by what a function makes of it. */
export function eachIn(object: JsonObject, key: string, change: (value: JsonObject) => JsonObject): JsonObject {
  const list = object[key];
  if (!Array.isArray(list)) return object;
  return { ...object, [key]: listOf(list).map((item) => (isObject(item) ? change(item) : item)) };
}

/** A pod's specification with what the API server fills in. */
export function podSpec(spec: JsonObject): JsonObject {
  const filled = fill(spec, {
    restartPolicy: "Always",
    dnsPolicy: "ClusterFirst",
    schedulerName: "default-scheduler",
    terminationGracePeriodSeconds: 30,
    securityContext: {},
  });
  const account = textOf(filled["serviceAccountName"]) || textOf(filled["serviceAccount"]);
  const named = account === "" ? filled : { ...filled, serviceAccountName: account, serviceAccount: account };
  const containers = ["containers", "initContainers", "ephemeralContainers"];
  return eachIn(
    containers.reduce((all, key) => eachIn(all, key, container), named),
    "volumes",
    volume,
  );
}

/** A pod template with what the API server fills in. */
export function podTemplate(template: JsonObject): JsonObject {
  return within(template, "spec", podSpec);
}

function container(one: JsonObject): JsonObject {
  const filled = fill(one, {
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: pullPolicy(textOf(one["image"])),
    resources: {},
  });
  const probed = PROBES.reduce((all, key) => within(all, key, probe), eachIn(filled, "ports", protocol));
  const hooked = within(probed, "lifecycle", (hooks) => HOOKS.reduce((all, key) => within(all, key, webTarget), hooks));
  return within(eachIn(hooked, "env", variable), "resources", requests);
}

function pullPolicy(image: string): string {
  const name = image.slice(image.lastIndexOf("/") + 1);
  const tagged = name.includes("@") || (name.includes(":") && !name.endsWith(":latest"));
  return tagged ? "IfNotPresent" : "Always";
}

/** Limits are requests too, where no request is made. */
function requests(resources: JsonObject): JsonObject {
  const limits = resources["limits"];
  return isObject(limits) ? { ...resources, requests: fill(objectOf(resources["requests"]), limits) } : resources;
}

function variable(one: JsonObject): JsonObject {
  return within(one, "valueFrom", (source) =>
    within(within(source, "fieldRef", fieldReference), "resourceFieldRef", resourceReference),
  );
}

function fieldReference(reference: JsonObject): JsonObject {
  return fill(reference, { apiVersion: "v1" });
}

function resourceReference(reference: JsonObject): JsonObject {
  return fill(reference, { divisor: "0" });
}

function probe(one: JsonObject): JsonObject {
  return webTarget(fill(one, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }));
}

function webTarget(handler: JsonObject): JsonObject {
  const web = within(handler, "httpGet", (target) => fill(target, { path: "/", scheme: "HTTP" }));
  return within(web, "grpc", (target) => fill(target, { service: "" }));
}

/** A port whose protocol is TCP unless it says otherwise. */
export function protocol(port: JsonObject): JsonObject {
  return fill(port, { protocol: "TCP" });
}

function volume(one: JsonObject): JsonObject {
  if (Object.keys(one).every((key) => key === "name")) return { ...one, emptyDir: {} };
  const moded = VOLUME_MODES.reduce(
    (all, key) => within(all, key, (source) => fill(source, { defaultMode: 420 })),
    one,
  );
  const hosted = within(moded, "hostPath", (source) => fill(source, { type: "" }));
  return within(within(hosted, "projected", projection), "downwardAPI", (source) => eachIn(source, "items", fieldItem));
}

function fieldItem(item: JsonObject): JsonObject {
  return within(within(item, "fieldRef", fieldReference), "resourceFieldRef", resourceReference);
}

function projection(projected: JsonObject): JsonObject {
  return eachIn(projected, "sources", (source) => {
    const token = within(source, "serviceAccountToken", (one) => fill(one, { expirationSeconds: 3600 }));
    return within(token, "downwardAPI", (one) => eachIn(one, "items", fieldItem));
  });
}

/** The member of an object at two keys, as text. */
export function textAt(object: Json, ...path: readonly string[]): string {
  return textOf(at(object, ...path));
}
