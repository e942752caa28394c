import { sha256 } from "../digest.ts";

/** Decides how many requests of one key are taken. */
export interface RateLimiter {
  /** Seconds until the next request of this key is taken; 0: take this one. */
  wait(key: string, nowMs: number): number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** Keys that are remembered; beyond that the oldest start afresh. */
const MAX_KEYS = 10_000;

/** Longest key that is remembered as it is: tokens and paths of strangers are as long as they like. */
const MAX_KEY = 64;

/** A token bucket per key: `perMinute` at once, and as many again every minute. */
export function createRateLimiter(perMinute: number): RateLimiter {
  const buckets = new Map<string, Bucket>();
  const perMs = perMinute / 60_000;
  return {
    wait(asked, nowMs) {
      const key = asked.length > MAX_KEY ? sha256(asked) : asked;
      const known = buckets.get(key) ?? { tokens: perMinute, at: nowMs };
      const tokens = Math.min(perMinute, known.tokens + (nowMs - known.at) * perMs);
      const taken = tokens >= 1;
      buckets.delete(key);
      buckets.set(key, { tokens: taken ? tokens - 1 : tokens, at: nowMs });
      const [oldest] = buckets.keys();
      if (buckets.size > MAX_KEYS && oldest !== undefined) buckets.delete(oldest);
      return taken ? 0 : Math.ceil((1 - tokens) / perMs / 1000);
    },
  };
}
