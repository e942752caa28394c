import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "nats";
import { inject } from "vitest";
import { startKubernetesApi } from "../../../knative/local/api/kubernetes-api.ts";
import { startNatsProcess } from "../../../knative/local/nats-process.ts";
import { binary } from "../../support/binaries.ts";
import type { Side } from "./known-differences.ts";

/** An API server to hold the contract against; the checks see nothing else of it. */
export interface Cluster {
  readonly url: string;
  /** Certificate to trust (PEM). */
  readonly ca?: string;
  readonly token?: string;
  readonly clientCertificate?: { readonly cert: string; readonly key: string };
  readonly kubeconfig: string;
  close(): Promise<void>;
}

/** A cluster with the name under which the list of known differences has it. */
export interface ContractCluster extends Cluster {
  readonly side: Side;
}

/** The real server that the run was given, else a laptop API of its own. */
export async function openCluster(): Promise<ContractCluster> {
  const real = inject("realServer");
  return real === undefined ? openLaptop() : { ...real, close: async () => {} };
}

async function openLaptop(): Promise<ContractCluster> {
  const folder = await mkdtemp(join(tmpdir(), "contract-"));
  const server = await startNatsProcess({ binary: binary("nats-server"), folder, port: 0 });
  const nats = await connect({ servers: server.url, noEcho: true });
  const api = await startKubernetesApi({ nats, storage: "memory", stage: { delayMs: 50 } });
  return {
    side: "laptop",
    url: api.url,
    ca: api.certificate,
    token: api.adminToken,
    kubeconfig: api.kubeconfig(),
    async close() {
      await api.close();
      await nats.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
