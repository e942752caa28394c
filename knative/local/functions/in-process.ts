import type { HandledRecord } from "../../../shared/host/handled-record.ts";
import { type FunctionIdentity, handle, type Runtime } from "../../../shared/run.ts";
import type { Subscriber } from "./subscriber.ts";

/** Calls the function in this process; every attempt is reported. */
export function inProcess(
  identity: FunctionIdentity,
  runtime: Runtime,
  onHandled: (record: HandledRecord) => void,
): Subscriber {
  return async ({ event, attempt }) => {
    const started = performance.now();
    const handled = await handle(identity, event, runtime);
    onHandled({ ...handled, function: identity.name, event, attempt, durationMs: performance.now() - started });
    return { outcome: handled.outcome };
  };
}
