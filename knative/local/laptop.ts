import { functions, httpFunctions } from "../../functions/index.ts";
import type { Kube } from "../../shared/adapters/kubernetes.ts";
import { provision } from "../../shared/adapters/nats-streams.ts";
import type { Event } from "../../shared/event.ts";
import type { HandledRecord } from "../../shared/host/handled-record.ts";
import type { Log } from "../../shared/ports.ts";
import { type Base, startBase } from "./base.ts";
import type { LocalEnvironment } from "./config.ts";
import type { Dispatcher } from "./eventing/answer.ts";
import { type ResolvedTrigger, resolveTriggers, startTriggers } from "./eventing/broker.ts";
import { startIngress } from "./eventing/ingress.ts";
import { brokerPaths, ingressStores } from "./eventing/ingress-stores.ts";
import { type SettleOptions, waitUntilSettled } from "./eventing/settled.ts";
import { showObjects } from "./eventing/show-objects.ts";
import { boundEnvironments } from "./eventing/sink-binding.ts";
import { type RunningHttpFunction, startHttpFunctions } from "./functions/http-functions.ts";
import type { ProcessOptions } from "./functions/process-subscribers.ts";
import { openSubscribers } from "./functions/subscribers.ts";
import type { HttpServer } from "./http-server.ts";
import { installManifests } from "./install-manifests.ts";
import { createLocalLog } from "./local-log.ts";
import { type Manifests, readManifests } from "./manifests.ts";
import { startSources } from "./sources/start-sources.ts";
import { startUploads } from "./uploads.ts";

/** Ports of the laptop; what is left out takes a free one. */
export interface LaptopPorts {
  readonly kubernetes?: number;
  readonly nats?: number;
  readonly ingress?: number;
  readonly uploads?: number;
  /** The first of the HTTP functions; each takes the next one. */
  readonly http?: number;
}

/** How to start a laptop. */
export interface LaptopOptions {
  /** Tells where the tools are, and with KUBECONFIG which cluster to use instead of one of our own. */
  readonly environment: LocalEnvironment;
  /** Folder that keeps everything; default: a new one that is removed at the end. */
  readonly state?: string;
  /** Streams and objects in memory; needs a folder only for small files. */
  readonly memory?: boolean;
  readonly ports?: LaptopPorts;
  /** Each function in a process of its own behind HTTP, instead of all in this process. */
  readonly processes?: boolean | ProcessOptions;
  /** Deliver by the rules of eventing-natss, which forgive less than Knative's own; bites only with `processes`. */
  readonly strictNatss?: boolean;
  /** Whether workloads are marked ready; default true. */
  readonly stage?: boolean;
  readonly log?: Log;
}

/** A running store on one machine. */
export interface Laptop {
  readonly kubeconfigPath: string;
  readonly kubeUrl: string;
  readonly natsUrl: string;
  /** Address of the Broker, for CloudEvents over HTTP. */
  readonly ingressUrl: string;
  readonly uploadsUrl: string;
  /** Addresses of the HTTP functions by name. */
  readonly httpUrls: Readonly<Record<string, string>>;
  readonly kube: Kube;
  /** Calls back after every attempt of a function at an event; returns what ends it. */
  onHandled(listener: (record: HandledRecord) => void): () => void;
  publish(event: Event): Promise<void>;
  /** What was published so far, each event once. */
  published(): readonly Event[];
  /** Resolves once everything that was set off is handled. */
  settled(options?: SettleOptions): Promise<void>;
  close(): Promise<void>;
}

const HOST = "127.0.0.1";

const MIB = 1024 ** 2;

/** JetStream sets a stream's limit aside at once, and memory is not that plentiful. */
const STREAMS = {
  file: { storage: "file" },
  memory: { storage: "memory", maxBytes: 512 * MIB, maxDeadLetterBytes: 64 * MIB },
} as const;

