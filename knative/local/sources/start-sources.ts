import type { Kube } from "../../../shared/adapters/kubernetes.ts";
import { messageOf } from "../../../shared/errors.ts";
import type { Log } from "../../../shared/ports.ts";
import type { Manifests } from "../manifests.ts";
import { startApiServerSource } from "./api-server-source.ts";
import { type Running, type Sink, startPingSource } from "./ping-source.ts";

/** What the sources need. */
export interface SourcesOptions {
  readonly kube: Kube;
  /** URL of the API server. */
  readonly host: string;
  readonly sink: Sink;
  readonly log: Log;
}

/** Starts every PingSource and ApiServerSource; throws naming the one whose sink is no Broker. */
export async function startSources(manifests: Manifests, options: SourcesOptions): Promise<Running> {
  const { pings, watches, brokers } = manifests;
  const { kube, host, sink, log } = options;
  for (const { metadata, spec } of [...pings, ...watches]) {
    const { kind, name } = spec.sink.ref ?? {};
    if (kind === "Broker" && brokers.some((broker) => broker.metadata.name === name)) continue;
    throw new Error(`source ${metadata.namespace}/${metadata.name}: its sink is no Broker of these manifests`);
  }
  const reporter = (name: string) => (error: unknown) =>
    log.warn({ source: name, reason: messageOf(error) }, "an event of a source was lost");
  const following = await Promise.all(
    watches.map((watch) => startApiServerSource(watch, { kube, host, sink, onError: reporter(watch.metadata.name) })),
  );
  const ticking = pings.map((ping) => startPingSource(ping, sink, reporter(ping.metadata.name)));
  return {
    async stop() {
      await Promise.all([...ticking, ...following].map((each) => each.stop()));
    },
  };
}
