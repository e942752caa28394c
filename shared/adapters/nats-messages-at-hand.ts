import type { JsMsg } from "nats";

/** How many messages one process keeps at hand. */
export interface HandLimits {
  /** Messages handled at once. */
  readonly concurrency: number;
  /** Messages held ready beyond those. */
  readonly prefetch: number;
  /** Messages at hand are reported alive three times within this time. */
  readonly ackWaitMs: number;
}

/** The messages that one process has taken and not yet answered. */
export interface MessagesAtHand {
  /** Hands a message to the handler as soon as there is room. */
  take(message: JsMsg): void;
  /** Resolves with the number of messages that may come once there is room for a fair number, or at the end. */
  room(): Promise<number>;
  /** Gives back what has not been begun; from now on nothing is taken. */
  close(): void;
  /** Resolves when the last one is answered. */
  done(): Promise<void>;
}

/** Keeps messages within limits and keeps all of them from being delivered elsewhere while they wait or are handled. */
export function messagesAtHand(limits: HandLimits, handle: (message: JsMsg) => Promise<void>): MessagesAtHand {
  const { concurrency, prefetch, ackWaitMs } = limits;
  const all = new Set<JsMsg>();
  const waiting: JsMsg[] = [];
  const bell = doorbell();
  let closed = false;
  const heartbeat = setInterval(() => {
    for (const message of all) message.working();
  }, ackWaitMs / 3);
  const free = () => concurrency + prefetch - all.size;
  const hasRoom = () => free() >= Math.max(1, Math.floor(prefetch / 2));
  const isRoomFor = () => all.size - waiting.length < concurrency;
  const release = (message: JsMsg) => {
    all.delete(message);
    bell.ring();
  };
  const next = () => {
    while (isRoomFor()) {
      const message = waiting.shift();
      if (!message) return;
      void handle(message).finally(() => {
        release(message);
        next();
      });
    }
  };
  return {
    take(message) {
      if (closed) return message.nak();
      all.add(message);
      waiting.push(message);
      next();
    },
    async room() {
      await bell.until(() => closed || hasRoom());
      return free();
    },
    close() {
      closed = true;
      for (const message of waiting.splice(0)) {
        message.nak();
        release(message);
      }
      bell.ring();
    },
    async done() {
      await bell.until(() => all.size === 0);
      clearInterval(heartbeat);
    },
  };
}

/** Lets others wait for a condition that is looked at again whenever it rings. */
function doorbell() {
  let rung = Promise.withResolvers<void>();
  return {
    ring() {
      rung.resolve();
      rung = Promise.withResolvers<void>();
    },
    async until(condition: () => boolean): Promise<void> {
      while (!condition()) await rung.promise;
    },
  };
}
