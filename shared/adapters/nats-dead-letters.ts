import { headers, type JetStreamManager, type JsMsg, type MsgHdrs, type NatsConnection, type NatsError } from "nats";
import { Failure, messageOf } from "../errors.ts";
import type { Event, ExtensionValue } from "../event.ts";
import { decodeNats, encodeNats } from "./cloudevents.ts";
import { DEAD_LETTER_STREAM, DEAD_LETTER_SUBJECTS } from "./nats-streams.ts";
import { subjectOfType } from "./nats-subjects.ts";

/** A dead letter as a list shows it. */
export interface LetterHead {
  /** Its number in the stream. */
  readonly sequence: number;
  readonly time: string;
  readonly functionName: string;
  /** `unreadable` for what was no event. */
  readonly type: string;
  readonly id: string;
  readonly reason: string;
  readonly message: string;
  readonly attempts: number;
}

/** A dead letter with everything that is known of it. */
export interface Letter extends LetterHead {
  /** The event that was given up; `undefined` where the bytes are none, or not all of them were kept. */
  readonly event: Event | undefined;
  readonly body: Uint8Array;
}

/** Which letters are listed. */
export interface LetterQuery {
  readonly functionName?: string | undefined;
  /** Most letters; the newest are kept. */
  readonly limit: number;
}

/** What no retry would have helped, until somebody looks after it. */
export interface DeadLetters {
  /** Oldest first. */
  list(query: LetterQuery): Promise<readonly LetterHead[]>;
  /** `undefined` where there is no such letter. */
  get(sequence: number): Promise<Letter | undefined>;
  /** Sends the event again to all who listen to its type; the letter stays. */
  replay(event: Event): Promise<void>;
  /** Whether there was such a letter. */
  remove(sequence: number): Promise<boolean>;
}

const WAIT_MS = 2_000;
const BATCH = 500;

/** JetStream's codes for a number that no message has. */
const NO_SUCH_MESSAGE: ReadonlySet<number | undefined> = new Set([10037, 10043]);

/** The dead letters of a store. Every call fails with `Unavailable` where JetStream does not answer. */
export function openDeadLetters(connection: NatsConnection): DeadLetters {
  const managed = async <T>(use: (manager: JetStreamManager) => Promise<T>) => {
    try {
      return await use(await connection.jetstreamManager());
    } catch (error) {
      throw unavailable(error);
    }
  };
  return {
    list: (query) => list(connection, query),
    get: (sequence) =>
      managed(async (manager) => {
        const found = await orUndefined(manager.streams.getMessage(DEAD_LETTER_STREAM, { seq: sequence }));
        if (!found) return undefined;
        const { subject, header, data, time } = found;
        const head = headOf({ subject, headers: header, sequence, time });
        const event = header.has("openpitrix-truncated-from") ? undefined : eventOf(header, data);
        return { ...head, event, body: data };
      }),
    replay: (event) => replay(connection, event),
    remove: (sequence) =>
      managed(async (manager) => {
        const removed = await orUndefined(manager.streams.deleteMessage(DEAD_LETTER_STREAM, sequence, false));
        return removed === true;
      }),
  };
}

async function list(connection: NatsConnection, { functionName, limit }: LetterQuery): Promise<readonly LetterHead[]> {
  try {
    const filterSubjects = `${DEAD_LETTER_SUBJECTS}.${functionName === undefined ? "" : `${functionName}.`}>`;
    const consumer = await connection
      .jetstream()
      .consumers.get(DEAD_LETTER_STREAM, { filterSubjects, headers_only: true });
    const found: LetterHead[] = [];
    const { num_pending: count } = await consumer.info();
    for (let read = 0; read < count; ) {
      const before = read;
      const messages = await consumer.fetch({ max_messages: Math.min(BATCH, count - read), expires: WAIT_MS });
      for await (const message of messages) {
        found.push(listed(message));
        if (found.length > limit) found.shift();
        read += 1;
      }
      // Letters have aged meanwhile: what was counted is no longer there.
      if (read === before) break;
    }
    return found;
  } catch (error) {
    throw unavailable(error);
  }
}

/** Without a message id: the stream would take it for the repeat that it is, and drop it. */
async function replay(connection: NatsConnection, event: Event): Promise<void> {
  const { headers: fields, payload } = encodeNats(event);
  const sent = headers();
  for (const [name, value] of Object.entries(fields)) sent.set(name, value);
  try {
    await connection.jetstream().publish(subjectOfType(event.type), payload, { headers: sent });
  } catch (error) {
    throw unavailable(error);
  }
}

interface Stored {
  readonly subject: string;
  readonly headers: MsgHdrs | undefined;
  readonly sequence: number;
  readonly time: Date;
}

function listed({ subject, headers: fields, info }: JsMsg): LetterHead {
  const time = new Date(info.timestampNanos / 1e6);
  return headOf({ subject, headers: fields, sequence: info.streamSequence, time });
}

function headOf({ subject, headers: fields, sequence, time }: Stored): LetterHead {
  const text = (name: string) => fields?.get(`openpitrix-${name}`) ?? "";
  const functionName = text("function");
  return {
    sequence,
    time: time.toISOString(),
    functionName,
    type: subject.slice(`${DEAD_LETTER_SUBJECTS}.${functionName}.`.length),
    id: text("id"),
    reason: text("reason"),
    message: text("message"),
    attempts: Number(text("attempts")),
  };
}

/** Extensions that say why it was given up; they are no part of what is sent again. */
const EPITAPH = /^(dead(function|reason|attempts)|knativeerror(dest|code|data))$/;

function eventOf(fields: MsgHdrs, body: Uint8Array): Event | undefined {
  const named = Object.fromEntries(fields.keys().map((key): [string, string] => [key.toLowerCase(), fields.get(key)]));
  try {
    const { extensions, ...event } = decodeNats(named, body);
    const kept = Object.entries(extensions ?? {}).filter(([name]) => !EPITAPH.test(name));
    const rest: Readonly<Record<string, ExtensionValue>> = Object.fromEntries(kept);
    return kept.length === 0 ? event : { ...event, extensions: rest };
  } catch {
    return undefined;
  }
}

async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (NO_SUCH_MESSAGE.has((error as NatsError).api_error?.err_code)) return undefined;
    throw error;
  }
}

function unavailable(error: unknown): Failure {
  return new Failure("Unavailable", `the stream ${DEAD_LETTER_STREAM} cannot be read: ${messageOf(error)}`, {
    cause: error,
  });
}
