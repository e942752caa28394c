import type { Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { NatsConnection } from "nats";
import { defaultAccount, ensureDefaults, ensureObject } from "./bootstrap.ts";
import { startAccountKeeper, startContentRemover } from "./content-remover.ts";
import type { Serving } from "./dispatch.ts";
import { startGarbageCollector } from "./garbage-collector.ts";
import { createHttpServer } from "./http-server.ts";
import { type Keys, loadKeys } from "./keys.ts";
import { kubeconfigText } from "./kubeconfig.ts";
import { openKvStorage } from "./kv-storage.ts";
import { openApiRoutes } from "./openapi-routes.ts";
import { openRegistry } from "./registry.ts";
import { startStage } from "./stage.ts";
import type { Storage } from "./storage.ts";
import type { HistoryLimits } from "./watch-cache.ts";
import type { Worker } from "./worker.ts";

/** How to start the API; only the connection is needed. */
export interface KubernetesApiOptions {
  /** Best one of its own with noEcho, so that the server is not sent what it has just written. */
  readonly nats: NatsConnection;
  /** The KV bucket that holds everything; default "kubernetes". */
  readonly bucket?: string;
  /** Where JetStream keeps the bucket; default "file". */
  readonly storage?: "memory" | "file";
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default: made at the first start and kept in the bucket. */
  readonly adminToken?: string;
  /** Marks workloads ready after a delay; default false: nobody does. */
  readonly stage?: { readonly delayMs: number } | false;
  /** How much of the past watches can resume from. */
  readonly history?: HistoryLimits;
  /** Told about background work that keeps failing, and about failures that are the server's own fault. */
  readonly report?: (message: string) => void;
}

/** A running API server. */
export interface KubernetesApi {
  readonly url: string;
  readonly adminToken: string;
  /** The certificate (PEM) that clients have to trust. */
  readonly certificate: string;
  /** A kubeconfig for the administrator. */
  kubeconfig(): string;
  /** How many object writes were acknowledged since the start. */
  writes(): number;
  close(): Promise<void>;
}

/** Starts a Kubernetes API server over a KV bucket; a restart on the same bucket finds everything again. */
export async function startKubernetesApi(options: KubernetesApiOptions): Promise<KubernetesApi> {
  const host = options.host ?? "127.0.0.1";
  const { nats, history } = options;
  const storage = await openKvStorage({
    nats,
    bucket: options.bucket ?? "kubernetes",
    storage: options.storage ?? "file",
    ...(history === undefined ? {} : { history }),
  });
  const stored = await loadKeys(storage, host);
  const keys = { ...stored, adminToken: options.adminToken ?? stored.adminToken };
  let url = "";
  const serving: Serving = {
    ...serve(storage, keys),
    address: () => url.replace("https://", ""),
    report: options.report ?? (() => {}),
  };
  await ensureDefaults(serving);
  const workers = startWorkers(serving, options);
  const server = createHttpServer(serving, keys);
  url = await listen(server, host, options.port ?? 0);
  return {
    url,
    adminToken: keys.adminToken,
    certificate: keys.certificate,
    kubeconfig: () => kubeconfigText({ url, certificate: keys.certificate, token: keys.adminToken }),
    writes: () => storage.writes(),
    async close() {
      await Promise.all(workers.map((worker) => worker.stop()));
      await closeServer(server);
      await storage.close();
    },
  };
}

function serve(storage: Storage, keys: Keys): Omit<Serving, "address" | "report"> {
  const registry = openRegistry(storage);
  const credentials = { storage, adminToken: keys.adminToken, signingKey: keys.signingKey };
  return { storage, registry, credentials, openApi: openApiRoutes(registry) };
}

function startWorkers(serving: Serving, options: KubernetesApiOptions): readonly Worker[] {
  const report = (item: string, error: unknown): void => {
    serving.report(`background work on ${item} keeps failing and is retried: ${(error as Error).message}`);
  };
  const createAccount = (namespace: string): Promise<void> => ensureObject(serving, defaultAccount(namespace));
  const workers = [
    startGarbageCollector(serving, report),
    startContentRemover(serving, report),
    startAccountKeeper(serving, createAccount, report),
  ];
  const { stage = false } = options;
  return stage === false ? workers : [...workers, startStage(serving, stage.delayMs, report)];
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const shown = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `https://${shown.includes(":") ? `[${shown}]` : shown}:${address.port}`;
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
