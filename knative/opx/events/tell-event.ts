import type { Event } from "../../../shared/event.ts";

/** An event as people read it. */
export interface Told {
  readonly time: string;
  readonly event: string;
  readonly message: string;
  readonly data?: unknown;
}

const PREFIX = "io.openpitrix.";

/** The event in one line; what its subject says already is left out of its data. */
export function tellEvent(event: Event, known: string): Told {
  const data = eventData(event);
  const rest = Object.entries(data).filter(([key, value]) => key !== known && !isEmpty(value));
  const message = rest.map(([key, value]) => `${key}=${plain(value)}`).join(" ");
  return { time: event.time ?? "", event: event.type.replace(PREFIX, ""), message, data };
}

/** The data of an event by its fields; none where it is no object. */
export function eventData({ data }: Event): Readonly<Record<string, unknown>> {
  return typeof data === "object" && data !== null ? (data as Readonly<Record<string, unknown>>) : {};
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(",");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}
