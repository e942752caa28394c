import type { HttpFunction } from "../http-function.ts";
import { withCache } from "./cached-kube.ts";
import { type HostConfig, readConfig } from "./config.ts";
import { serveRequests } from "./http-function.ts";
import { createLog } from "./log.ts";
import { createRuntime } from "./runtime.ts";
import { type Serving, untilSignal } from "./until-signal.ts";

/** Serves one HTTP function by the settings in the environment until SIGTERM or SIGINT; the entry of its bundle. */
export function serveHttpFunction(definition: HttpFunction): Promise<void> {
  return untilSignal(definition.name, () => startHttpFunction(definition, readConfig()));
}

/** Starts to serve one HTTP function and leaves signals and exit to the caller. */
async function startHttpFunction(definition: HttpFunction, config: HostConfig): Promise<Serving> {
  const log = createLog(config.LOG_LEVEL, { function: definition.name });
  const { kube, close, ...host } = createRuntime(config, log, definition.name);
  const { runtime, stop } = withCache(host.runtime, kube, definition.cached);
  const http = await serveRequests({ function: definition, runtime, log }, { host: config.HOST, port: config.PORT });
  log.info({ url: http.url, emit: config.EMIT }, "function is ready");
  return {
    url: http.url,
    async stop() {
      await http.close();
      await stop();
      await close();
      log.info({}, "function has stopped");
    },
  };
}
