import { join } from "node:path";
import { withCache } from "../../../shared/host/cached-kube.ts";
import { serveRequests } from "../../../shared/host/http-function.ts";
import type { HttpFunction } from "../../../shared/http-function.ts";
import type { Log } from "../../../shared/ports.ts";
import { startFunctionProcess } from "./function-process.ts";
import { createRuntime } from "./in-process-subscribers.ts";
import { environmentOf, type Surroundings } from "./process-subscribers.ts";

/** Where and how the HTTP functions run. */
export interface HttpFunctionsOptions extends Surroundings {
  /** Each in a process of its own, instead of all in this process. */
  readonly processes: boolean;
  readonly host: string;
  /** Port of the first; each takes the next one. 0: free ports. */
  readonly port: number;
  readonly log: Log;
}

/** An HTTP function that answers. */
export interface RunningHttpFunction {
  readonly name: string;
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the HTTP functions in their order; `stack` ends them. */
export async function startHttpFunctions(
  definitions: readonly HttpFunction[],
  options: HttpFunctionsOptions,
  stack: AsyncDisposableStack,
): Promise<readonly RunningHttpFunction[]> {
  const start = options.processes ? startProcess : startHere;
  const running: RunningHttpFunction[] = [];
  for (const [index, definition] of definitions.entries()) {
    const started = await start(definition, { ...options, port: options.port === 0 ? 0 : options.port + index });
    stack.defer(() => started.close());
    running.push(started);
  }
  return running;
}

async function startHere(definition: HttpFunction, options: HttpFunctionsOptions): Promise<RunningHttpFunction> {
  const { host, port, log } = options;
  const { runtime, stop } = withCache(createRuntime(options), async () => options.base.kube, definition.cached);
  const { url, close } = await serveRequests({ function: definition, runtime, log }, { host, port });
  return { name: definition.name, url, close: () => close().then(stop) };
}

const ENTRY = join(import.meta.dirname, "http-child.ts");

async function startProcess({ name }: HttpFunction, options: HttpFunctionsOptions): Promise<RunningHttpFunction> {
  const { port, log } = options;
  const env = environmentOf(name, options);
  const child = startFunctionProcess({ name, entry: ENTRY, env, port, log, onMessage: () => {} });
  return { name, url: await child.url(), close: () => child.close() };
}
