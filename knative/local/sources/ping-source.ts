import { randomUUID } from "node:crypto";
import { Cron } from "croner";
import { messageOf } from "../../../shared/errors.ts";
import type { Event } from "../../../shared/event.ts";
import type { PingSource } from "../eventing/kinds.ts";

/** Takes the events of a source; what it fails with is the sender's business. */
export type Sink = (event: Event) => Promise<void>;

/** Something that runs until it is stopped. */
export interface Running {
  stop(): void | Promise<void>;
}

/** Sends an event at each time of the schedule, as Knative's PingSource does: missed times are not made up for. */
export function startPingSource(source: PingSource, sink: Sink, onError: (error: unknown) => void): Running {
  const { schedule, timezone = "UTC" } = source.spec;
  const { name, namespace } = source.metadata;
  if (schedule.startsWith("@every"))
    throw new Error(`PingSource ${namespace}/${name}: @every is not a schedule in Knative`);
  try {
    const options = { mode: "5-or-6-parts", timezone, protect: true, unref: true } as const;
    return new Cron(schedule, options, () => sink(pingEvent(source, new Date())).catch(onError));
  } catch (error) {
    throw new Error(`PingSource ${namespace}/${name}: schedule "${schedule}" (${timezone}): ${messageOf(error)}`);
  }
}

/** The event of one tick: random id, data verbatim with the source's content type. */
export function pingEvent({ metadata, spec }: PingSource, now: Date): Event {
  const { contentType, data, dataBase64, ceOverrides } = spec;
  const hasData = data !== undefined || dataBase64 !== undefined;
  return {
    specversion: "1.0",
    id: randomUUID(),
    source: `/apis/v1/namespaces/${metadata.namespace}/pingsources/${metadata.name}`,
    type: "dev.knative.sources.ping",
    time: now.toISOString(),
    ...(hasData && contentType !== undefined ? { datacontenttype: contentType } : {}),
    ...(ceOverrides?.extensions ? { extensions: ceOverrides.extensions } : {}),
    data: payload(spec),
  };
}

function payload({ contentType, data, dataBase64 }: PingSource["spec"]): unknown {
  if (dataBase64 !== undefined) return new Uint8Array(Buffer.from(dataBase64, "base64"));
  if (data !== undefined && contentType === "application/json") return JSON.parse(data);
  return data;
}
