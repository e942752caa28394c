import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../../../shared/errors.ts";
import type { Log } from "../../../shared/ports.ts";
import { freePort } from "./free-port.ts";

/** How to start the process of one function. */
export interface FunctionProcessOptions {
  readonly name: string;
  /** Script that serves the function over HTTP on PORT. */
  readonly entry: string;
  readonly env: Readonly<Record<string, string>>;
  /** Port that every one of its processes takes; 0: a free one each time. */
  readonly port: number;
  readonly log: Log;
  /** Gets what the process sends over its channel. */
  onMessage(message: unknown): void;
}

/** A function that runs in a process of its own and is started again whenever it dies. */
export interface FunctionProcess {
  /** Address of the running process, once it is ready. */
  url(): Promise<string>;
  close(): Promise<void>;
}

const READY_MS = 30_000;
const LOOK_MS = 20;
const STOP_MS = 10_000;

/** Pause before a process that died young is started again; one that had been ready is started at once. */
const AGAIN_MS = 1_000;

/** Starts the process and keeps it running until closed. */
export function startFunctionProcess(options: FunctionProcessOptions): FunctionProcess {
  const state: State = { closing: false, child: undefined, ready: Promise.withResolvers<string>() };
  const kept = keepRunning(options, state);
  return {
    url: () => state.ready.promise,
    async close() {
      state.closing = true;
      await end(state.child);
      await kept;
    },
  };
}

interface State {
  closing: boolean;
  child: ChildProcess | undefined;
  ready: PromiseWithResolvers<string>;
}

async function keepRunning(options: FunctionProcessOptions, state: State): Promise<void> {
  while (!state.closing) {
    const port = options.port === 0 ? await freePort() : options.port;
    if (state.closing) break;
    const child = start(options, port);
    state.child = child;
    const exited = once(child, "exit");
    const wasReady = await becomeReady(child, port, state);
    await exited;
    if (state.closing) break;
    options.log.warn(
      { function: options.name, code: child.exitCode, signal: child.signalCode },
      "function process died",
    );
    if (wasReady) state.ready = Promise.withResolvers<string>();
    else await delay(AGAIN_MS);
  }
  state.ready.promise.catch(() => {});
  state.ready.reject(new Error(`${options.name} is being stopped`));
}

function start({ entry, env, name, onMessage, log }: FunctionProcessOptions, port: number): ChildProcess {
  const child = spawn(process.execPath, [entry], {
    env: { ...env, FUNCTION: name, PORT: String(port) },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    // Its own process group: Ctrl-C must not reach it before the work under way is done.
    detached: true,
  });
  child.on("message", onMessage);
  child.on("error", (error) => log.error({ function: name, reason: messageOf(error) }, "function process"));
  return child;
}

async function becomeReady(child: ChildProcess, port: number, { ready }: State): Promise<boolean> {
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + READY_MS;
  while (child.exitCode === null && child.signalCode === null) {
    if (await isReady(url)) {
      ready.resolve(url);
      return true;
    }
    if (Date.now() > deadline) child.kill("SIGKILL");
    await delay(LOOK_MS);
  }
  return false;
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health/readiness`)).ok;
  } catch {
    return false;
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const killer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await exited;
  clearTimeout(killer);
}
