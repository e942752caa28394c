import { randomUUID } from "node:crypto";
import { messageOf } from "../../../shared/errors.ts";
import type { Event } from "../../../shared/event.ts";
import type { PingSource } from "../eventing/kinds.ts";
import { pingPayload } from "./ping-payload.ts";
import { startSchedule } from "./ping-schedule.ts";

/** Takes the events of a source; what it fails with is the sender's business. */
export type Sink = (event: Event) => Promise<void>;

/** Something that runs until it is stopped. */
export interface Running {
  stop(): void | Promise<void>;
}

/**
 * Sends an event at each time of the schedule, as Knative's PingSource does: missed times are not made up for. Throws,
 * naming the source, where Knative's webhook would refuse it.
 */
export function startPingSource(source: PingSource, sink: Sink, onError: (error: unknown) => void): Running {
  const { name, namespace } = source.metadata;
  try {
    pingPayload(source.spec);
    return startSchedule(source.spec, () => sink(pingEvent(source, new Date())).catch(onError));
  } catch (error) {
    throw new Error(`PingSource ${namespace}/${name}: ${messageOf(error)}`, { cause: error });
  }
}

/** The event of one tick: random id, the source's data and content type. */
export function pingEvent({ metadata, spec }: PingSource, now: Date): Event {
  const { contentType, ceOverrides } = spec;
  const data = pingPayload(spec);
  return {
    specversion: "1.0",
    id: randomUUID(),
    source: `/apis/v1/namespaces/${metadata.namespace}/pingsources/${metadata.name}`,
    type: "dev.knative.sources.ping",
    time: now.toISOString(),
    ...(data !== undefined && contentType !== undefined ? { datacontenttype: contentType } : {}),
    ...(ceOverrides?.extensions ? { extensions: ceOverrides.extensions } : {}),
    data,
  };
}
