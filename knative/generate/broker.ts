import { BROKER, SYSTEM_NAMESPACE } from "../../shared/origin.ts";
import { clusterWide, inNamespace, type Manifest } from "./manifest.ts";

/** Broker that keeps what could not be delivered: a second stream, always there, with nothing to start. */
export const DEAD_LETTERS = `${BROKER}-dead-letters`;

/** Where brokers of this class take events in. */
const INGRESS = "http://nats-broker-ingress.knative-eventing.svc.cluster.local";

/** ConfigMap with what the functions need to know about their surroundings. */
export const FUNCTION_CONFIG = "functions";

/** The namespace of everything that runs. */
export function namespace(): Manifest {
  return { apiVersion: "v1", kind: "Namespace", metadata: clusterWide(SYSTEM_NAMESPACE) };
}

/** The Broker that carries all events, and the one for dead letters. */
export function brokers(): readonly Manifest[] {
  return [BROKER, DEAD_LETTERS].map((name) => ({
    apiVersion: "eventing.knative.dev/v1",
    kind: "Broker",
    metadata: { ...inNamespace(name), annotations: { "eventing.knative.dev/broker.class": "NatsJetStreamBroker" } },
    spec: {},
  }));
}

/** Settings that all functions share; an administrator edits them for the cluster at hand. */
export function functionConfig(): Manifest {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: inNamespace(FUNCTION_CONFIG),
    data: {
      DELIVERY: "http",
      EMIT: "sink",
      NATS_URL: "nats://nats.nats.svc.cluster.local:4222",
      DEAD_LETTER_SINK: `${INGRESS}/${SYSTEM_NAMESPACE}/${DEAD_LETTERS}`,
    },
  };
}
