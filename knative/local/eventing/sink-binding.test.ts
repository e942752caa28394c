import { expect, test } from "vitest";
import { readManifests } from "../manifests.ts";
import { Broker, Service, SinkBinding } from "./kinds.ts";
import { boundEnvironments } from "./sink-binding.ts";

const INGRESS = "http://127.0.0.1:8";
const SELECTOR = { matchLabels: { tier: "function" } };
const TO_BROKER = { ref: { apiVersion: "eventing.knative.dev/v1", kind: "Broker", name: "b" } };

function service(labels: Record<string, string> = { tier: "function" }, namespace = "ns") {
  const containers = [{ env: [{ name: "FUNCTION", value: "f" }] }];
  return Service.parse({ metadata: { name: "s", namespace, labels }, spec: { template: { spec: { containers } } } });
}

function binding(subject: object = { selector: SELECTOR }, spec: object = {}) {
  const whole = { apiVersion: "serving.knative.dev/v1", kind: "Service", ...subject };
  return SinkBinding.parse({
    metadata: { name: "bound", namespace: "ns" },
    spec: { subject: whole, sink: TO_BROKER, ...spec },
  });
}

const brokers = [Broker.parse({ metadata: { name: "b", namespace: "ns" } })];

const environmentOf = (bindings: readonly SinkBinding[], services = [service()]) =>
  boundEnvironments({ brokers, bindings, services }, INGRESS).get("f");

const BOUND = { K_SINK: `${INGRESS}/ns/b`, K_CE_OVERRIDES: "" };

test("the generated SinkBinding sends every function's events to the Broker", async () => {
  const manifests = await readManifests();
  const found = boundEnvironments(manifests, INGRESS);
  expect(found.size).toBe(manifests.services.length);
  expect(new Set([...found.values()].map(({ K_SINK }) => K_SINK))).toEqual(
    new Set([`${INGRESS}/openpitrix/openpitrix`]),
  );
});

test("a Service is bound by its labels or by its name", () => {
  expect(environmentOf([binding()])).toEqual(BOUND);
  expect(environmentOf([binding({ name: "s" })])).toEqual(BOUND);
});

test.each([
  ["another name", binding({ name: "t" }), service()],
  ["another label", binding(), service({ tier: "web" })],
  ["another kind", binding({ apiVersion: "apps/v1", kind: "Deployment", name: "s" }), service()],
  ["another namespace", binding(), service({ tier: "function" }, "elsewhere")],
  ["a subject in another namespace", binding({ name: "s", namespace: "elsewhere" }), service()],
  ["an excluded Service", binding(), service({ tier: "function", "bindings.knative.dev/exclude": "true" })],
])("%s is not bound", (_, bound, each) => {
  expect(environmentOf([bound], [each])).toBeUndefined();
});

test("overrides come along as JSON", () => {
  const ceOverrides = { extensions: { team: "store" } };
  expect(environmentOf([binding(undefined, { ceOverrides })])).toEqual({
    ...BOUND,
    K_CE_OVERRIDES: '{"extensions":{"team":"store"}}',
  });
});

test.each([
  [{ uri: "http://sink.example/x" }, "http://sink.example/x"],
  [{ ...TO_BROKER, uri: "/other" }, `${INGRESS}/other`],
])("sink %j is %s", (sink, address) => {
  expect(environmentOf([binding(undefined, { sink })])?.["K_SINK"]).toBe(address);
});

test.each([
  [{ uri: "/relative" }],
  [{}],
  [{ ref: { ...TO_BROKER.ref, name: "nope" } }],
  [{ ref: { ...TO_BROKER.ref, kind: "Channel" } }],
])("a sink that leads nowhere is said: %j", (sink) => {
  expect(() => environmentOf([binding(undefined, { sink })])).toThrow(
    "SinkBinding ns/bound: its sink is neither a Broker of these manifests nor an address",
  );
});

test("two bindings for one Service are refused", () => {
  expect(() => environmentOf([binding(), binding({ name: "s" })])).toThrow("Service s: SinkBindings bound and bound");
});
