import type { DurableSpec } from "../../../shared/adapters/nats-streams.ts";
import type { FunctionIdentity } from "../../../shared/run.ts";
import type { Subscriber } from "../functions/subscriber.ts";
import type { Manifests } from "../manifests.ts";
import type { Dispatcher } from "./answer.ts";
import type { Broker, DeliverySpec, Reference, Service, Trigger } from "./kinds.ts";
import { checkTrigger, durableOf, startTrigger, type TriggerContext } from "./trigger.ts";

/** A Trigger with the function that its subscriber reference leads to. */
export interface ResolvedTrigger {
  readonly trigger: Trigger;
  readonly durable: DurableSpec;
  readonly function: FunctionIdentity;
  readonly concurrency: number;
}

const DEFAULT_CONCURRENCY = 16;

/** What Knative's installation gives a Broker that says nothing about delivery. */
const DEFAULT_DELIVERY: DeliverySpec = { retry: 10, backoffPolicy: "exponential", backoffDelay: "PT0.2S" };

/** Follows every Trigger to its Broker, Service and function; throws naming the Trigger that cannot work as it is written. */
export function resolveTriggers(
  { triggers, brokers, services }: Manifests,
  functions: readonly FunctionIdentity[],
  dispatcher: Dispatcher = "core",
): readonly ResolvedTrigger[] {
  return triggers.map((written) => {
    const { metadata, spec } = written;
    const name = `Trigger ${metadata.namespace}/${metadata.name}`;
    const broker = brokers.find((each) => each.metadata.name === spec.broker);
    if (!broker) throw new Error(`${name}: there is no Broker ${spec.broker}`);
    const trigger = dispatcher === "core" ? withDelivery(written, broker) : written;
    checkTrigger(trigger);
    const service = services.find((each) => refersTo(spec.subscriber.ref, each));
    if (!service) throw new Error(`${name}: its subscriber is no Service of these manifests`);
    const wanted = functionOf(service);
    const found = functions.find((each) => each.name === wanted);
    if (!found) throw new Error(`${name}: Service ${service.metadata.name} holds no function that exists (${wanted})`);
    const concurrency = service.spec.template.spec.containerConcurrency || DEFAULT_CONCURRENCY;
    return { trigger, durable: durableOf(trigger), function: found, concurrency };
  });
}

/** A Trigger's delivery replaces its Broker's as a whole; natss does not look at the Broker's. */
function withDelivery(trigger: Trigger, { spec }: Broker): Trigger {
  const delivery = trigger.spec.delivery ?? spec?.delivery ?? DEFAULT_DELIVERY;
  return { ...trigger, spec: { ...trigger.spec, delivery } };
}

/** The name of the function that a Service runs; `undefined` where it runs something else. */
export function functionOf({ spec }: Service): string | undefined {
  return spec.template.spec.containers[0]?.env?.find(({ name }) => name === "FUNCTION")?.value;
}

/** Starts all Triggers; stopping waits for the events under way. */
export function startTriggers(
  resolved: readonly ResolvedTrigger[],
  subscriberOf: (identity: FunctionIdentity) => Subscriber,
  context: TriggerContext,
): { stop(): Promise<void> } {
  const running = resolved.map(({ trigger, concurrency, function: identity }) =>
    startTrigger(trigger, { name: identity.name, subscriber: subscriberOf(identity), concurrency }, context),
  );
  return {
    async stop() {
      await Promise.all(running.map((each) => each.stop()));
    },
  };
}

function refersTo(reference: Reference | undefined, { metadata }: Service): boolean {
  return (
    reference?.kind === "Service" &&
    reference.apiVersion === "serving.knative.dev/v1" &&
    reference.name === metadata.name &&
    (reference.namespace ?? metadata.namespace) === metadata.namespace
  );
}
