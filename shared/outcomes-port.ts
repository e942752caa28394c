import type { Event } from "./event.ts";

/** Which events are waited for, and how long. */
export interface Awaited {
  readonly types: readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Waits for what follows directly from an event. */
export interface Outcomes {
  /** Publishes, and waits for the first event of these types that was caused by it; without one the time was up. */
  after(publish: () => Promise<Event>, awaited: Awaited): Promise<{ readonly event: Event; readonly outcome?: Event }>;
  /** What has followed already from the event with this id, of these types, if it is no older than that. */
  find(
    cause: string,
    past: { readonly types: readonly string[]; readonly sinceMs: number },
  ): Promise<Event | undefined>;
}
