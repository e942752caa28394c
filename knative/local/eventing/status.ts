import { type Condition, type ConditionInput, setConditions } from "../../../shared/conditions.ts";
import { ApiServerSource, Broker, type Destination, PingSource, SinkBinding, Trigger } from "./kinds.ts";

/** What a status is made from. */
export interface StatusInput {
  readonly kind: string;
  readonly object: unknown;
  readonly generation: number;
  /** The conditions that the object has already. */
  readonly before: readonly Condition[] | undefined;
}

/** Where things are, and what time it is. */
export interface StatusContext {
  /** Address of the Brokers' ingress. */
  readonly ingressUrl: string;
  readonly now: string;
}

/** Why a condition holds, where that is not plain. */
type Why = readonly [reason: string, message: string];

interface Told {
  readonly conditions: Readonly<Record<string, Why | undefined>>;
  readonly more: Readonly<Record<string, unknown>>;
}

const noDeadLetters: Why = ["DeadLetterSinkNotConfigured", "No dead letter sink is configured."];
const noIdentity: Why = ["authentication-oidc feature disabled", ""];
const everybody: Why = ["OIDCDisabled", "Feature OIDC must be enabled to support authorization."];

/**
 * The status that Knative's controllers give an object that works: the laptop starts with all of its Brokers, Triggers
 * and sources working, or not at all. Undefined for kinds without one.
 */
export function statusOf(
  { kind, object, generation, before }: StatusInput,
  context: StatusContext,
): object | undefined {
  const tell = tellers[kind];
  if (tell === undefined) return undefined;
  const { conditions, more } = tell(object, context);
  const inputs = Object.entries({ ...conditions, Ready: undefined })
    .map(conditionOf)
    .sort(byType);
  return { observedGeneration: generation, conditions: setConditions(before, inputs, context.now), ...more };
}

function conditionOf([type, why]: [string, Why | undefined]): ConditionInput {
  const [reason, message] = why ?? ["", ""];
  return { type, status: "True", reason, message };
}

function byType(left: ConditionInput, right: ConditionInput): number {
  return left.type < right.type ? -1 : 1;
}

type Teller = (object: unknown, context: StatusContext) => Told;

const tellers: Readonly<Record<string, Teller>> = {
  Broker: (object, { ingressUrl }) => {
    const { metadata, spec } = Broker.parse(object);
    const url = `${ingressUrl}/${metadata.namespace}/${metadata.name}`;
    const deadLetters = uriOf(spec?.delivery?.deadLetterSink, { ingressUrl, namespace: metadata.namespace });
    return {
      conditions: {
        Addressable: undefined,
        DeadLetterSinkResolved: deadLetters === undefined ? noDeadLetters : undefined,
        EventPoliciesReady: everybody,
        FilterReady: undefined,
        IngressReady: undefined,
        TriggerChannelReady: undefined,
      },
      more: {
        address: { name: "http", url },
        ...(deadLetters === undefined ? {} : { deadLetterSinkUri: deadLetters }),
      },
    };
  },
  Trigger: (object, { ingressUrl }) => {
    const { metadata, spec } = Trigger.parse(object);
    const reach = { ingressUrl, namespace: metadata.namespace };
    const deadLetters = uriOf(spec.delivery?.deadLetterSink, reach);
    return {
      conditions: {
        BrokerReady: undefined,
        DeadLetterSinkResolved: deadLetters === undefined ? noDeadLetters : undefined,
        DependencyReady: undefined,
        OIDCIdentityCreated: noIdentity,
        SubscriberResolved: undefined,
        SubscriptionReady: undefined,
      },
      more: {
        subscriberUri: uriOf(spec.subscriber, reach),
        ...(deadLetters === undefined ? {} : { deadLetterSinkUri: deadLetters }),
      },
    };
  },
  PingSource: (object, { ingressUrl }) => {
    const { metadata, spec } = PingSource.parse(object);
    const { namespace, name } = metadata;
    const source = `/apis/v1/namespaces/${namespace}/pingsources/${name}`;
    return {
      conditions: { Deployed: undefined, OIDCIdentityCreated: noIdentity, SinkProvided: undefined },
      more: {
        sinkUri: uriOf(spec.sink, { ingressUrl, namespace }),
        ceAttributes: [{ type: "dev.knative.sources.ping", source }],
      },
    };
  },
  ApiServerSource: (object, { ingressUrl }) => {
    const { metadata, spec } = ApiServerSource.parse(object);
    return {
      conditions: {
        Deployed: undefined,
        OIDCIdentityCreated: noIdentity,
        SinkProvided: undefined,
        SufficientPermissions: undefined,
      },
      more: { sinkUri: uriOf(spec.sink, { ingressUrl, namespace: metadata.namespace }) },
    };
  },
  SinkBinding: (object, { ingressUrl }) => {
    const { metadata, spec } = SinkBinding.parse(object);
    return {
      conditions: { OIDCIdentityCreated: noIdentity, SinkBindingAvailable: undefined, SinkProvided: undefined },
      more: { sinkUri: uriOf(spec.sink, { ingressUrl, namespace: metadata.namespace }) },
    };
  },
};

// Brokers are reached at the laptop's ingress; Services are named as in a cluster, the laptop hands events over itself.
function uriOf(
  destination: Destination | undefined,
  { ingressUrl, namespace }: { readonly ingressUrl: string; readonly namespace: string },
): string | undefined {
  const { ref, uri } = destination ?? {};
  if (ref === undefined) return uri;
  const home = ref.namespace ?? namespace;
  const base =
    ref.kind === "Broker" ? `${ingressUrl}/${home}/${ref.name}` : `http://${ref.name}.${home}.svc.cluster.local`;
  return uri === undefined ? base : new URL(uri, base).href;
}
