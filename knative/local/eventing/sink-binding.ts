import type { Manifests } from "../manifests.ts";
import { matchesLabels } from "../sources/label-selector.ts";
import { functionOf } from "./broker.ts";
import type { Destination, Service, SinkBinding } from "./kinds.ts";

/** Environment variables by name. */
export type BoundEnvironment = Readonly<Record<string, string>>;

type Bound = Pick<Manifests, "services" | "brokers" | "bindings">;

/** A Service with this label is left alone by every SinkBinding. */
const EXCLUDE = "bindings.knative.dev/exclude";

/**
 * What SinkBindings put into the Service of each function: K_SINK, and K_CE_OVERRIDES as JSON (empty where there are
 * none), by the function's name. Throws where a sink leads nowhere, or two bindings claim one Service.
 */
export function boundEnvironments(manifests: Bound, ingressUrl: string): ReadonlyMap<string, BoundEnvironment> {
  const found = new Map<string, BoundEnvironment>();
  for (const service of manifests.services) {
    const name = functionOf(service);
    const bindings = manifests.bindings.filter((each) => binds(each, service));
    const [binding, another] = bindings;
    if (name === undefined || !binding) continue;
    if (another) {
      const names = bindings.map(({ metadata }) => metadata.name).join(" and ");
      throw new Error(`Service ${service.metadata.name}: SinkBindings ${names} both bind it; leave one of them`);
    }
    found.set(name, environmentOf(binding, manifests, ingressUrl));
  }
  return found;
}

function binds({ metadata, spec }: SinkBinding, service: Service): boolean {
  const { apiVersion, kind, namespace = metadata.namespace, name, selector } = spec.subject;
  const { labels } = service.metadata;
  if (apiVersion !== "serving.knative.dev/v1" || kind !== "Service" || labels[EXCLUDE] === "true") return false;
  if (namespace !== service.metadata.namespace) return false;
  if (name !== undefined) return name === service.metadata.name;
  return selector !== undefined && matchesLabels(selector, labels);
}

function environmentOf(binding: SinkBinding, manifests: Bound, ingressUrl: string): BoundEnvironment {
  const { sink, ceOverrides } = binding.spec;
  const { name, namespace } = binding.metadata;
  const address = addressOf(sink, { brokers: manifests.brokers, ingressUrl, namespace });
  if (address === undefined)
    throw new Error(`SinkBinding ${namespace}/${name}: its sink is neither a Broker of these manifests nor an address`);
  return { K_SINK: address, K_CE_OVERRIDES: ceOverrides === undefined ? "" : JSON.stringify(ceOverrides) };
}

interface Reachable extends Pick<Manifests, "brokers"> {
  readonly ingressUrl: string;
  /** Where a reference without a namespace leads. */
  readonly namespace: string;
}

/** A reference to a Broker, with a `uri` relative to it, or else an absolute `uri`. */
function addressOf({ ref, uri }: Destination, { brokers, ingressUrl, namespace }: Reachable): string | undefined {
  if (!ref) return uri !== undefined && URL.canParse(uri) ? uri : undefined;
  const broker = brokers.find(
    ({ metadata }) =>
      ref.kind === "Broker" && metadata.name === ref.name && metadata.namespace === (ref.namespace ?? namespace),
  );
  if (!broker) return undefined;
  const address = `${ingressUrl}/${broker.metadata.namespace}/${broker.metadata.name}`;
  return uri === undefined ? address : new URL(uri, address).href;
}
