import { BROKER, SYSTEM_NAMESPACE } from "../../shared/origin.ts";
import { clusterWide, describe, inNamespace, type Manifest } from "./manifest.ts";

/** Broker that keeps what could not be delivered: a second stream, always there, with nothing to start. */
export const DEAD_LETTERS = `${BROKER}-dead-letters`;

/** Where brokers of this class take events in. */
const INGRESS = "http://nats-broker-ingress.knative-eventing.svc.cluster.local";

/** ConfigMap with what the functions need to know about their surroundings. */
export const FUNCTION_CONFIG = "functions";

const BROKER_TEXT =
  "Class NatsJetStreamBroker of eventing-natss keeps events in a JetStream stream. Its stream grows for ever unless " +
  "ConfigMap natsjetstream-broker-config in knative-eventing sets maxAge or maxBytes. Any other class works too, " +
  "MTChannelBasedBroker over NatsJetStreamChannel for one; a Broker's class cannot be changed later.";

const CONFIG_TEXT =
  "Environment of all functions. NATS_URL is where chart packages and indexes are kept. DEAD_LETTER_SINK is the address " +
  `that kubectl get broker shows for ${DEAD_LETTERS}; it differs where the Broker has another class.`;

/** The namespace of everything that runs. */
export function namespace(): Manifest {
  return { apiVersion: "v1", kind: "Namespace", metadata: clusterWide(SYSTEM_NAMESPACE) };
}

/** The Broker that carries all events, and the one for dead letters. */
export function brokers(): readonly Manifest[] {
  return [BROKER, DEAD_LETTERS].map((name) => ({
    apiVersion: "eventing.knative.dev/v1",
    kind: "Broker",
    metadata: {
      ...inNamespace(name),
      annotations: { "eventing.knative.dev/broker.class": "NatsJetStreamBroker", ...describe(BROKER_TEXT) },
    },
    spec: {},
  }));
}

/** Settings that all functions share; an administrator edits them for the cluster at hand. */
export function functionConfig(): Manifest {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { ...inNamespace(FUNCTION_CONFIG), annotations: describe(CONFIG_TEXT) },
    data: {
      DELIVERY: "http",
      EMIT: "sink",
      NATS_URL: "nats://nats.nats.svc.cluster.local:4222",
      DEAD_LETTER_SINK: `${INGRESS}/${SYSTEM_NAMESPACE}/${DEAD_LETTERS}`,
    },
  };
}
