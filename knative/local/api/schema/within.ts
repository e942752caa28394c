import { createContext, Script } from "node:vm";

const context = createContext({ work: () => {} });
const script = new Script("work()");

/** The result of synchronous work, or undefined when it would take longer than that. Costs some tenths of a millisecond. */
export function within<T>(timeout: number, work: () => T): T | undefined {
  let result: T | undefined;
  context["work"] = () => {
    result = work();
  };
  try {
    script.runInContext(context, { timeout });
    return result;
  } catch (error) {
    if ((error as { code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  }
}
