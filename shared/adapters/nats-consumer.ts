import { setTimeout as delay } from "node:timers/promises";
import type { ConsumerMessages, JsMsg, NatsConnection } from "nats";
import { messageOf } from "../errors.ts";
import type { Acknowledgement } from "../outcome.ts";
import type { Log } from "../ports.ts";
import { type MessagesAtHand, messagesAtHand } from "./nats-messages-at-hand.ts";
import { EVENT_STREAM } from "./nats-streams.ts";

/** One message as a handler sees it. */
export interface Delivery {
  readonly subject: string;
  /** Place in the stream. */
  readonly sequence: number;
  /** The how-manieth delivery this is, from 1. */
  readonly attempt: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** How a durable is worked off. */
export interface ConsumeOptions {
  readonly connection: NatsConnection;
  readonly durable: string;
  /** The durable's own setting: messages at hand are kept alive well within it. */
  readonly ackWaitMs: number;
  /** Messages handled at once. */
  readonly concurrency: number;
  /** Messages held ready beyond those; 0 leaves them to other processes. */
  readonly prefetch?: number;
  readonly log: Log;
  /** A throw counts as `nak` with a delay. */
  handle(delivery: Delivery): Promise<Acknowledgement>;
}

/** A durable being worked off. */
export interface Consuming {
  /** Takes no more messages, gives back those not begun, and waits for those under way. */
  stop(): Promise<void>;
}

const FETCH_MS = 30_000;
const RETRY_MS = 1_000;

/** Works off a durable until stopped; outages of the server are waited out. */
export function consume(options: ConsumeOptions): Consuming {
  const { concurrency, prefetch = 0, ackWaitMs } = options;
  const hand = messagesAtHand({ concurrency, prefetch, ackWaitMs }, (message) => handleOne(message, options));
  const stopping = new AbortController();
  const fetching = keepTrying(() => fetchUntil(stopping.signal, hand, options), options, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      hand.close();
      await fetching;
      await hand.done();
    },
  };
}

async function fetchUntil(signal: AbortSignal, hand: MessagesAtHand, options: ConsumeOptions): Promise<void> {
  const { connection, durable } = options;
  const consumer = await connection.jetstream().consumers.get(EVENT_STREAM, durable);
  while (!signal.aborted) {
    const max_messages = await hand.room();
    if (!signal.aborted) await takeAll(await consumer.fetch({ max_messages, expires: FETCH_MS }), hand, signal);
  }
}

async function takeAll(messages: ConsumerMessages, hand: MessagesAtHand, signal: AbortSignal): Promise<void> {
  const stop = () => messages.stop();
  signal.addEventListener("abort", stop);
  try {
    if (signal.aborted) stop();
    for await (const message of messages) hand.take(message);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function keepTrying(
  run: () => Promise<void>,
  { durable, log }: ConsumeOptions,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await run();
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ durable, reason: messageOf(error) }, "cannot fetch from the durable, trying again");
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function handleOne(message: JsMsg, { handle, durable, log }: ConsumeOptions): Promise<void> {
  try {
    acknowledge(message, await handle(deliveryOf(message)));
  } catch (error) {
    log.error(
      { durable, sequence: message.seq, reason: messageOf(error) },
      "a message could not be handled, putting it back",
    );
    message.nak(RETRY_MS);
  }
}

function acknowledge(message: JsMsg, answer: Acknowledgement): void {
  if (answer.verb === "nak") message.nak(answer.delayMs);
  else message[answer.verb]();
}

function deliveryOf(message: JsMsg): Delivery {
  const headers: Record<string, string> = {};
  for (const [name, values] of message.headers ?? []) headers[name.toLowerCase()] = values[0] ?? "";
  const { subject, seq: sequence, data: body, info } = message;
  return { subject, sequence, attempt: info.redeliveryCount, headers, body };
}
