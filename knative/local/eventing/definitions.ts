import type { KubeObject } from "../../../shared/resource.ts";

interface Column {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
}

const column = (name: string, jsonPath: string, type = "string"): Column => ({ name, type, jsonPath });
const ready: readonly Column[] = [
  column("Age", ".metadata.creationTimestamp", "date"),
  column("Ready", '.status.conditions[?(@.type=="Ready")].status'),
  column("Reason", '.status.conditions[?(@.type=="Ready")].reason'),
];
const sink = column("Sink", ".status.sinkUri");

interface Kind {
  readonly group: string;
  readonly kind: string;
  readonly categories: readonly string[];
  readonly columns: readonly Column[];
}

const kinds: readonly Kind[] = [
  {
    group: "eventing.knative.dev",
    kind: "Broker",
    categories: ["eventing"],
    columns: [
      column("URL", ".status.address.url"),
      ...ready,
      column("Class", ".metadata.annotations.eventing\\.knative\\.dev/broker\\.class"),
    ],
  },
  {
    group: "eventing.knative.dev",
    kind: "Trigger",
    categories: ["eventing"],
    columns: [column("Broker", ".spec.broker"), column("Subscriber_URI", ".status.subscriberUri"), ...ready],
  },
  {
    group: "sources.knative.dev",
    kind: "PingSource",
    categories: ["sources"],
    columns: [sink, column("Schedule", ".spec.schedule"), ...ready],
  },
  { group: "sources.knative.dev", kind: "ApiServerSource", categories: ["sources"], columns: [sink, ...ready] },
  { group: "sources.knative.dev", kind: "SinkBinding", categories: ["sources", "bindings"], columns: [sink, ...ready] },
];

/** The kinds of Knative that the laptop works by, with the names, categories and columns that they have on a cluster. */
export const eventingDefinitions: readonly KubeObject[] = kinds.map(definitionOf);

function definitionOf({ group, kind, categories, columns }: Kind): KubeObject {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const version = {
    name: "v1",
    served: true,
    storage: true,
    subresources: { status: {} },
    additionalPrinterColumns: columns,
    schema: { openAPIV3Schema: { type: "object", properties: { spec: open, status: open } } },
  };
  const names = { kind, plural, singular, categories: ["all", "knative", ...categories] };
  const spec = { group, scope: "Namespaced", names, versions: [version] };
  const metadata = { name: `${plural}.${group}` };
  return { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata, ...{ spec } };
}
