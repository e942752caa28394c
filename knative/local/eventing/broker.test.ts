import { beforeAll, expect, test } from "vitest";
import { functions, httpFunctions } from "../../../functions/index.ts";
import { type Manifests, readManifests } from "../manifests.ts";
import { functionOf, resolveTriggers } from "./broker.ts";
import type { DeliverySpec, Trigger } from "./kinds.ts";

let manifests: Manifests;

beforeAll(async () => {
  manifests = await readManifests();
});

/** The manifests with the first Trigger changed. */
function withTrigger(change: Partial<Trigger["spec"]>): Manifests {
  const [first, ...others] = manifests.triggers;
  if (!first) throw new Error("the manifests hold no Trigger");
  return { ...manifests, triggers: [{ ...first, spec: { ...first.spec, ...change } }, ...others] };
}

const firstName = () => {
  const { namespace, name } = manifests.triggers[0]?.metadata ?? {};
  return `Trigger ${namespace}/${name}: `;
};

test("every generated Trigger leads to the function of its Service", () => {
  const resolved = resolveTriggers(manifests, functions);
  expect(resolved).toHaveLength(manifests.triggers.length);
  for (const { trigger, function: found } of resolved) expect(trigger.metadata.name).toContain(found.name);
  expect(new Set(resolved.map((each) => each.function.name))).toEqual(new Set(functions.map(({ name }) => name)));
  const names = [...functions, ...httpFunctions].map(({ name }) => name);
  expect(manifests.services.map(functionOf).sort()).toEqual(names.sort());
});

test("a Trigger may filter with CESQL", () => {
  const [first] = resolveTriggers(withTrigger({ filters: [{ cesql: "EXISTS subject" }] }), functions);
  expect(first?.durable.filterSubject).toBe("openpitrix.events.>");
});

const OWN: DeliverySpec = { retry: 3 };
const OF_BROKER: DeliverySpec = { retry: 5, backoffPolicy: "linear", backoffDelay: "PT2S" };
const OF_KNATIVE: DeliverySpec = { retry: 10, backoffPolicy: "exponential", backoffDelay: "PT0.2S" };

test.each([
  ["core", { own: OWN, broker: OF_BROKER, used: OWN }],
  ["core", { own: undefined, broker: OF_BROKER, used: OF_BROKER }],
  ["core", { own: undefined, broker: undefined, used: OF_KNATIVE }],
  ["natss", { own: OWN, broker: OF_BROKER, used: OWN }],
  ["natss", { own: undefined, broker: OF_BROKER, used: undefined }],
] as const)("with %s, of %j the used delivery counts", (dispatcher, { own, broker, used }) => {
  const given = withTrigger({ delivery: own });
  const brokers = given.brokers.map((each) => ({ ...each, spec: { delivery: broker } }));
  const [first] = resolveTriggers({ ...given, brokers }, functions, dispatcher);
  expect(first?.trigger.spec.delivery).toEqual(used);
});

const ref = { apiVersion: "serving.knative.dev/v1", kind: "Service", name: "nowhere" };

test.each<[Partial<Trigger["spec"]>, string]>([
  [
    { filters: [{ all: [{ cesql: "subject LIKE" }] }] },
    'cesql "subject LIKE": expected a pattern in quotes after LIKE',
  ],
  [{ filters: [{}] }, "a filter needs exactly one dialect"],
  [{ delivery: { timeout: "soon" } }, '"soon" is no ISO 8601 duration'],
  [{ broker: "nowhere" }, "there is no Broker nowhere"],
  [{ subscriber: { ref } }, "its subscriber is no Service of these manifests"],
])("says which Trigger cannot work: %j", (change, problem) => {
  expect(() => resolveTriggers(withTrigger(change), functions)).toThrow(`${firstName()}${problem}`);
});

test("says which Trigger's Service holds no function that exists", () => {
  const others = functions.slice(1);
  expect(() => resolveTriggers(manifests, others)).toThrow(
    /Trigger openpitrix\/[a-z-]+: Service [a-z-]+ holds no function/,
  );
});
