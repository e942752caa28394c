import { BROKER, SYSTEM_NAMESPACE } from "../../shared/origin.ts";
import { RETRY } from "../../shared/outcome.ts";
import type { FunctionIdentity } from "../../shared/run.ts";
import { DEAD_LETTERS } from "./broker.ts";
import { inNamespace, type Manifest, refTo } from "./manifest.ts";
import { timingOf } from "./timing.ts";

/** The Triggers of a function: one for its own event type and, where the event has an origin, one for that. */
export function triggersOf(identity: FunctionIdentity): readonly Manifest[] {
  const { type, origin } = identity.function.on;
  const own = trigger(identity, identity.name, [{ exact: { type } }]);
  if (!origin) return [own];
  const { exact, prefix } = origin.filter;
  const filters = [...(exact ? [{ exact }] : []), ...(prefix ? [{ prefix }] : [])];
  return [own, trigger(identity, `${identity.name}-source`, filters)];
}

function trigger(identity: FunctionIdentity, name: string, filters: readonly object[]): Manifest {
  const { deliverySeconds } = timingOf(identity.name, identity.function);
  const { ref } = refTo("serving.knative.dev/v1", "Service", identity.name);
  return {
    apiVersion: "eventing.knative.dev/v1",
    kind: "Trigger",
    metadata: inNamespace(name, { "app.kubernetes.io/name": identity.name, "eventing.knative.dev/broker": BROKER }),
    spec: {
      broker: BROKER,
      filters,
      subscriber: { ref: { ...ref, namespace: SYSTEM_NAMESPACE } },
      delivery: {
        retry: RETRY.retry,
        backoffPolicy: "exponential",
        backoffDelay: period(RETRY.backoffMs),
        timeout: period(deliverySeconds * 1000),
        deadLetterSink: refTo("eventing.knative.dev/v1", "Broker", DEAD_LETTERS),
      },
    },
  };
}

/** Milliseconds as the ISO 8601 period that Knative reads, e.g. `PT1.5S`. */
function period(ms: number): string {
  return `PT${ms / 1000}S`;
}