/** Starts everything; resolved means that Broker, Triggers, sources and functions are at work. */
export async function startLaptop(options: LaptopOptions): Promise<Laptop> {
  const stack = new AsyncDisposableStack();
  try {
    const { log = createLocalLog("warn"), strictNatss = false } = options;
    const dispatcher = strictNatss ? "natss" : "core";
    const base = await startBase(options, stack, log);
    const manifests = await readManifests();
    await installManifests(base.kube, manifests.cluster);
    const triggers = resolveTriggers(manifests, functions, dispatcher);
    const durables = triggers.map(({ durable }) => durable);
    await provision(base.connection, { streams: STREAMS[base.storage], durables });
    const running = await startEventing({ ...options, log, base, manifests, triggers, dispatcher, stack });
    // A cluster that is not ours has its own Knative, which tells there.
    if (options.environment.KUBECONFIG === undefined)
      await showObjects(base.kube, manifests.eventing, new URL(running.ingressUrl).origin);
    return laptopOf(base, running, { durables: durables.map(({ name }) => name), stack });
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

interface Starting extends LaptopOptions {
  readonly log: Log;
  readonly base: Base;
  readonly manifests: Manifests;
  readonly triggers: readonly ResolvedTrigger[];
  readonly dispatcher: Dispatcher;
  readonly stack: AsyncDisposableStack;
}

interface Eventing {
  readonly listeners: Set<(record: HandledRecord) => void>;
  readonly uploads: HttpServer;
  readonly http: readonly RunningHttpFunction[];
  readonly ingressUrl: string;
}

/** Starts what carries events, receivers first: nothing is sent before somebody takes it. */
async function startEventing(starting: Starting): Promise<Eventing> {
  const { base, manifests, triggers, stack, log, ports = {}, dispatcher } = starting;
  const { connection, bus, kube, blobs, cluster } = base;
  const listeners: Eventing["listeners"] = new Set();
  const onHandled = (record: HandledRecord) => {
    for (const listener of listeners) listener(record);
  };
  const ingress = await startIngress(ingressStores(manifests, bus), { host: HOST, port: ports.ingress ?? 0 });
  stack.defer(() => ingress.close());
  const paths = brokerPaths(manifests);
  const bound = boundEnvironments(manifests, ingress.url);
  const sinks = { bound, deadLetters: `${ingress.url}/${paths.deadLetters}` };
  const subscribers = openSubscribers({ ...starting, onHandled, sinks });
  stack.defer(() => subscribers.close());
  const delivering = startTriggers(triggers, subscribers.of, { connection, bus, log, dispatcher });
  stack.defer(() => delivering.stop());
  const uploads = await startUploads({ blobs, bus }, { host: HOST, port: ports.uploads ?? 0 });
  stack.defer(() => uploads.close());
  const sources = await startSources(manifests, { kube, host: cluster.url, sink: bus.publish, log });
  stack.defer(() => sources.stop());
  const processes = starting.processes !== undefined && starting.processes !== false;
  const env = typeof starting.processes === "object" ? starting.processes.env : undefined;
  const http = await startHttpFunctions(
    httpFunctions,
    { ...starting, sinks, processes, ...(env ? { env } : {}), host: HOST, port: ports.http ?? 0 },
    stack,
  );
  return { listeners, uploads, http, ingressUrl: `${ingress.url}/${paths.events}` };
}

interface Known {
  readonly durables: readonly string[];
  readonly stack: AsyncDisposableStack;
}

function laptopOf(base: Base, eventing: Eventing, { durables, stack }: Known): Laptop {
  const { cluster, natsUrl, kube, bus, connection } = base;
  const { listeners, uploads, http, ingressUrl } = eventing;
  return {
    kubeconfigPath: cluster.kubeconfigPath,
    kubeUrl: cluster.url,
    natsUrl,
    ingressUrl,
    uploadsUrl: uploads.url,
    httpUrls: Object.fromEntries(http.map(({ name, url }) => [name, url])),
    kube,
    onHandled(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    publish: bus.publish,
    published: bus.published,
    settled: (options) => waitUntilSettled(connection, durables, options),
    close: () => stack.disposeAsync(),
  };
}
