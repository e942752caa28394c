import { encodeStructured, STRUCTURED_HEADERS } from "../../../shared/adapters/cloudevents.ts";
import type { Bus } from "../../../shared/ports.ts";
import type { Manifests } from "../manifests.ts";
import type { Store } from "./ingress.ts";
import type { Broker } from "./kinds.ts";

/** Path (`<namespace>/<name>`, as Knative's ingress has it) and store of every Broker; those that Triggers name as dead letter sink keep their events with the dead letters. */
export function ingressStores({ brokers, triggers }: Manifests, bus: Bus): ReadonlyMap<string, Store> {
  const sinks = new Set(triggers.map(({ spec }) => spec.delivery?.deadLetterSink?.ref?.name));
  const storeOf = ({ metadata }: Broker): Store => (sinks.has(metadata.name) ? deadLetters(bus) : bus.publish);
  return new Map(brokers.map((broker) => [pathOf(broker), storeOf(broker)]));
}

/** Paths of the Broker that Triggers listen to and of the one that takes their dead letters. */
export interface BrokerPaths {
  readonly events: string;
  readonly deadLetters: string;
}

/** Finds both Brokers; throws where a Trigger names one that the manifests do not hold. */
export function brokerPaths({ brokers, triggers }: Manifests): BrokerPaths {
  const [first] = triggers;
  const find = (name: string | undefined, use: string) => {
    const broker = brokers.find(({ metadata }) => metadata.name === name);
    if (!broker) throw new Error(`the manifests hold no Broker ${name ?? ""} for ${use}; run \`make generate\``);
    return pathOf(broker);
  };
  return {
    events: find(first?.spec.broker, "events"),
    deadLetters: find(first?.spec.delivery?.deadLetterSink?.ref?.name, "dead letters"),
  };
}

function pathOf({ metadata }: Broker): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** An event that a function or a Broker gave up: who and why stands in its extensions. */
function deadLetters(bus: Bus): Store {
  return (event) => {
    const { source, id, type, extensions = {} } = event;
    const text = (name: string, otherwise: string) => String(extensions[name] ?? otherwise);
    return bus.deadLetter({
      functionName: text("deadfunction", "unknown"),
      reason: text("deadreason", text("knativeerrorcode", "GivenUp")),
      message: Buffer.from(text("knativeerrordata", ""), "base64").toString("utf8"),
      attempts: Number(extensions["deadattempts"] ?? 0),
      cause: { source, id, type },
      body: encodeStructured(event),
      headers: STRUCTURED_HEADERS,
    });
  };
}
