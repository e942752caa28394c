import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "nats";
import { startKubernetesApi } from "../../../knative/local/api/kubernetes-api.ts";
import { localEnvironment } from "../../../knative/local/config.ts";
import { startNatsProcess } from "../../../knative/local/nats-process.ts";
import { binary } from "../../support/binaries.ts";

/** A cluster for contract tests; they must not know which kind it is. */
export interface TestCluster {
  /** Path of a kubeconfig whose account may do everything. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** The cluster that KUBECONFIG names, else the local Kubernetes API on a nats-server of its own. */
export async function startCluster(): Promise<TestCluster> {
  const { KUBECONFIG } = localEnvironment();
  if (KUBECONFIG !== undefined) return { kubeconfig: KUBECONFIG, stop: async () => undefined };
  const folder = await mkdtemp(join(tmpdir(), "test-cluster-"));
  const server = await startNatsProcess({ binary: binary("nats-server"), folder: join(folder, "nats"), port: 0 });
  const nats = await connect({ servers: server.url });
  const api = await startKubernetesApi({ nats, storage: "memory" });
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, api.kubeconfig(), { mode: 0o600 });
  return {
    kubeconfig,
    async stop() {
      await api.close();
      await nats.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
