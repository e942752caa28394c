import {
  at,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  objectOf,
  textOf,
  textsOf,
} from "../../knative/local/api/schema/json.ts";

/** A rule that Knative's admission webhooks apply beyond the schema; answers what is wrong. */
type Rule = (object: JsonObject) => readonly string[];

const PERIOD = /^P(?!$)(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/;
const ATTRIBUTE = /^[a-z][a-z0-9]*$/;
const DIALECTS = ["exact", "prefix", "suffix", "all", "any", "not", "cesql"];
const RESERVED_ENV = ["PORT", "K_SERVICE", "K_REVISION", "K_CONFIGURATION"];
const RESERVED_PORTS = [8008, 8012, 8013, 8022, 9090, 9091];

/** Everything that Knative Eventing or Serving would refuse, or silently understand differently, in one of our manifests. */
export function knativeProblems(object: JsonObject): readonly string[] {
  const rules = RULES[`${textOf(object.apiVersion)}/${textOf(object.kind)}`] ?? [];
  return [
    ...(textOf(at(object, "metadata", "namespace")) === "" ? ["metadata.namespace is missing"] : []),
    ...rules.flatMap((rule) => rule(object)),
  ];
}

const RULES: Readonly<Record<string, readonly Rule[]>> = {
  "eventing.knative.dev/v1/Broker": [brokerClass],
  "eventing.knative.dev/v1/Trigger": [triggerBroker, triggerFilters, subscriberRule, deliveryRule],
  "sources.knative.dev/v1/PingSource": [schedule, pingData, sinkRule],
  "sources.knative.dev/v1/ApiServerSource": [watched, sinkRule],
  "sources.knative.dev/v1/SinkBinding": [bindingSubject, sinkRule],
  "serving.knative.dev/v1/Service": [serviceMetadata, revision, autoscaling, containers],
};

function brokerClass(object: JsonObject) {
  const value = textOf(at(object, "metadata", "annotations", "eventing.knative.dev/broker.class"));
  return when(value === "", "annotation eventing.knative.dev/broker.class is missing and cannot be added later");
}

function triggerBroker({ spec }: JsonObject) {
  return when(
    (at(spec, "broker") === undefined) === (at(spec, "brokerRef") === undefined),
    "exactly one of broker and brokerRef",
  );
}

function triggerFilters({ spec }: JsonObject) {
  const filters = listOf(at(spec, "filters"));
  return [
    ...when(filters.length === 0, "without filters the Trigger takes every event"),
    ...when(at(spec, "filter") !== undefined, "filters override filter; set one of them"),
    ...filters.flatMap(filterRule),
  ];
}

function filterRule(filter: Json): readonly string[] {
  const [dialect = "", ...more] = Object.keys(objectOf(filter));
  const attributes = objectOf(at(filter, dialect));
  return [
    ...when(more.length > 0 || !DIALECTS.includes(dialect), "one known dialect per filter"),
    ...when(Object.keys(attributes).length === 0, "an empty filter passes everything"),
    ...Object.entries(attributes).flatMap(([name, value]) => [
      ...when(!ATTRIBUTE.test(name), `${name} cannot be an attribute`),
      ...when(typeof value !== "string" || value === "", `${name}: an empty value is skipped with a warning`),
    ]),
  ];
}

function subscriberRule({ spec }: JsonObject) {
  return destination(at(spec, "subscriber"), "subscriber");
}

function sinkRule({ spec }: JsonObject) {
  return destination(at(spec, "sink"), "sink");
}

function destination(value: Json | undefined, name: string): readonly string[] {
  const ref = at(value, "ref");
  if (ref === undefined) return when(textOf(at(value, "uri")) === "", `${name} needs ref or uri`);
  const missing = ["apiVersion", "kind", "name"].filter((key) => textOf(at(ref, key)) === "");
  return missing.map((key) => `${name}.ref.${key} is missing`);
}

function deliveryRule({ spec }: JsonObject) {
  const delivery = at(spec, "delivery");
  const retry = at(delivery, "retry");
  const periods = ["backoffDelay", "timeout"].filter((key) => !PERIOD.test(textOf(at(delivery, key))));
  return [
    ...when(typeof retry !== "number" || retry < 0, "delivery.retry"),
    ...when(!["linear", "exponential"].includes(textOf(at(delivery, "backoffPolicy"))), "delivery.backoffPolicy"),
    ...periods.map((key) => `delivery.${key} is no ISO 8601 period`),
    ...when(at(delivery, "retryAfterMax") !== undefined, "delivery.retryAfterMax is refused unless its feature is on"),
    ...destination(at(delivery, "deadLetterSink"), "delivery.deadLetterSink"),
  ];
}

function schedule({ spec }: JsonObject) {
  const fields = textOf(at(spec, "schedule")).split(" ").length;
  return when(fields < 5 || fields > 6, "schedule needs five fields, or six with seconds first");
}

function pingData({ spec }: JsonObject) {
  const [data, base64] = [at(spec, "data"), at(spec, "dataBase64")];
  const isJson = textOf(at(spec, "contentType")) === "application/json";
  return [
    ...when(data !== undefined && base64 !== undefined, "data and dataBase64 exclude each other"),
    ...when(isJson && !isJsonObject(textOf(data)), "data has to be a JSON object"),
  ];
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function watched({ spec }: JsonObject) {
  const resources = listOf(at(spec, "resources"));
  return [
    ...when(resources.length === 0, "resources is empty"),
    ...when(
      resources.some((each) => textOf(at(each, "kind")) === ""),
      "a resource has no kind",
    ),
    ...when(
      resources.some((each) => !/^([a-z0-9.-]+\/)?v\w+$/.test(textOf(at(each, "apiVersion")))),
      "an apiVersion does not parse",
    ),
    ...when(!["Reference", "Resource"].includes(textOf(at(spec, "mode"))), "mode"),
    ...when(at(spec, "filters") !== undefined, "filters need a feature that is off"),
  ];
}

function bindingSubject({ spec, metadata }: JsonObject) {
  const subject = at(spec, "subject");
  const namespace = at(subject, "namespace") ?? at(metadata, "namespace");
  return [
    ...when(
      (at(subject, "name") === undefined) === (at(subject, "selector") === undefined),
      "exactly one of name and selector",
    ),
    ...when(namespace !== at(metadata, "namespace"), "the subject has to be in the binding's namespace"),
  ];
}

function serviceMetadata({ metadata }: JsonObject) {
  const keys = Object.keys(objectOf(at(metadata, "annotations")));
  return keys
    .filter((key) => key.startsWith("autoscaling.knative.dev/"))
    .map((key) => `${key} belongs on spec.template.metadata`);
}

function revision({ spec }: JsonObject) {
  const template = at(spec, "template", "spec");
  const [timeout, concurrency] = [at(template, "timeoutSeconds"), at(template, "containerConcurrency")];
  return [
    ...when(typeof timeout !== "number" || timeout < 1 || timeout > 600, "timeoutSeconds has to be 1 to 600"),
    ...when(
      typeof concurrency !== "number" || concurrency < 0 || concurrency > 1000,
      "containerConcurrency has to be 0 to 1000",
    ),
    ...["affinity", "nodeSelector", "tolerations", "initContainers"]
      .filter((key) => at(template, key) !== undefined)
      .map((key) => `${key} needs a feature that is off`),
  ];
}

function autoscaling({ spec }: JsonObject) {
  const annotations = objectOf(at(spec, "template", "metadata", "annotations"));
  const scale = (name: string) => Number(annotations[`autoscaling.knative.dev/${name}`] ?? 0);
  const window = textOf(annotations["autoscaling.knative.dev/window"]);
  return [
    ...when(
      Object.values(annotations).some((value) => typeof value !== "string"),
      "annotations are strings",
    ),
    ...when(scale("max-scale") !== 0 && scale("max-scale") < scale("min-scale"), "max-scale is below min-scale"),
    ...when(
      window !== "" && !(Number.parseInt(window, 10) >= 6 && /^\d+s$/.test(window)),
      "window has to be 6 s or more, in whole seconds",
    ),
  ];
}

function containers({ spec }: JsonObject) {
  const all = listOf(at(spec, "template", "spec", "containers"));
  return [...when(all.length !== 1, "exactly one container"), ...all.flatMap(containerRule)];
}

function containerRule(container: Json): readonly string[] {
  const ports = listOf(at(container, "ports"));
  const port = at(ports[0], "containerPort");
  const env = listOf(at(container, "env")).map((each) => textOf(at(each, "name")));
  const probes = ["readinessProbe", "livenessProbe"].filter((probe) => {
    const probed = at(container, probe, "httpGet", "port") ?? 0;
    return probed !== 0 && probed !== port;
  });
  return [
    ...when(textOf(at(container, "image")) === "", "no image"),
    ...env.filter((name) => RESERVED_ENV.includes(name)).map((name) => `env ${name} is reserved`),
    ...when(ports.length > 1, "one port at most"),
    ...when(RESERVED_PORTS.includes(Number(port)), `port ${port} is reserved`),
    ...when(!["", "http1", "h2c"].includes(textOf(at(ports[0], "name"))), "port name has to be http1 or h2c"),
    ...when(textOf(at(container, "name")) === "queue-proxy", "queue-proxy is reserved"),
    ...probes.map((probe) => `${probe} has to leave its port to Knative`),
    ...when(textsOf(at(container, "command")).includes(""), "an empty command"),
  ];
}

function when(wrong: boolean, problem: string): readonly string[] {
  return wrong ? [problem] : [];
}
