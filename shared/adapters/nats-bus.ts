import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { ErrorCode, headers, type JetStreamClient, type NatsConnection, type NatsError } from "nats";
import { Failure, messageOf } from "../errors.ts";
import type { Event } from "../event.ts";
import type { Bus, DeadLetter } from "../ports.ts";
import { encodeNats } from "./cloudevents.ts";
import { deadLetterSubject, subjectOfType } from "./nats-subjects.ts";

/** Limits of a bus. */
export interface NatsBusOptions {
  /** Most bytes of an event's data; default 48 KiB. */
  readonly maxDataBytes?: number;
  /** Time for one try to publish; default 5 s. */
  readonly timeoutMs?: number;
  /** Tries before the failure is reported; default 4. */
  readonly tries?: number;
}

const MAX_DATA_BYTES = 48 * 1024;
const RETRY_MS = 250;
/** Room that a dead letter's headers take beside the original bytes. */
const HEADER_ROOM = 16 * 1024;
const MAX_TEXT = 1024;

/**
 * The stream as a bus: resolved means stored. The event's id is the message id, so a publish whose outcome is unknown
 * is repeated without harm. Fails with `TooLarge` beyond the limit and `Unavailable` when the stream stays silent.
 */
export function createNatsBus(connection: NatsConnection, options: NatsBusOptions = {}): Bus {
  const { maxDataBytes = MAX_DATA_BYTES, timeoutMs = 5_000, tries = 4 } = options;
  const jetstream = connection.jetstream();
  const send = (message: Message) => publish(jetstream, message, { timeoutMs, tries });
  return {
    async publish(event) {
      const { headers, payload } = encodeNats(event);
      if (payload.length > maxDataBytes) refuseLargeData(event, maxDataBytes);
      await send({ subject: subjectOfType(event.type), id: messageId(event), headers, payload });
    },
    async deadLetter(letter) {
      await send(letterMessage(letter, connection.info?.max_payload ?? 1024 ** 2));
    },
  };
}

/** Our own ids are unique everywhere, foreign ones only within their source. */
function messageId({ source, id }: Event): string {
  if (source.startsWith("/openpitrix/")) return id;
  return createHash("sha256").update(`${source}\0${id}`).digest("hex").slice(0, 32);
}

interface Message {
  readonly subject: string;
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Uint8Array;
}

interface Patience {
  readonly timeoutMs: number;
  readonly tries: number;
}

async function publish(jetstream: JetStreamClient, message: Message, { timeoutMs, tries }: Patience): Promise<void> {
  const { subject, id, payload } = message;
  for (let left = tries; ; left--) {
    try {
      await jetstream.publish(subject, payload, {
        msgID: id,
        timeout: timeoutMs,
        headers: natsHeaders(message.headers),
      });
      return;
    } catch (error) {
      const failure = failureOf(error, subject);
      if (failure.kind !== "Unavailable" || left <= 1 || isClosed(error)) throw failure;
      await delay(RETRY_MS);
    }
  }
}

function refuseLargeData({ type, id, data }: Event, maxBytes: number): void {
  const bytes = data instanceof Uint8Array ? data.length : Buffer.byteLength(JSON.stringify(data) ?? "");
  if (bytes <= maxBytes) return;
  const advice = "keep the bytes in the object store and announce where they are";
  throw new Failure("TooLarge", `${type} ${id}: data has ${bytes} bytes, at most ${maxBytes} are published; ${advice}`);
}

function isClosed(error: unknown): boolean {
  const { code } = error as NatsError;
  return code === ErrorCode.ConnectionClosed || code === ErrorCode.ConnectionDraining;
}

function failureOf(error: unknown, subject: string): Failure {
  const { code, api_error: refusal } = error as NatsError;
  const options = { cause: error };
  if (code === ErrorCode.MaxPayloadExceeded) {
    return new Failure(
      "TooLarge",
      `${subject}: the message is larger than the NATS server takes (max_payload)`,
      options,
    );
  }
  if (code === ErrorCode.NoResponders) {
    return new Failure(
      "Unavailable",
      `${subject}: no stream takes it; provision the streams, or wait for JetStream`,
      options,
    );
  }
  if (code === ErrorCode.Timeout)
    return new Failure("Unavailable", `${subject}: the stream did not answer in time`, options);
  const text = refusal ? `the stream refuses it: ${refusal.description}` : messageOf(error);
  return new Failure("Unavailable", `${subject}: ${text}`, options);
}

function natsHeaders(fields: Readonly<Record<string, string>>) {
  const result = headers();
  for (const [name, value] of Object.entries(fields)) result.set(name, value);
  return result;
}

function letterMessage(letter: DeadLetter, maxPayload: number): Message {
  const { functionName, cause, body } = letter;
  const whole = body.length <= maxPayload - HEADER_ROOM;
  return {
    subject: deadLetterSubject(functionName, cause?.type),
    id: `dlq:${functionName}:${letterIdentity(letter)}`,
    payload: whole ? body : body.subarray(0, maxPayload - HEADER_ROOM),
    headers: {
      ...originalHeaders(letter.headers),
      "openpitrix-function": functionName,
      "openpitrix-reason": headerText(letter.reason),
      "openpitrix-message": headerText(letter.message),
      "openpitrix-attempts": String(letter.attempts),
      ...(cause === undefined
        ? {}
        : { "openpitrix-source": headerText(cause.source), "openpitrix-id": headerText(cause.id) }),
      ...(whole ? {} : { "openpitrix-truncated-from": String(body.length) }),
    },
  };
}

function letterIdentity({ cause, body }: DeadLetter): string {
  const hash = createHash("sha256");
  return (cause ? hash.update(`${cause.source}\0${cause.id}`) : hash.update(body)).digest("hex").slice(0, 32);
}

/** Headers that belong to the event; those of the transport would act on the new message. */
function originalHeaders(fields: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(fields).filter(([name]) => /^(content-type$|ce-)/i.test(name));
  return Object.fromEntries(entries.slice(0, 64).map(([name, value]) => [name, headerText(value)]));
}

/** A header ends at a control character. */
function headerText(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ").slice(0, MAX_TEXT);
}
