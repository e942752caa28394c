/** What a worker does with one item: nothing more, or look again after some milliseconds. */
export type Step = (item: string) => Promise<number | undefined>;

/** A queue that works off items one after another, each at most once at a time. */
export interface Worker {
  /** Puts an item in, to be looked at after a while (at once without one). */
  add(item: string, afterMs?: number): void;
  stop(): Promise<void>;
}

const firstRetryMs = 20;
const lastRetryMs = 5000;

const pauseAfter = (failures: number): number => Math.min(firstRetryMs * 2 ** failures, lastRetryMs);
const quietFailures = 3;

/** Starts a worker; a step that throws is retried, ever more slowly, and reported. */
export function startWorker(step: Step, report: (item: string, error: unknown) => void): Worker {
  const queue = new Set<string>();
  const timers = new Map<string, NodeJS.Timeout>();
  const failures = new Map<string, number>();
  let running: Promise<void> | undefined;
  let stopped = false;

  const later = (item: string, afterMs: number): void => {
    clearTimeout(timers.get(item));
    timers.set(
      item,
      setTimeout(() => ready(item), afterMs),
    );
  };
  const ready = (item: string): void => {
    timers.delete(item);
    queue.add(item);
    if (!stopped) start();
  };
  const start = (): void => {
    running ??= drain().finally(() => {
      running = undefined;
      // Something may have come in between the last look at the queue and now.
      if (queue.size > 0 && !stopped) start();
    });
  };
  const failed = (item: string, error: unknown): void => {
    const count = (failures.get(item) ?? 0) + 1;
    failures.set(item, count);
    if (count > quietFailures) report(item, error);
    later(item, pauseAfter(count));
  };
  const once = async (item: string): Promise<void> => {
    try {
      const again = await step(item);
      failures.delete(item);
      if (again !== undefined && !stopped) later(item, again);
    } catch (error) {
      if (!stopped) failed(item, error);
    }
  };
  const drain = async (): Promise<void> => {
    for (const item of queue) {
      queue.delete(item);
      if (!stopped) await once(item);
    }
  };
  return {
    add: (item, afterMs) => (afterMs === undefined ? ready(item) : later(item, afterMs)),
    async stop() {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await running;
    },
  };
}
