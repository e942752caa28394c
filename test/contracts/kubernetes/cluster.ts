import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "nats";
import { startKubernetesApi } from "../../../knative/local/api/kubernetes-api.ts";
import { startNatsProcess } from "../../../knative/local/nats-process.ts";
import { parseYaml } from "../../../shared/adapters/yaml.ts";
import { binary } from "../../support/binaries.ts";

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

/**
 * The cluster that CONTRACT_KUBECONFIG names, else a laptop API of its own. The variable is not KUBECONFIG,
 * because these checks write and delete: nobody's current cluster should be met by accident.
 */
export async function openCluster(): Promise<Cluster> {
  const file = process.env["CONTRACT_KUBECONFIG"];
  return file === undefined ? openLaptop() : fromKubeconfig(await readFile(file, "utf8"));
}

async function openLaptop(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "contract-"));
  const server = await startNatsProcess({ binary: binary("nats-server"), folder, port: 0 });
  const nats = await connect({ servers: server.url });
  const api = await startKubernetesApi({ nats, storage: "memory", stage: { delayMs: 50 } });
  return {
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

interface Kubeconfig {
  readonly "current-context": string;
  readonly contexts: readonly {
    readonly name: string;
    readonly context: { readonly cluster: string; readonly user: string };
  }[];
  readonly clusters: readonly { readonly name: string; readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly name: string; readonly user: Readonly<Record<string, string>> }[];
}

function fromKubeconfig(text: string): Cluster {
  const config = parseYaml(text) as Kubeconfig;
  const context = config.contexts.find(({ name }) => name === config["current-context"])?.context;
  const cluster = config.clusters.find(({ name }) => name === context?.cluster)?.cluster ?? {};
  const user = config.users.find(({ name }) => name === context?.user)?.user ?? {};
  const decoded = (value: string | undefined): string | undefined =>
    value === undefined ? undefined : Buffer.from(value, "base64").toString();
  const ca = decoded(cluster["certificate-authority-data"]);
  const [cert, key] = [decoded(user["client-certificate-data"]), decoded(user["client-key-data"])];
  return {
    url: cluster["server"] ?? "",
    kubeconfig: text,
    ...(ca === undefined ? {} : { ca }),
    ...(user["token"] === undefined ? {} : { token: user["token"] }),
    ...(cert === undefined || key === undefined ? {} : { clientCertificate: { cert, key } }),
    close: async () => {},
  };
}
