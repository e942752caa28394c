import { createAttestations } from "../../../shared/adapters/attestations.ts";
import { createCharts } from "../../../shared/adapters/charts.ts";
import { createFetchHead } from "../../../shared/adapters/charts-http-fetch.ts";
import { createHelm } from "../../../shared/adapters/helm.ts";
import { createOpenPgp } from "../../../shared/adapters/openpgp.ts";
import { createWebhookProofs } from "../../../shared/adapters/webhook-proofs.ts";
import type { HandledRecord } from "../../../shared/host/handled-record.ts";
import type { Log } from "../../../shared/ports.ts";
import type { FunctionIdentity, Runtime } from "../../../shared/run.ts";
import type { Base } from "../base.ts";
import { type LocalEnvironment, proxiesOf } from "../config.ts";
import { requireTool } from "../tools/find-tool.ts";
import { inProcess } from "./in-process.ts";
import type { Subscriber } from "./subscriber.ts";

/** What functions in this process work with. */
export interface InProcessOptions {
  readonly base: Base;
  readonly environment: LocalEnvironment;
  readonly log: Log;
  readonly onHandled: (record: HandledRecord) => void;
}

/** Gives every function the same ports in this process. */
export function inProcessSubscribers(options: InProcessOptions): (identity: FunctionIdentity) => Subscriber {
  const runtime = createRuntime(options);
  return (identity) => inProcess(identity, runtime, options.onHandled);
}

/** The ports of all functions in this process. */
export function createRuntime({ base, environment, log }: Omit<InProcessOptions, "onHandled">): Runtime {
  const { kube, bus, blobs, uploads, history, outcomes, access, cluster } = base;
  const fetchHead = createFetchHead({ proxy: proxiesOf(environment) });
  const helm = createHelm({
    helm: requireTool("helm", environment),
    access: cluster.access,
    kube,
    environment: { PATH: environment.PATH },
  });
  const trust = { attestations: createAttestations(fetchHead), openpgp: createOpenPgp() };
  return {
    kube,
    bus,
    blobs,
    storage: blobs,
    uploads,
    history,
    outcomes,
    access,
    charts: createCharts(fetchHead),
    ...trust,
    webhooks: createWebhookProofs(async () => fetchHead),
    helm,
    clock: { now: () => new Date() },
    log,
  };
}
