import type { FunctionIdentity } from "../../../shared/run.ts";
import type { Dispatcher } from "../eventing/answer.ts";
import { type InProcessOptions, inProcessSubscribers } from "./in-process-subscribers.ts";
import { type ProcessOptions, processSubscribers, type Sinks } from "./process-subscribers.ts";
import type { Subscriber } from "./subscriber.ts";

/** The functions of a laptop, wherever they run. */
export interface Subscribers {
  of(identity: FunctionIdentity): Subscriber;
  close(): Promise<void>;
}

/** What the functions need, and whether each gets a process of its own. */
export interface SubscribersOptions extends InProcessOptions {
  readonly processes?: boolean | ProcessOptions;
  readonly sinks: Sinks;
  readonly dispatcher: Dispatcher;
}

/** Prepares to deliver to functions in this process or in processes of their own. */
export function openSubscribers(options: SubscribersOptions): Subscribers {
  const { processes = false } = options;
  if (processes === false) return { of: inProcessSubscribers(options), close: async () => {} };
  return processSubscribers({ ...options, ...(processes === true ? {} : processes) });
}
