import { DeliverPolicy, type JsMsg, type NatsConnection } from "nats";
import { Failure, messageOf } from "../errors.ts";
import type { Event } from "../event.ts";
import { decodeNats } from "./cloudevents.ts";
import { EVENT_STREAM, EVENT_SUBJECTS } from "./nats-streams.ts";

/** Which events of the stream are read. */
export interface EventQuery {
  /** Types that begin so, whole words: `io.openpitrix.repo`. */
  readonly typePrefix: string;
  readonly since: Date;
  matches(event: Event): boolean;
  /** Most events; the newest are kept. */
  readonly limit: number;
}

const WAIT_MS = 2_000;
const BATCH = 500;

/** Events that the stream keeps, oldest first. Fails with `Unavailable` where JetStream does not answer. */
export async function readEvents(connection: NatsConnection, query: EventQuery): Promise<readonly Event[]> {
  try {
    const consumer = await connection.jetstream().consumers.get(EVENT_STREAM, {
      filterSubjects: `${EVENT_SUBJECTS}.${query.typePrefix}.>`,
      deliver_policy: DeliverPolicy.StartTime,
      opt_start_time: query.since.toISOString(),
    });
    const found: Event[] = [];
    const { num_pending: count } = await consumer.info();
    for (let read = 0; read < count; ) {
      const messages = await consumer.fetch({ max_messages: Math.min(BATCH, count - read), expires: WAIT_MS });
      const before = read;
      for await (const message of messages) read += note(found, message, query);
      // The stream has aged meanwhile: what was counted is no longer there.
      if (read === before) break;
    }
    return found;
  } catch (error) {
    throw new Failure("Unavailable", `the stream ${EVENT_STREAM} cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Keeps the newest that match; counts the message in any case. */
function note(found: Event[], message: JsMsg, { matches, limit }: EventQuery): 1 {
  const event = eventOf(message);
  if (event && matches(event)) found.push(event);
  if (found.length > limit) found.shift();
  return 1;
}

/** Anybody may publish to a subject; what is no event is passed over. */
function eventOf({ headers, data }: JsMsg): Event | undefined {
  const named = (headers?.keys() ?? []).map((key): [string, string] => [key, headers?.get(key) ?? ""]);
  try {
    return decodeNats(Object.fromEntries(named), data);
  } catch {
    return undefined;
  }
}
