import type { NatsConnection } from "nats";
import { decodeNats } from "../../../shared/adapters/cloudevents.ts";
import { type Consuming, consume, type Delivery as Message } from "../../../shared/adapters/nats-consumer.ts";
import type { DurableSpec } from "../../../shared/adapters/nats-streams.ts";
import { messageOf } from "../../../shared/errors.ts";
import type { Event } from "../../../shared/event.ts";
import { type Acknowledgement, exhaust, type Outcome, toAck } from "../../../shared/outcome.ts";
import type { Bus, Log } from "../../../shared/ports.ts";
import type { Delivered, Subscriber } from "../functions/subscriber.ts";
import type { Dispatcher } from "./answer.ts";
import { letterOf } from "./dead-letter.ts";
import { type Delivery, deliveryOf } from "./delivery.ts";
import { compileTriggerFilter, type Predicate } from "./filter.ts";
import { subjectFilter, typeFilterOf } from "./filter-subject.ts";
import { replyWithHops, withoutHops } from "./hops.ts";
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
  readonly bus: Bus;
  readonly log: Log;
  /** Whose rules of delivery apply; default: Knative's own. */
  readonly dispatcher?: Dispatcher;
}

/** Time beyond the Trigger's own for the answer to reach the stream. */
const ACK_MARGIN_MS = 5_000;

/** Longest silence where a Trigger sets no timeout. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** The durable consumer that stands for a Trigger: the narrowest subject its filter allows. */
export function durableOf({ metadata, spec }: Trigger): DurableSpec {
  return { name: metadata.name, filterSubject: subjectFilter(typeFilterOf(spec)), ackWaitMs: ackWaitMs(spec) };
}

/** Throws, naming the Trigger, where its filter or its delivery cannot be understood. */
export function checkTrigger({ metadata, spec }: Trigger): void {
  try {
    compileTriggerFilter(spec);
    deliveryOf(spec.delivery);
  } catch (error) {
    throw new Error(`Trigger ${metadata.namespace}/${metadata.name}: ${messageOf(error)}`, { cause: error });
  }
}

/** Delivers the events that pass the Trigger's filter, with its retries, back-off, timeout and dead letters. */
export function startTrigger(trigger: Trigger, target: TriggerTarget, context: TriggerContext): Consuming {
  const { connection, log, dispatcher = "core" } = context;
  const delivery = deliveryOf(trigger.spec.delivery, dispatcher);
  const work: Work = { ...context, dispatcher, target, delivery, passes: compileTriggerFilter(trigger.spec) };
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
  readonly dispatcher: Dispatcher;
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
  const answered = await target.subscriber({ event: withoutHops(event), attempt, timeoutMs: delivery.timeoutMs });
  const delivered = await passReplyOn(answered, event, work);
  const policy = { retry: delivery.retry, backoffMs: 0 };
  const outcome = exhaust(delivered.outcome, attempt, policy);
  if (outcome.kind === "dead") {
    if (isLost(delivered, attempt, work)) return lose(delivered, event, work);
    return bury({ ...delivered, outcome }, event, { message, work });
  }
  const { verb, ...rest } = toAck(outcome, attempt, policy);
  if (verb !== "nak") return { verb };
  const asked = "delayMs" in rest && rest.delayMs > 0 ? rest.delayMs : undefined;
  return { verb, delayMs: asked ?? delivery.delayMs(attempt, delivered.answer?.retryAfterMs) };
}

/** Publishes the event that a subscriber answered with. Natss takes the event as handled even where that fails. */
async function passReplyOn(delivered: Delivered, event: Event, work: Work): Promise<Delivered> {
  const { bus, dispatcher, log, target } = work;
  const { reply, answer } = delivered;
  if (!reply) return delivered;
  const counted = replyWithHops(event, reply);
  if (!counted) {
    log.warn({ function: target.name, id: reply.id, type: reply.type }, "a reply came too far and is dropped");
    return delivered;
  }
  try {
    await bus.publish(counted);
    return delivered;
  } catch (error) {
    const reason = `the reply ${reply.id} could not be published: ${messageOf(error)}`;
    if (dispatcher === "core") return { outcome: { kind: "retry", reason }, ...(answer ? { answer } : {}) };
    log.warn({ function: target.name, reason }, "a reply was lost");
    return delivered;
  }
}

/** Natss keeps an event that an answer refused only if that was the last attempt anyway. */
function isLost({ outcome, answer }: Delivered, attempt: number, { dispatcher, delivery }: Work): boolean {
  return dispatcher === "natss" && answer !== undefined && outcome.kind === "dead" && attempt <= delivery.retry;
}

function lose({ answer }: Delivered, { id, type }: Event, { log, target }: Work): Acknowledgement {
  log.warn({ function: target.name, code: answer?.code, id, type }, "event lost: natss keeps no dead letter of it");
  return { verb: "term" };
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
