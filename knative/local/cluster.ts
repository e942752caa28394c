import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { NatsConnection } from "nats";
import { connectKube, type KubeAccess } from "../../shared/adapters/kubernetes-config.ts";
import type { Log } from "../../shared/ports.ts";
import { startKubernetesApi } from "./api/kubernetes-api.ts";

/** The cluster that the laptop works on. */
export interface Cluster {
  readonly access: KubeAccess;
  readonly kubeconfigPath: string;
  readonly url: string;
  close(): Promise<void>;
}

/** Which cluster to use, and how to keep one of our own. */
export interface ClusterOptions {
  /** Path of a kubeconfig: its cluster is used instead of one of our own. */
  readonly kubeconfig: string | undefined;
  readonly connection: NatsConnection;
  readonly storage: "memory" | "file";
  readonly folder: string;
  readonly port: number;
  /** Delay after which workloads are marked ready; `undefined`: never. */
  readonly stageMs: number | undefined;
  readonly log: Log;
}

/** Takes the cluster of the kubeconfig, or starts a Kubernetes API of our own and writes a kubeconfig for it. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  if (options.kubeconfig !== undefined) return foreignCluster(options.kubeconfig);
  const { connection, storage, folder, port, stageMs, log } = options;
  const api = await startKubernetesApi({
    nats: connection,
    storage,
    port,
    stage: stageMs === undefined ? false : { delayMs: stageMs },
    report: (message) => log.warn({ reason: message }, "the Kubernetes API reports"),
  });
  const kubeconfigPath = join(folder, "kubeconfig");
  await mkdir(folder, { recursive: true });
  await writeFile(kubeconfigPath, api.kubeconfig(), { mode: 0o600 });
  return {
    access: { from: "server", url: api.url, token: api.adminToken, ca: api.certificate },
    kubeconfigPath,
    url: api.url,
    close: () => api.close(),
  };
}

async function foreignCluster(path: string): Promise<Cluster> {
  const access: KubeAccess = { from: "kubeconfig", path };
  const connection = await connectKube(access);
  connection.close();
  return { access, kubeconfigPath: path, url: connection.server.href.replace(/\/$/, ""), close: async () => {} };
}
