import type { Event } from "../../../shared/event.ts";
import type { HandledRecord } from "../../../shared/host/handled-record.ts";

/** Remembers what was handled and lets others wait for what has not happened yet. */
export interface Observer {
  readonly records: readonly HandledRecord[];
  note(record: HandledRecord): void;
  /** The first event of that type that was announced or handled and passes; throws with `what` when the time is up. */
  event(type: string, matches: (event: Event) => boolean, seconds: number): Promise<Event>;
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
    async event(type, matches, seconds) {
      const test = (event: Event) => event.type === type && matches(event);
      const known = seen().find(test);
      if (known) return known;
      const { promise, resolve, reject } = Promise.withResolvers<Event>();
      const entry: Waiting = { test, resolve };
      const late = () => reject(new Error(`no event ${type} was seen within ${seconds} s`));
      const timer = setTimeout(late, seconds * 1000);
      waiting.add(entry);
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        waiting.delete(entry);
      }
    },
  };
}
