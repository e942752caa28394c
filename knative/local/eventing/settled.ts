import { setTimeout as delay } from "node:timers/promises";
import type { JetStreamManager, NatsConnection } from "nats";
import { EVENT_STREAM } from "../../../shared/adapters/nats-streams.ts";

/** How long to wait for quiet. */
export interface SettleOptions {
  /** Default 60 s. */
  readonly timeoutMs?: number;
}

const LOOK_MS = 25;

/** Looks in a row that must find nothing: changes of objects need a moment until they are events. */
const QUIET_LOOKS = 8;

/** Resolves once no durable has anything pending or unacknowledged and nothing new comes; throws naming the busy ones. */
export async function waitUntilSettled(
  connection: NatsConnection,
  durables: readonly string[],
  { timeoutMs = 60_000 }: SettleOptions = {},
): Promise<void> {
  const manager = await connection.jetstreamManager();
  const deadline = Date.now() + timeoutMs;
  let last = -1;
  for (let quiet = 0; quiet < QUIET_LOOKS; ) {
    const { sequence, busy } = await look(manager, durables);
    quiet = busy.length === 0 && sequence === last ? quiet + 1 : 0;
    last = sequence;
    if (Date.now() > deadline) {
      throw new Error(`not settled after ${timeoutMs} ms: ${busy.join(", ") || "new events keep coming"}`);
    }
    await delay(LOOK_MS);
  }
}

async function look(manager: JetStreamManager, durables: readonly string[]) {
  const stream = await manager.streams.info(EVENT_STREAM);
  const infos = await Promise.all(durables.map((name) => manager.consumers.info(EVENT_STREAM, name)));
  const busy = infos
    .filter(({ num_pending, num_ack_pending }) => num_pending + num_ack_pending > 0)
    .map(({ name, num_pending, num_ack_pending }) => `${name} (${num_pending} pending, ${num_ack_pending} under way)`);
  return { sequence: stream.state.last_seq, busy };
}
