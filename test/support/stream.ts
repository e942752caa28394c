import { connect, type NatsConnection } from "nats";
import { decodeNats, encodeNats } from "../../shared/adapters/cloudevents.ts";
import { DEAD_LETTER_STREAM, EVENT_STREAM } from "../../shared/adapters/nats-streams.ts";
import { subjectOfType } from "../../shared/adapters/nats-subjects.ts";
import type { Event } from "../../shared/event.ts";

/** The streams of a NATS server as somebody sees them who is no part of the store. */
export interface Streams extends AsyncDisposable {
  /** Every event that the stream keeps, in its order. */
  events(): Promise<readonly Event[]>;
  deadLetters(): Promise<number>;
  /** Publishes without a message id, so that the stream cannot tell repeats apart. */
  publishBlindly(event: Event): Promise<void>;
}

/** Connects to the server. */
export async function openStreams(url: string): Promise<Streams> {
  const connection = await connect({ servers: url });
  const jetstream = connection.jetstream();
  return {
    events: () => readAll(connection),
    async deadLetters() {
      const manager = await connection.jetstreamManager();
      return (await manager.streams.info(DEAD_LETTER_STREAM)).state.messages;
    },
    async publishBlindly(event) {
      await jetstream.publish(subjectOfType(event.type), encodeNats(event).payload);
    },
    [Symbol.asyncDispose]: () => connection.close(),
  };
}

async function readAll(connection: NatsConnection): Promise<readonly Event[]> {
  const manager = await connection.jetstreamManager();
  const { first_seq, last_seq } = (await manager.streams.info(EVENT_STREAM)).state;
  const events: Event[] = [];
  for (let seq = Math.max(first_seq, 1); seq <= last_seq; seq++) {
    const { data } = await manager.streams.getMessage(EVENT_STREAM, { seq });
    events.push(decodeNats({}, data));
  }
  return events;
}
