import { readConfig } from "../../../shared/host/config.ts";
import { type ServeOptions, serve } from "../../../shared/host/main.ts";
import type { FunctionIdentity } from "../../../shared/run.ts";

/** Serves the function named in FUNCTION as a child of the laptop: reports every attempt to it and ends with it. */
export async function serveChild(functions: readonly FunctionIdentity[], options: ServeOptions = {}): Promise<void> {
  const { FUNCTION } = readConfig();
  const identity = functions.find(({ name }) => name === FUNCTION);
  if (!identity) throw new Error(`no function is called ${FUNCTION}`);
  process.once("disconnect", () => process.exit(1));
  await serve(identity, { ...options, onHandled: (record) => process.send?.(record) });
}
