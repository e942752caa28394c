import type { IncomingMessage } from "node:http";
import { Failure } from "../errors.ts";
import { retryAfterMs } from "./http-body.ts";

/** What one host is asked for by all repositories together. */
export interface HostBudgets {
  /**
   * Waits for one of the host's places and gives the function that frees it.
   * Fails with Unavailable while the host wants not to be asked (`retryAfterMs` says how long), or when `signal` ends.
   */
  enter(host: string, turn: Turn): Promise<() => void>;
  /** Notes what an answer says about asking again. */
  note(host: string, response: IncomingMessage): void;
}

/** One request that waits for its turn. */
interface Turn {
  /** How errors name the request. */
  readonly what: string;
  readonly signal: AbortSignal;
}

interface Host {
  active: number;
  readonly waiting: (() => void)[];
  /** When it may be asked again, in milliseconds since 1970. */
  notBefore: number;
}

/** Wait after a 429 that does not say how long. */
const DEFAULT_PAUSE_MS = 60_000;

/** Budgets for every host of one process: `places` requests at once, and none while the host answered 429. */
export function createHostBudgets(places: number, now: () => number = Date.now): HostBudgets {
  const hosts = new Map<string, Host>();
  const forget = (name: string, host: Host) => {
    if (host.active === 0 && host.notBefore <= now()) hosts.delete(name);
  };
  const release = (name: string, host: Host) => {
    const next = host.waiting.shift();
    if (next) return next();
    host.active--;
    forget(name, host);
  };
  return {
    async enter(name, turn) {
      const host = hosts.get(name) ?? { active: 0, waiting: [], notBefore: 0 };
      refusePaused(name, host.notBefore - now(), turn);
      hosts.set(name, host);
      if (host.active < places) host.active++;
      else await place(host, { ...turn, name, places });
      const free = once(() => release(name, host));
      const pause = host.notBefore - now();
      if (pause > 0) free();
      refusePaused(name, pause, turn);
      return free;
    },
    note(name, { statusCode, headers }) {
      const host = hosts.get(name);
      if (statusCode !== 429 || !host) return;
      host.notBefore = Math.max(host.notBefore, now() + (retryAfterMs(headers["retry-after"]) ?? DEFAULT_PAUSE_MS));
      for (const [other, idle] of hosts) forget(other, idle);
    },
  };
}

function refusePaused(name: string, pause: number, { what }: Turn): void {
  if (pause <= 0) return;
  const message = `${what}: ${name} answered HTTP 429 and wants not to be asked for another ${Math.ceil(pause / 1000)} s; it will be`;
  throw new Failure("Unavailable", `${message} asked then, or sync fewer repositories from it`, {
    retryAfterMs: pause,
  });
}

/** Resolves when a request that had a place has handed it over. */
function place(host: Host, { what, signal, name, places }: Turn & { name: string; places: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const enter = () => {
      signal.removeEventListener("abort", leave);
      resolve();
    };
    const leave = () => {
      const at = host.waiting.indexOf(enter);
      if (at !== -1) host.waiting.splice(at, 1);
      const message = `${what}: all ${places} connections that ${name} may have at once stayed in use; it is tried again`;
      reject(new Failure("Unavailable", message, { cause: signal.reason }));
    };
    if (signal.aborted) return leave();
    signal.addEventListener("abort", leave, { once: true });
    host.waiting.push(enter);
  });
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}
