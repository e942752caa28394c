import { createInbox, Empty, headers, type Msg, type NatsConnection } from "nats";

/** A write that JetStream refused; `code` is its err_code, `last` the sequence that the key has in truth when that was the reason. */
export class WriteRefused extends Error {
  readonly code: number;
  readonly last: number | undefined;
  constructor({ err_code, description }: AckError) {
    super(description);
    this.name = "WriteRefused";
    this.code = err_code;
    const [, last] = /wrong last sequence: (\d+)/u.exec(description) ?? [];
    this.last = last === undefined ? undefined : Number(last);
  }
}

/** Writes keys of one bucket, each only if the key's newest sequence is still the one named (0: there is none). */
export interface KvWriter {
  /** Resolves to the new sequence. Rejects with WriteRefused, or another error when no answer came. */
  put(key: string, text: string, previous: number): Promise<number>;
  remove(key: string, previous: number): Promise<number>;
  close(): void;
}

interface AckError {
  readonly err_code: number;
  readonly description: string;
}

interface Ack {
  readonly seq?: number;
  readonly error?: AckError;
}

interface Pending {
  readonly subject: string;
  readonly text: string | undefined;
  readonly previous: number;
  readonly resolve: (sequence: number) => void;
  readonly reject: (error: unknown) => void;
  readonly deadline: number;
}

const answerLimitMs = 5_000;
const sweepEveryMs = 500;

/**
 * Opens a writer of a bucket. The client's own put costs several times as much per write: it makes an error, a timer and
 * four promises for each, and sends every message in a packet of its own.
 */
export function openKvWriter(nats: NatsConnection, bucket: string): KvWriter {
  const inbox = createInbox();
  const pending = new Map<string, Pending>();
  let waiting: Pending[] = [];
  let next = 0;
  const subscription = nats.subscribe(`${inbox}.*`, {
    callback: (error, message) => {
      const token = message.subject.slice(inbox.length + 1);
      const write = pending.get(token);
      if (write === undefined) return;
      pending.delete(token);
      settle(write, error ?? message);
    },
  });
  const send = (write: Pending): void => {
    next += 1;
    const token = String(next);
    try {
      publish(nats, write, `${inbox}.${token}`);
      pending.set(token, write);
    } catch (error) {
      write.reject(error);
    }
  };
  const sweeping = setInterval(() => sweep(pending), sweepEveryMs).unref();
  const sendAll = (): void => {
    const all = waiting;
    waiting = [];
    for (const write of all) send(write);
  };
  const start = (key: string, text: string | undefined, previous: number): Promise<number> =>
    new Promise((resolve, reject) => {
      // What comes in during one turn of the event loop goes out in one packet.
      if (waiting.length === 0) setImmediate(sendAll);
      const deadline = Date.now() + answerLimitMs;
      waiting.push({ subject: `$KV.${bucket}.${key}`, text, previous, resolve, reject, deadline });
    });
  return {
    put: start,
    remove: (key, previous) => start(key, undefined, previous),
    close() {
      clearInterval(sweeping);
      subscription.unsubscribe();
      for (const { reject } of [...pending.values(), ...waiting]) reject(new Error("the API server is closing"));
      waiting = [];
    },
  };
}

function publish(nats: NatsConnection, { subject, text, previous }: Pending, reply: string): void {
  const expected = headers();
  expected.set("Nats-Expected-Last-Subject-Sequence", String(previous));
  if (text === undefined) expected.set("KV-Operation", "DEL");
  nats.publish(subject, text === undefined ? Empty : Buffer.from(text), { reply, headers: expected });
}

function settle({ resolve, reject }: Pending, answer: Msg | Error): void {
  const { seq, error } = answer instanceof Error ? {} : ackIn(answer);
  // Refusals carry a sequence too: 0.
  if (error !== undefined) reject(new WriteRefused(error));
  else if (seq !== undefined) resolve(seq);
  else reject(answer instanceof Error ? answer : new Error(`JetStream does not acknowledge: ${answer.string()}`));
}

// An empty answer says that no stream listens: the server is just starting, or the bucket was deleted.
function ackIn(answer: Msg): Ack {
  return answer.data.length === 0 ? {} : answer.json<Ack>();
}

function sweep(pending: Map<string, Pending>): void {
  const now = Date.now();
  for (const [token, { deadline, reject }] of pending) {
    if (deadline > now) return;
    pending.delete(token);
    reject(new Error(`no answer within ${answerLimitMs} ms`));
  }
}
