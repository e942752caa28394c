import type { Event } from "../../../shared/event.ts";
import type { HandledRecord } from "../../../shared/host/handled-record.ts";

/** Remembers what was handled and lets others wait for what has not happened yet. */
export interface Observer {
  readonly records: readonly HandledRecord[];
  note(record: HandledRecord): void;
  /** The first such event that was announced or handled; throws when its counterpart comes instead or the time is up. */
  event(awaited: Awaited): Promise<Event>;
}

/** An event that somebody waits for. */
export interface Awaited {
  readonly type: string;
  /** Type of the event that tells why it will not come. */
  readonly unless?: string;
  readonly seconds: number;
  matches(event: Event): boolean;
}

interface Waiting {
  readonly test: (event: Event) => boolean;
  readonly resolve: (event: Event) => void;
}

/** Starts with nothing seen. */
export function createObserver(): Observer {
  const records: HandledRecord[] = [];
  const waiting = new Set<Waiting>();
  const seen = () => records.flatMap((record) => [record.event, ...record.announced]);
  return {
    records,
    note(record) {
      records.push(record);
      for (const each of waiting) {
        const event = [record.event, ...record.announced].find(each.test);
        if (event) each.resolve(event);
      }
    },
    async event({ type, unless, seconds, matches }) {
      const test = (event: Event) => (event.type === type || event.type === unless) && matches(event);
      const known = seen().find(test);
      if (known) return wanted(known, unless);
      const { promise, resolve, reject } = Promise.withResolvers<Event>();
      const entry: Waiting = { test, resolve };
      const late = () => reject(new Error(`no event ${type} was seen within ${seconds} s`));
      const timer = setTimeout(late, seconds * 1000);
      waiting.add(entry);
      try {
        return wanted(await promise, unless);
      } finally {
        clearTimeout(timer);
        waiting.delete(entry);
      }
    },
  };
}

function wanted(event: Event, unless: string | undefined): Event {
  if (event.type !== unless) return event;
  const { message } = event.data as { readonly message?: string };
  throw new Error(`${event.type} came instead: ${message ?? event.subject}`);
}
