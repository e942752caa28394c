import { type ApiServerOrigin, BROKER, type PingOrigin } from "../../shared/origin.ts";
import { apiVersionOf } from "../../shared/resource.ts";
import type { FunctionIdentity } from "../../shared/run.ts";
import { IS_FUNCTION, inNamespace, type Manifest, PART_OF, refTo } from "./manifest.ts";
import { sourceAccount } from "./rbac.ts";

const TO_BROKER = refTo("eventing.knative.dev/v1", "Broker", BROKER);

/** The sources that the events of these functions come from, each once. */
export function sourcesOf(functions: readonly FunctionIdentity[]): readonly (PingOrigin | ApiServerOrigin)[] {
  const sources = functions.flatMap(({ function: { on } }) => (on.origin ? [on.origin.source] : []));
  return [...new Map(sources.map((source) => [source.name, source])).values()];
}

/** The Knative object of a source. */
export function sourceManifest(source: PingOrigin | ApiServerOrigin): Manifest {
  return source.kind === "PingSource" ? pingSource(source) : apiServerSource(source);
}

function pingSource({ name, schedule }: PingOrigin): Manifest {
  return {
    apiVersion: "sources.knative.dev/v1",
    kind: "PingSource",
    metadata: inNamespace(name),
    spec: { schedule, timezone: "Etc/UTC", contentType: "application/json", data: "{}", sink: TO_BROKER },
  };
}

function apiServerSource({ name, resources }: ApiServerOrigin): Manifest {
  return {
    apiVersion: "sources.knative.dev/v1",
    kind: "ApiServerSource",
    metadata: inNamespace(name),
    spec: {
      mode: "Reference",
      serviceAccountName: sourceAccount(name),
      // An empty selector is what Knative takes for "in all namespaces"; without it, it looks into its own only.
      namespaceSelector: {},
      resources: resources.map(({ kind, withoutLabel, withLabels }) => ({
        apiVersion: apiVersionOf(kind),
        kind: kind.kind,
        ...(withoutLabel === undefined
          ? {}
          : { selector: { matchExpressions: [{ key: withoutLabel, operator: "DoesNotExist" }] } }),
        ...(withLabels === undefined ? {} : { selector: { matchLabels: withLabels } }),
      })),
      sink: TO_BROKER,
    },
  };
}

/** Tells every function by K_SINK where its events go. */
export function sinkBinding(): Manifest {
  return {
    apiVersion: "sources.knative.dev/v1",
    kind: "SinkBinding",
    metadata: inNamespace("functions"),
    spec: {
      subject: {
        apiVersion: "serving.knative.dev/v1",
        kind: "Service",
        selector: { matchLabels: { ...PART_OF, ...IS_FUNCTION } },
      },
      sink: TO_BROKER,
    },
  };
}
