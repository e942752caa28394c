import type { Log } from "../ports.ts";
import type { FunctionIdentity, Runtime } from "../run.ts";
import type { HostedFunction } from "./attempt.ts";
import { type HostConfig, readConfig } from "./config.ts";
import { logHandled, type OnHandled } from "./handled-record.ts";
import { serveHttp } from "./http.ts";
import { createLog } from "./log.ts";
import { createRuntime } from "./runtime.ts";
import { type Serving, untilSignal } from "./until-signal.ts";

/** What differs from the settings in the environment; tests and the laptop use it. */
export interface ServeOptions {
  readonly config?: HostConfig;
  readonly checkpoint?: NonNullable<Runtime["checkpoint"]>;
  /** Hears of every attempt besides the log. */
  readonly onHandled?: OnHandled;
  readonly log?: Log;
}

/** Serves one function by the settings in the environment until SIGTERM or SIGINT; the entry of its bundle. */
export function serve(identity: FunctionIdentity, options: ServeOptions = {}): Promise<void> {
  return untilSignal(identity.name, () => start(identity, options));
}

/** Starts to serve one function and leaves signals and exit to the caller. */
export async function start(identity: FunctionIdentity, options: ServeOptions = {}): Promise<Serving> {
  const config = options.config ?? readConfig();
  const log = options.log ?? createLog(config.LOG_LEVEL, { function: identity.name });
  const host = createRuntime(config, log, identity.name);
  const { checkpoint } = options;
  const hosted: HostedFunction = {
    identity,
    runtime: checkpoint ? { ...host.runtime, checkpoint } : host.runtime,
    deadLetters: host.bus,
    log,
    onHandled: both(logHandled(log), options.onHandled),
  };
  const http = await serveHttp(hosted, { host: config.HOST, port: config.PORT });
  log.info({ url: http.url, delivery: config.DELIVERY, emit: config.EMIT }, "function is ready");
  const consuming = config.DELIVERY === "nats" ? await consumeFrom(hosted, host) : undefined;
  return {
    url: http.url,
    async stop() {
      await Promise.all([http.close(), consuming?.stop()]);
      await host.close();
      log.info({}, "function has stopped");
    },
  };
}

async function consumeFrom(hosted: HostedFunction, host: Pick<ReturnType<typeof createRuntime>, "nats">) {
  const { serveNats } = await import("./nats.ts");
  return serveNats(hosted, await host.nats());
}

function both(first: OnHandled, second: OnHandled | undefined): OnHandled {
  if (!second) return first;
  return (record) => {
    first(record);
    second(record);
  };
}
