import * as z from "zod";
import type { Filter } from "./filter.ts";

const Metadata = z.object({
  name: z.string(),
  namespace: z.string().default("default"),
  labels: z.record(z.string(), z.string()).default({}),
});

const Reference = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  name: z.string(),
  namespace: z.string().optional(),
});
export type Reference = z.output<typeof Reference>;

const Destination = z.object({ ref: Reference.optional(), uri: z.string().optional() });
export type Destination = z.output<typeof Destination>;

const DeliverySpec = z.object({
  retry: z.int().min(0).optional(),
  backoffPolicy: z.enum(["linear", "exponential"]).optional(),
  backoffDelay: z.string().optional(),
  timeout: z.string().optional(),
  retryAfterMax: z.string().optional(),
  deadLetterSink: Destination.optional(),
});
export type DeliverySpec = z.output<typeof DeliverySpec>;

const Attributes = z.record(z.string(), z.string());

const FilterSchema: z.ZodType<Filter> = z.lazy(() =>
  z
    .object({
      exact: Attributes,
      prefix: Attributes,
      suffix: Attributes,
      all: z.array(FilterSchema).min(1),
      any: z.array(FilterSchema).min(1),
      not: FilterSchema,
      cesql: z.string(),
    })
    .partial(),
);

const LabelSelector = z.object({
  matchLabels: z.record(z.string(), z.string()).default({}),
  matchExpressions: z
    .array(
      z.object({
        key: z.string(),
        operator: z.enum(["In", "NotIn", "Exists", "DoesNotExist"]),
        values: z.array(z.string()).default([]),
      }),
    )
    .default([]),
});
export type LabelSelector = z.output<typeof LabelSelector>;

/** What every source has: where its events go and which extensions are set on them. */
const SourceSpec = { sink: Destination, ceOverrides: z.object({ extensions: Attributes.optional() }).optional() };

/** Knative's Broker, as far as the laptop reads it. */
export const Broker = z.object({
  metadata: Metadata,
  spec: z.object({ delivery: DeliverySpec.optional() }).optional(),
});
export type Broker = z.output<typeof Broker>;

/** Knative's Trigger, as far as the laptop reads it. */
export const Trigger = z.object({
  metadata: Metadata,
  spec: z.object({
    broker: z.string(),
    filter: z.object({ attributes: Attributes.optional() }).optional(),
    filters: z.array(FilterSchema).optional(),
    subscriber: Destination,
    delivery: DeliverySpec.optional(),
  }),
});
export type Trigger = z.output<typeof Trigger>;

/** Knative's Service, as far as the laptop reads it: which function it holds and how much it takes at once. */
export const Service = z.object({
  metadata: Metadata,
  spec: z.object({
    template: z.object({
      spec: z.object({
        containerConcurrency: z.int().optional(),
        timeoutSeconds: z.int().optional(),
        containers: z
          .array(z.object({ env: z.array(z.object({ name: z.string(), value: z.string().optional() })).optional() }))
          .min(1),
      }),
    }),
  }),
});
export type Service = z.output<typeof Service>;

/** Knative's PingSource. */
export const PingSource = z.object({
  metadata: Metadata,
  spec: z.object({
    schedule: z.string().default("* * * * *"),
    timezone: z.string().optional(),
    contentType: z.string().optional(),
    data: z.string().optional(),
    dataBase64: z.string().optional(),
    ...SourceSpec,
  }),
});
export type PingSource = z.output<typeof PingSource>;

/** Knative's ApiServerSource. */
export const ApiServerSource = z.object({
  metadata: Metadata,
  spec: z.object({
    mode: z.enum(["Reference", "Resource"]).default("Reference"),
    resources: z
      .array(z.object({ apiVersion: z.string(), kind: z.string(), selector: LabelSelector.optional() }))
      .min(1),
    namespaceSelector: LabelSelector.optional(),
    owner: z.unknown().optional(),
    filters: z.array(z.unknown()).optional(),
    ...SourceSpec,
  }),
});
export type ApiServerSource = z.output<typeof ApiServerSource>;

/** Knative's SinkBinding: tells the Services it selects where their events go. */
export const SinkBinding = z.object({
  metadata: Metadata,
  spec: z.object({
    subject: z.object({
      apiVersion: z.string(),
      kind: z.string(),
      namespace: z.string().optional(),
      name: z.string().optional(),
      selector: LabelSelector.optional(),
    }),
    ...SourceSpec,
  }),
});
export type SinkBinding = z.output<typeof SinkBinding>;
