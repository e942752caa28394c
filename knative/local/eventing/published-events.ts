import type { Event } from "../../../shared/event.ts";
import type { Bus } from "../../../shared/ports.ts";

/** A bus that remembers what went through it, each event once. */
export interface RecordingBus extends Bus {
  /** In the order of first publication; the oldest are forgotten beyond some ten thousand. */
  published(): readonly Event[];
}

const REMEMBERED = 50_000;

/** Wraps a bus. Only what was stored is remembered. */
export function recordPublished(bus: Bus): RecordingBus {
  const events = new Map<string, Event>();
  return {
    async publish(event) {
      await bus.publish(event);
      if (events.has(event.id)) return;
      events.set(event.id, event);
      const [oldest] = events.keys();
      if (events.size > REMEMBERED && oldest !== undefined) events.delete(oldest);
    },
    deadLetter: (letter) => bus.deadLetter(letter),
    published: () => [...events.values()],
  };
}
