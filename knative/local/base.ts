import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NatsConnection } from "nats";
import type { Access } from "../../shared/access-port.ts";
import { createKube, type Kube } from "../../shared/adapters/kubernetes.ts";
import { createAccess } from "../../shared/adapters/kubernetes-access.ts";
import { createNatsBlobs } from "../../shared/adapters/nats-blobs.ts";
import { createNatsBus } from "../../shared/adapters/nats-bus.ts";
import { connectNats } from "../../shared/adapters/nats-connection.ts";
import { createNatsHistory } from "../../shared/adapters/nats-history.ts";
import { createNatsOutcomes } from "../../shared/adapters/nats-outcomes.ts";
import { createNatsUploads } from "../../shared/adapters/nats-uploads.ts";
import type { History } from "../../shared/history-port.ts";
import type { Outcomes } from "../../shared/outcomes-port.ts";
import type { Blobs, Log } from "../../shared/ports.ts";
import type { Storage } from "../../shared/storage-port.ts";
import type { Uploads } from "../../shared/uploads-port.ts";
import { type Cluster, openCluster } from "./cluster.ts";
import { type RecordingBus, recordPublished } from "./eventing/published-events.ts";
import type { LaptopOptions } from "./laptop.ts";
import { startNatsProcess } from "./nats-process.ts";
import { requireTool } from "./tools/find-tool.ts";

/** What everything on the laptop stands on. */
export interface Base {
  readonly folder: string;
  readonly storage: "memory" | "file";
  readonly natsUrl: string;
  readonly connection: NatsConnection;
  readonly cluster: Cluster;
  readonly kube: Kube;
  readonly bus: RecordingBus;
  readonly blobs: Blobs & Storage;
  readonly uploads: Uploads;
  readonly history: History;
  readonly outcomes: Outcomes;
  readonly access: Access;
}

/** Time after which the stage marks workloads ready: long enough that somebody can see them not ready. */
const STAGE_MS = 500;

/** Starts nats-server and the cluster and connects to both; `stack` takes them down again in the opposite order. */
export async function startBase(options: LaptopOptions, stack: AsyncDisposableStack, log: Log): Promise<Base> {
  const { environment, ports = {}, memory = false, stage = true } = options;
  const storage = memory ? "memory" : "file";
  const folder = options.state ?? (await temporaryFolder(stack));
  const binary = requireTool("nats-server", environment);
  const nats = await startNatsProcess({ binary, folder: join(folder, "nats"), port: ports.nats ?? 0 });
  stack.defer(() => nats.stop());
  const connection = await connectNats({ url: nats.url, name: "laptop" }, { log });
  stack.defer(() => connection.close());
  const own = await connectNats({ url: nats.url, name: "kubernetes-api", noEcho: true }, { log });
  stack.defer(() => own.close());
  const cluster = await openCluster({
    kubeconfig: environment.KUBECONFIG,
    connection: own,
    storage,
    folder,
    port: ports.kubernetes ?? 0,
    stageMs: stage ? STAGE_MS : undefined,
    log,
  });
  stack.defer(() => cluster.close());
  const kube = createKube(cluster.access);
  stack.defer(() => kube.close());
  const bus = recordPublished(createNatsBus(connection));
  const blobs = createNatsBlobs(connection, { storage });
  const uploads = createNatsUploads(connection, { storage });
  const history = createNatsHistory(connection, { storage });
  const outcomes = createNatsOutcomes(connection);
  const access = createAccess(kube);
  const stores = { blobs, uploads, history, outcomes };
  return { folder, storage, natsUrl: nats.url, connection, cluster, kube, bus, ...stores, access };
}

async function temporaryFolder(stack: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "openpitrix-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
