import type { NatsConnection } from "nats";
import { decodeNats } from "../adapters/cloudevents.ts";
import { type Consuming, consume, type Delivery } from "../adapters/nats-consumer.ts";
import { type DurableSpec, EVENT_SUBJECTS } from "../adapters/nats-streams.ts";
import { subjectOfType } from "../adapters/nats-subjects.ts";
import { messageOf } from "../errors.ts";
import { type Acknowledgement, toAck } from "../outcome.ts";
import type { FunctionIdentity } from "../run.ts";
import { type Arrival, attempt, type HostedFunction } from "./attempt.ts";

/** What a commit may take beyond the function's own time limit before its event is delivered again. */
const ACK_MARGIN_MS = 10_000;

/** Functions that take longer get no events ahead of time: another process may be free. */
const PREFETCH_BELOW_MS = 30_000;

/** The durables of a function: one for its own event type and, where the event has an origin, one for that. */
export function durablesOf({ name, function: { on, timeoutMs } }: FunctionIdentity): readonly DurableSpec[] {
  const ackWaitMs = timeoutMs + ACK_MARGIN_MS;
  const own = { name, filterSubject: subjectOfType(on.type), ackWaitMs };
  const { exact, prefix } = on.origin?.filter ?? {};
  const type = exact?.["type"];
  const start = prefix?.["type"];
  if (type !== undefined) return [own, { name: `${name}-source`, filterSubject: subjectOfType(type), ackWaitMs }];
  if (start === undefined) return [own];
  // Subjects match whole tokens, so an unfinished last one is left to the function.
  const tokens = start.split(".").slice(0, -1);
  return [own, { name: `${name}-source`, filterSubject: [EVENT_SUBJECTS, ...tokens, ">"].join("."), ackWaitMs }];
}

/** Feeds a function from its durables until stopped. */
export function serveNats(hosted: HostedFunction, connection: NatsConnection): Consuming {
  const { identity, log } = hosted;
  const { concurrency, timeoutMs } = identity.function;
  const prefetch = timeoutMs <= PREFETCH_BELOW_MS ? concurrency : 0;
  const handle = (delivery: Delivery) => answer(hosted, delivery);
  const consuming = durablesOf(identity).map(({ name: durable, ackWaitMs }) =>
    consume({ connection, durable, ackWaitMs, concurrency, prefetch, log, handle }),
  );
  return {
    async stop() {
      await Promise.all(consuming.map((each) => each.stop()));
    },
  };
}

async function answer(hosted: HostedFunction, delivery: Delivery): Promise<Acknowledgement> {
  return toAck(await attempt(hosted, arrivalOf(delivery)), delivery.attempt);
}

function arrivalOf({ headers, body, attempt }: Delivery): Arrival {
  const arrival = { body, headers, attempt, countsAttempts: true };
  try {
    return { ...arrival, event: decodeNats(headers, body) };
  } catch (error) {
    return { ...arrival, problem: messageOf(error) };
  }
}
