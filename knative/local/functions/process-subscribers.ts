import { join } from "node:path";
import { messageOf } from "../../../shared/errors.ts";
import type { HandledRecord } from "../../../shared/host/handled-record.ts";
import type { FunctionIdentity } from "../../../shared/run.ts";
import { proxiesOf } from "../config.ts";
import type { Dispatcher } from "../eventing/answer.ts";
import type { BoundEnvironment } from "../eventing/sink-binding.ts";
import { requireTool } from "../tools/find-tool.ts";
import { type FunctionProcess, startFunctionProcess } from "./function-process.ts";
import { postToFunction } from "./http-subscriber.ts";
import type { InProcessOptions } from "./in-process-subscribers.ts";
import type { Subscriber } from "./subscriber.ts";
import type { Subscribers } from "./subscribers.ts";

/** How function processes differ from the usual ones. */
export interface ProcessOptions {
  /** Script that serves the function named in FUNCTION over HTTP; default: our own. */
  readonly entry?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** What function processes are told about their surroundings. */
export interface ProcessSubscribersOptions extends InProcessOptions, ProcessOptions, Surroundings {
  /** Whose rules say what an answer means. */
  readonly dispatcher: Dispatcher;
}

/** What the environment of a function process is made from. */
export interface Surroundings extends Pick<InProcessOptions, "base" | "environment">, Pick<ProcessOptions, "env"> {
  readonly sinks: Sinks;
}

/** Where functions announce and bury. */
export interface Sinks {
  /** What a SinkBinding gives each function, by its name. */
  readonly bound: ReadonlyMap<string, BoundEnvironment>;
  readonly deadLetters: string;
}

const ENTRY = join(import.meta.dirname, "child.ts");

/** Runs functions in processes of their own, behind HTTP as on Knative: each is started by its first event. */
export function processSubscribers(options: ProcessSubscribersOptions): Subscribers {
  const processes = new Map<string, FunctionProcess>();
  const processOf = ({ name }: FunctionIdentity): FunctionProcess => {
    const known = processes.get(name);
    if (known) return known;
    const { entry = ENTRY, log, onHandled } = options;
    const onMessage = (message: unknown) => onHandled(message as HandledRecord);
    const started = startFunctionProcess({ name, entry, env: environmentOf(name, options), port: 0, log, onMessage });
    processes.set(name, started);
    return started;
  };
  return {
    of: (identity) => deliverTo(() => processOf(identity), options.dispatcher),
    async close() {
      await Promise.all([...processes.values()].map((each) => each.close()));
    },
  };
}

function deliverTo(process: () => FunctionProcess, dispatcher: Dispatcher): Subscriber {
  return async (attempt) => {
    try {
      return await postToFunction(await process().url(), attempt, dispatcher);
    } catch (error) {
      return { outcome: { kind: "retry", reason: messageOf(error) } };
    }
  };
}

/** The environment variables of one function process. */
export function environmentOf(name: string, options: Surroundings): Readonly<Record<string, string>> {
  const { base, environment, sinks, env } = options;
  const bound = sinks.bound.get(name);
  if (!bound)
    throw new Error(`function ${name}: no SinkBinding binds its Service, so it has no K_SINK; run \`make generate\``);
  return {
    PATH: environment.PATH,
    HOST: "127.0.0.1",
    DELIVERY: "http",
    EMIT: "sink",
    ...bound,
    DEAD_LETTER_SINK: sinks.deadLetters,
    NATS_URL: base.natsUrl,
    KUBECONFIG: base.cluster.kubeconfigPath,
    HELM: requireTool("helm", environment),
    LOG_LEVEL: "error",
    ...proxiesOf(environment),
    ...env,
  };
}
