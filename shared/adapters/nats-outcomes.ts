import { AckPolicy, DeliverPolicy, type NatsConnection, nanos, type Subscription } from "nats";
import { Failure, messageOf } from "../errors.ts";
import type { Event } from "../event.ts";
import type { Outcomes } from "../outcomes-port.ts";
import { decodeNats } from "./cloudevents.ts";
import { EVENT_STREAM } from "./nats-streams.ts";
import { subjectOfType } from "./nats-subjects.ts";

/** Events that one look back reads at most. */
const MAX_LOOKED_AT = 10_000;

/**
 * Waits for the events that follow from one that is published. Listens before it publishes, so that no answer is too
 * quick, and only for the types that are asked for. Fails with `Unavailable` where the server cannot be reached or does
 * not let us listen; then nothing is published.
 */
export function createNatsOutcomes(connection: NatsConnection): Outcomes {
  return {
    async after(publish, { types, timeoutMs, signal }) {
      const listening = listen(connection, types);
      try {
        await connection.flush();
        listening.throwIfDeaf();
        const event = await publish();
        const outcome = await listening.first(event.id, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
        return outcome ? { event, outcome } : { event };
      } finally {
        listening.close();
      }
    },
    async find(cause, { types, sinceMs }) {
      try {
        for (const type of types) {
          const found = await lookBack(connection, subjectOfType(type), { cause, sinceMs });
          if (found) return found;
        }
        return undefined;
      } catch (error) {
        throw new Failure("Unavailable", `look for what followed from ${cause}: ${messageOf(error)}`, { cause: error });
      }
    },
  };
}

interface Listening {
  /** The first event that `cause` led to; `undefined` once the signal is aborted. */
  first(cause: string, signal: AbortSignal): Promise<Event | undefined>;
  /** Fails where the server has refused a subscription. */
  throwIfDeaf(): void;
  close(): void;
}

function listen(connection: NatsConnection, types: readonly string[]): Listening {
  const heard: Event[] = [];
  const waiting = new Set<() => void>();
  let refusal: Error | undefined;
  const subscriptions = types.map(
    (type): Subscription =>
      connection.subscribe(subjectOfType(type), {
        callback: (error, message) => {
          refusal ??= error ?? undefined;
          const event = error ? undefined : eventOf(message.data);
          if (!event) return;
          heard.push(event);
          for (const wake of waiting) wake();
        },
      }),
  );
  return {
    first: (cause, signal) =>
      new Promise((resolve) => {
        const look = () => {
          const found = heard.find(({ causationid }) => causationid === cause);
          if (!found && !signal.aborted) return;
          waiting.delete(look);
          signal.removeEventListener("abort", look);
          resolve(found);
        };
        waiting.add(look);
        signal.addEventListener("abort", look);
        look();
      }),
    throwIfDeaf: () => {
      if (refusal) throw new Failure("Unavailable", `listen for outcomes: ${refusal.message}`, { cause: refusal });
    },
    close: () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
    },
  };
}

/** Anybody may publish to a subject; what is no event is passed over. */
function eventOf(data: Uint8Array): Event | undefined {
  try {
    return decodeNats({}, data);
  } catch {
    return undefined;
  }
}

interface LookBack {
  readonly cause: string;
  readonly sinceMs: number;
}

async function lookBack(connection: NatsConnection, subject: string, { cause, sinceMs }: LookBack) {
  const manager = await connection.jetstreamManager();
  const start = new Date(Date.now() - sinceMs).toISOString();
  const info = await manager.consumers.add(EVENT_STREAM, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartTime,
    opt_start_time: start,
    filter_subject: subject,
    inactive_threshold: nanos(30_000),
    mem_storage: true,
  });
  const consumer = await connection.jetstream().consumers.get(EVENT_STREAM, info.name);
  try {
    const pending = Math.min(info.num_pending, MAX_LOOKED_AT);
    if (pending === 0) return undefined;
    for await (const message of await consumer.fetch({ max_messages: pending, expires: 5_000 })) {
      const event = eventOf(message.data);
      if (event?.causationid === cause) return event;
    }
    return undefined;
  } finally {
    await consumer.delete();
  }
}
