import { setTimeout as delay } from "node:timers/promises";

/** How long `until` waits, and what it says when that was too short. */
export interface UntilOptions {
  readonly timeoutMs?: number;
  /** Describes what was found instead. */
  readonly found?: () => unknown;
}

const LOOK_MS = 20;

/** Looks again and again until `probe` gives something other than `undefined` or `false`; fails naming `what` when time is up. */
export async function until<T>(
  what: string,
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  { timeoutMs = 45_000, found }: UntilOptions = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const result = await probe();
    if (result !== undefined && result !== false) return result;
    if (Date.now() > deadline) {
      const instead = found ? `; found ${JSON.stringify(await found())}` : "";
      throw new Error(`did not happen within ${timeoutMs} ms: ${what}${instead}`);
    }
    await delay(LOOK_MS);
  }
}
