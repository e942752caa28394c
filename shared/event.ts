import { createHash } from "node:crypto";
import type * as z from "zod";
import type { Origin } from "./origin.ts";

/** A value that a CloudEvents extension attribute may carry. */
export type ExtensionValue = string | number | boolean;

/** One CloudEvent 1.0 as functions see it: known attributes by name, all others under `extensions`, data already parsed. */
export interface Event<D = unknown> {
  readonly specversion: "1.0";
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject?: string;
  /** RFC 3339. */
  readonly time?: string;
  readonly datacontenttype?: string;
  readonly dataschema?: string;
  /** The application or repository this event belongs to. */
  readonly partitionkey?: string;
  /** Id of the event that started the chain. */
  readonly correlationid?: string;
  /** Id of the event that directly led to this one. */
  readonly causationid?: string;
  readonly traceparent?: string;
  readonly tracestate?: string;
  /** Who acted: stamped by the gateway or intake that authenticated the caller. */
  readonly operator?: string;
  readonly extensions?: Readonly<Record<string, ExtensionValue>>;
  /** `undefined` means the event has no data; `null`, `0` and `false` are data. */
  readonly data: D;
}

/** What a function wants announced; the host turns it into an Event with a deterministic id. */
export interface Announcement<T extends string = string> {
  readonly type: T;
  /** The object the fact is about: kind plural and name, e.g. `helmrepos/repo-abc`. */
  readonly subject: string;
  /** Tells apart several announcements of one type caused by one event. */
  readonly name: string;
  readonly partitionkey: string;
  readonly data: unknown;
}

/** An event type: what it means, what its data looks like and where foreign events of the same meaning come from. */
export interface EventDefinition<T extends string = string, D = unknown> {
  readonly type: T;
  readonly summary: string;
  readonly data: z.ZodType<D>;
  /** A valid `data`, shown in the catalogue and checked by a test. */
  readonly example: D;
  readonly origin?: Origin<D>;
  /** Announces this fact about `subject`; `name` (default: subject) tells apart several of one type. */
  of(subject: string, data: D, options?: AnnounceOptions): Announcement<T>;
}

/** What may differ from the defaults of an announcement. */
export interface AnnounceOptions {
  readonly name?: string;
  readonly partitionkey?: string;
}

/** The data type of an event definition. */
export type DataOf<E> = E extends EventDefinition<string, infer D> ? D : never;

/** The typed event of an event definition. */
export type EventOf<E> = Event<DataOf<E>>;

const PREFIX = "io.openpitrix.";

interface EventOptions<T extends string, S extends z.ZodType> {
  readonly type: T;
  readonly summary: string;
  readonly data: S;
  readonly example: z.output<S>;
  readonly origin?: Origin<z.output<S>>;
}

/** Declares an event type `io.openpitrix.<type>`; producers and consumers follow from the functions' declarations. */
export function defineEvent<const T extends string, S extends z.ZodType>(
  options: EventOptions<T, S>,
): EventDefinition<`io.openpitrix.${T}`, z.output<S>> {
  const type = `${PREFIX}${options.type}` as const;
  return {
    ...options,
    type,
    data: options.data as unknown as z.ZodType<z.output<S>>,
    of: (subject, data, { name = subject, partitionkey = subject } = {}) => ({
      type,
      subject,
      name,
      partitionkey,
      data: options.data.parse(data),
    }),
  };
}

/** The name of an event type as folders, Triggers and durables use it: `io.openpitrix.repo.sync.tick` → `repo-sync-tick`. */
export function eventName(definition: EventDefinition): string {
  return definition.type.slice(PREFIX.length).replaceAll(".", "-");
}

/** What identifies an occurrence: the event's own source and id, or a better identity where its origin knows one. */
export interface Cause {
  readonly source: string;
  readonly id: string;
}

/** Deterministic, globally unique id of an announcement: the same cause announced again gives the same id. */
export function eventId(functionName: string, cause: Cause, announcement: Announcement): string {
  const parts = [functionName, cause.source, cause.id, announcement.type, announcement.name];
  return createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 32);
}

/** The identity of `event` for everything it causes. */
export function causeOf(definition: EventDefinition, event: Event): Cause {
  const foreign = event.type !== definition.type;
  return (foreign && definition.origin?.identify(event)) || { source: event.source, id: event.id };
}

/** Turns an announcement into the CloudEvent that is published, linked to the event that caused it. */
export function announce(functionName: string, announcement: Announcement, context: AnnounceContext): Event {
  const { cause, definition, now } = context;
  const { type, subject, partitionkey, data } = announcement;
  return {
    specversion: "1.0",
    id: eventId(functionName, causeOf(definition, cause), announcement),
    source: `/openpitrix/${functionName}`,
    type,
    subject,
    time: now.toISOString(),
    datacontenttype: "application/json",
    partitionkey,
    correlationid: cause.correlationid ?? cause.id,
    causationid: cause.id,
    ...(cause.traceparent === undefined ? {} : { traceparent: cause.traceparent }),
    ...(cause.operator === undefined ? {} : { operator: cause.operator }),
    data,
  };
}

/** What begins a chain: an occurrence outside of the store, seen by an HTTP function. */
export interface Beginning {
  /** Identifies the occurrence for the function that saw it. */
  readonly id: string;
  readonly now: Date;
  readonly operator?: string;
  readonly traceparent?: string;
}

/** Turns an announcement that no event caused into the CloudEvent that is published: the first of its chain. */
export function begin(functionName: string, announcement: Announcement, beginning: Beginning): Event {
  const { type, subject, partitionkey, data } = announcement;
  const { now, operator, traceparent } = beginning;
  const source = `/openpitrix/${functionName}`;
  const id = eventId(functionName, { source, id: beginning.id }, announcement);
  return {
    specversion: "1.0",
    id,
    source,
    type,
    subject,
    time: now.toISOString(),
    datacontenttype: "application/json",
    partitionkey,
    correlationid: id,
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(operator === undefined ? {} : { operator }),
    data,
  };
}

/** What `announce` needs to know about the event being handled. */
export interface AnnounceContext {
  readonly definition: EventDefinition;
  readonly cause: Event;
  readonly now: Date;
}
