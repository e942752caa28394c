import { randomUUID } from "node:crypto";
import { type Announcement, begin } from "../event.ts";
import type { HttpFunction, HttpPorts, HttpRequest, Occurrence } from "../http-function.ts";
import type { Log } from "../ports.ts";
import type { Runtime } from "../run.ts";

/** An HTTP function with everything it needs to answer requests. */
export interface HostedHttpFunction {
  readonly function: HttpFunction;
  readonly runtime: Runtime;
  readonly log: Log;
}

const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The ports of an HTTP function for one request; what it announces carries the request's trace. */
export function portsOf(
  { headers }: HttpRequest,
  signal: AbortSignal,
  { function: { name }, runtime }: HostedHttpFunction,
): HttpPorts<never, never, never> {
  const { traceparent = "" } = headers;
  const trace = TRACEPARENT.test(traceparent) ? { traceparent } : {};
  return {
    ...runtime,
    signal,
    async publish(announcement: Announcement, { id = randomUUID(), ...operator }: Occurrence = {}) {
      signal.throwIfAborted();
      const event = begin(name, announcement, { id, now: runtime.clock.now(), ...operator, ...trace });
      await runtime.bus.publish(event);
      return event;
    },
  };
}
