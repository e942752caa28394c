import type { NatsConnection } from "nats";
import { decodeNats } from "../../../shared/adapters/cloudevents.ts";
import { type Consuming, consume, type Delivery as Message } from "../../../shared/adapters/nats-consumer.ts";
import type { DurableSpec } from "../../../shared/adapters/nats-streams.ts";
import { messageOf } from "../../../shared/errors.ts";
import type { Event } from "../../../shared/event.ts";
import { type Acknowledgement, exhaust, type Outcome, toAck } from "../../../shared/outcome.ts";
import type { Bus, Log } from "../../../shared/ports.ts";
import type { Delivered, Subscriber } from "../functions/subscriber.ts";
import { letterOf } from "./dead-letter.ts";
import { type Delivery, deliveryOf } from "./delivery.ts";
import { compileTriggerFilter, type Predicate } from "./filter.ts";
import { subjectFilter, typeFilterOf } from "./filter-subject.ts";
import type { Trigger } from "./kinds.ts";

/** Who a Trigger delivers to. */
export interface TriggerTarget {
  /** The function's name, under which dead letters are kept. */
  readonly name: string;
  readonly subscriber: Subscriber;
  /** Events the function takes at once. */
  readonly concurrency: number;
}

/** What every Trigger shares. */
export interface TriggerContext {
  readonly connection: NatsConnection;
  readonly bus: Pick<Bus, "deadLetter">;
  readonly log: Log;
}

/** Time beyond the Trigger's own for the answer to reach the stream. */
const ACK_MARGIN_MS = 5_000;

/** Longest silence where a Trigger sets no timeout. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** The durable consumer that stands for a Trigger: the narrowest subject its filter allows. */
export function durableOf({ metadata, spec }: Trigger): DurableSpec {
  return { name: metadata.name, filterSubject: subjectFilter(typeFilterOf(spec)), ackWaitMs: ackWaitMs(spec) };
}

/** Delivers the events that pass the Trigger's filter, with its retries, back-off, timeout and dead letters. */
export function startTrigger(trigger: Trigger, target: TriggerTarget, context: TriggerContext): Consuming {
  const { connection, log } = context;
  const delivery = deliveryOf(trigger.spec.delivery);
  const work: Work = { ...context, target, delivery, passes: compileTriggerFilter(trigger.spec) };
  return consume({
    connection,
    durable: trigger.metadata.name,
    ackWaitMs: ackWaitMs(trigger.spec),
    concurrency: target.concurrency,
    prefetch: target.concurrency,
    log,
    handle: (message) => handleMessage(message, work),
  });
}

interface Work extends TriggerContext {
  readonly target: TriggerTarget;
  readonly delivery: Delivery;
  readonly passes: Predicate;
}

async function handleMessage(message: Message, work: Work): Promise<Acknowledgement> {
  const event = read(message);
  if ("unreadable" in event)
    return bury({ outcome: dead("Unreadable", event.unreadable) }, undefined, { message, work });
  if (!work.passes(event)) return { verb: "ack" };
  const { target, delivery } = work;
  const { attempt } = message;
  const delivered = await target.subscriber({ event, attempt, timeoutMs: delivery.timeoutMs });
  const policy = { retry: delivery.retry, backoffMs: 0 };
  const outcome = exhaust(delivered.outcome, attempt, policy);
  if (outcome.kind === "dead") return bury({ ...delivered, outcome }, event, { message, work });
  const { verb, ...rest } = toAck(outcome, attempt, policy);
  if (verb !== "nak") return { verb };
  const asked = "delayMs" in rest && rest.delayMs > 0 ? rest.delayMs : delivery.delayMs(attempt);
  return { verb, delayMs: asked };
}

function read(message: Message): Event | { readonly unreadable: string } {
  try {
    return decodeNats(message.headers, message.body);
  } catch (error) {
    return { unreadable: messageOf(error) };
  }
}

function dead(reason: string, message: string): Extract<Outcome, { kind: "dead" }> {
  return { kind: "dead", reason, message };
}

interface Burying {
  readonly message: Message;
  readonly work: Work;
}

/** Terminates a message only after its dead letter is stored. */
async function bury(
  { outcome, answer }: Delivered,
  event: Event | undefined,
  { message, work }: Burying,
): Promise<Acknowledgement> {
  if (outcome.kind !== "dead") return { verb: "ack" };
  const { bus, log, target } = work;
  const { reason, message: why } = outcome;
  const { attempt: attempts, body, headers } = message;
  await bus.deadLetter(letterOf({ functionName: target.name, reason, why, attempts, body, headers, event, answer }));
  log.warn({ function: target.name, reason, attempts, id: event?.id, type: event?.type }, "event given up");
  return { verb: "term" };
}

function ackWaitMs({ delivery }: Trigger["spec"]): number {
  return (deliveryOf(delivery).timeoutMs ?? DEFAULT_TIMEOUT_MS) + ACK_MARGIN_MS;
}
