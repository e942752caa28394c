import type { NatsConnection } from "nats";
import type { Access } from "../access-port.ts";
import type { FetchHead } from "../adapters/charts-http-fetch.ts";
import type { Kube } from "../adapters/kubernetes.ts";
import type { KubeAccess } from "../adapters/kubernetes-config.ts";
import type { NatsAccess } from "../adapters/nats-connection.ts";
import { Failure } from "../errors.ts";
import type { Helm } from "../helm-port.ts";
import type { History } from "../history-port.ts";
import type { Outcomes } from "../outcomes-port.ts";
import type { Attestations, Bus, Charts, Log, OpenPgp } from "../ports.ts";
import type { Runtime } from "../run.ts";
import type { Uploads } from "../uploads-port.ts";
import type { WebhookProofs } from "../webhooks/proof.ts";
import type { HostConfig } from "./config.ts";
import { lazily } from "./lazy.ts";
import { lazyKube } from "./lazy-kube.ts";
import { createSink } from "./sink.ts";

/** A runtime whose adapters are loaded and connected at their first use. */
export interface HostRuntime {
  readonly runtime: Runtime;
  readonly bus: Bus;
  /** Connects to NATS; the same connection every time. */
  nats(): Promise<NatsConnection>;
  /** The Kubernetes client; the same every time. */
  kube(): Promise<Kube>;
  /** Closes what was opened, after what is buffered has been sent. */
  close(): Promise<void>;
}

/** Builds the runtime that the settings describe. An HTTP function with a sink never loads the NATS client. */
export function createRuntime(config: HostConfig, log: Log, name: string): HostRuntime {
  const ending: (() => unknown)[] = [];
  const nats = lazily(async () => {
    const { closeNats, connectNats } = await import("../adapters/nats-connection.ts");
    const giveUp = new AbortController();
    ending.push(() => giveUp.abort());
    const connection = await connectNats(natsAccess(config, name), { log, signal: giveUp.signal });
    ending.push(() => closeNats(connection));
    return connection;
  });
  const kube = lazily(async () => {
    const { createKube } = await import("../adapters/kubernetes.ts");
    const client = createKube(kubeAccess(config));
    ending.push(() => client.close());
    return client;
  });
  const bus = config.EMIT === "sink" ? sinkOf(config) : natsBus(nats);
  const fetchHead = lazyFetchHead(config);
  return {
    runtime: {
      kube: lazyKube(kube),
      bus,
      log,
      ...natsBlobs(nats),
      uploads: natsUploads(nats),
      history: natsHistory(nats),
      outcomes: natsOutcomes(nats),
      access: lazyAccess(kube),
      charts: lazyCharts(fetchHead),
      attestations: lazyAttestations(fetchHead),
      openpgp: lazyOpenPgp(),
      webhooks: lazyWebhooks(fetchHead),
      helm: lazyHelm(config, kube),
      clock: { now: () => new Date() },
    },
    bus,
    nats,
    kube,
    async close() {
      for (const end of ending.splice(0)) await end();
    },
  };
}

function sinkOf({ K_SINK, K_CE_OVERRIDES, DEAD_LETTER_SINK }: HostConfig): Bus {
  const overrides = K_CE_OVERRIDES === undefined ? {} : { extensions: K_CE_OVERRIDES.extensions };
  return createSink({ sink: K_SINK ?? "", deadLetterSink: DEAD_LETTER_SINK ?? "", ...overrides });
}

function natsBus(nats: () => Promise<NatsConnection>): Bus {
  const bus = lazily(async () => (await import("../adapters/nats-bus.ts")).createNatsBus(await nats()));
  return {
    publish: async (event) => (await bus()).publish(event),
    deadLetter: async (letter) => (await bus()).deadLetter(letter),
  };
}

function natsBlobs(nats: () => Promise<NatsConnection>): Pick<Runtime, "blobs" | "storage"> {
  const blobs = lazily(async () => (await import("../adapters/nats-blobs.ts")).createNatsBlobs(await nats()));
  return {
    blobs: {
      get: async (bucket, key, maxBytes) => (await blobs()).get(bucket, key, maxBytes),
      put: async (bucket, key, bytes) => (await blobs()).put(bucket, key, bytes),
      remove: async (bucket, key, revision) => (await blobs()).remove(bucket, key, revision),
    },
    storage: { list: async (bucket) => (await blobs()).list(bucket) },
  };
}

function natsUploads(nats: () => Promise<NatsConnection>): Uploads {
  const uploads = lazily(async () => (await import("../adapters/nats-uploads.ts")).createNatsUploads(await nats()));
  return { take: async (chunks, maxBytes) => (await uploads()).take(chunks, maxBytes) };
}

function natsOutcomes(nats: () => Promise<NatsConnection>): Outcomes {
  const outcomes = lazily(async () => (await import("../adapters/nats-outcomes.ts")).createNatsOutcomes(await nats()));
  return {
    after: async (publish, awaited) => (await outcomes()).after(publish, awaited),
    find: async (cause, past) => (await outcomes()).find(cause, past),
  };
}

function lazyAccess(kube: () => Promise<Kube>): Access {
  const access = lazily(async () => (await import("../adapters/kubernetes-access.ts")).createAccess(await kube()));
  return {
    authenticate: async (token) => (await access()).authenticate(token),
    permits: async (user, wish) => (await access()).permits(user, wish),
  };
}

function natsHistory(nats: () => Promise<NatsConnection>): History {
  const history = lazily(async () => (await import("../adapters/nats-history.ts")).createNatsHistory(await nats()));
  return {
    append: async (record) => (await history()).append(record),
    read: async (group, object) => (await history()).read(group, object),
  };
}

/** All that fetches from repositories shares the budgets of their hosts. */
function lazyFetchHead({ HTTP_PROXY, HTTPS_PROXY, NO_PROXY }: HostConfig): () => Promise<FetchHead> {
  const proxy = defined({ HTTP_PROXY, HTTPS_PROXY, NO_PROXY });
  return lazily(async () => (await import("../adapters/charts-http-fetch.ts")).createFetchHead({ proxy }));
}

function lazyCharts(fetchHead: () => Promise<FetchHead>): Charts {
  const charts = lazily(async () => (await import("../adapters/charts.ts")).createCharts(await fetchHead()));
  return {
    fetchIndex: async (access, known) => (await charts()).fetchIndex(access, known),
    fetchPackage: async (access, url) => (await charts()).fetchPackage(access, url),
    readArchive: async (bytes) => (await charts()).readArchive(bytes),
  };
}

function lazyAttestations(fetchHead: () => Promise<FetchHead>): Attestations {
  const fetching = lazily(async () =>
    (await import("../adapters/attestations.ts")).createAttestations(await fetchHead()),
  );
  return {
    fetchProvenance: async (access, url) => (await fetching()).fetchProvenance(access, url),
    fetchSignatures: async (access, url) => (await fetching()).fetchSignatures(access, url),
  };
}

function lazyOpenPgp(): OpenPgp {
  const openpgp = lazily(async () => (await import("../adapters/openpgp.ts")).createOpenPgp());
  return {
    verifyClearSigned: async (message, keyrings, at) => (await openpgp()).verifyClearSigned(message, keyrings, at),
  };
}

function lazyWebhooks(fetchHead: () => Promise<FetchHead>): WebhookProofs {
  const proofs = lazily(async () => {
    const { createWebhookProofs } = await import("../adapters/webhook-proofs.ts");
    return createWebhookProofs(fetchHead);
  });
  return {
    holds: async (proof, body) => (await proofs()).holds(proof, body),
    confirmSubscription: async (topicArn, token) => (await proofs()).confirmSubscription(topicArn, token),
  };
}

function lazyHelm(config: HostConfig, kube: () => Promise<Kube>): Helm {
  const helm = lazily(async () => {
    const { createHelm } = await import("../adapters/helm.ts");
    const { HELM, PATH, HOME, HTTP_PROXY, HTTPS_PROXY, NO_PROXY } = config;
    const environment = defined({ PATH, HOME, HTTP_PROXY, HTTPS_PROXY, NO_PROXY });
    return createHelm({ helm: HELM, access: kubeAccess(config), environment, kube: await kube() });
  });
  return {
    converge: async (release) => (await helm()).converge(release),
    objects: async (name) => (await helm()).objects(name),
    uninstall: async (name, adopt) => (await helm()).uninstall(name, adopt),
  };
}

function kubeAccess(config: HostConfig): KubeAccess {
  const { KUBECONFIG, KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT, SERVICE_ACCOUNT_DIRECTORY } = config;
  if (KUBECONFIG !== undefined) return { from: "kubeconfig", path: KUBECONFIG };
  if (KUBERNETES_SERVICE_HOST !== undefined) {
    const directory = SERVICE_ACCOUNT_DIRECTORY === undefined ? {} : { directory: SERVICE_ACCOUNT_DIRECTORY };
    return { from: "pod", host: KUBERNETES_SERVICE_HOST, port: KUBERNETES_SERVICE_PORT, ...directory };
  }
  throw new Failure("Unavailable", "no Kubernetes API is known: set KUBECONFIG, or run in a Pod with a ServiceAccount");
}

function natsAccess(config: HostConfig, name: string): NatsAccess {
  const { NATS_CREDS, NATS_TOKEN, NATS_USER, NATS_PASSWORD, NATS_CA, NATS_CERT, NATS_KEY } = config;
  const tls = defined({ caFile: NATS_CA, certFile: NATS_CERT, keyFile: NATS_KEY });
  const identity = defined({ credsFile: NATS_CREDS, token: NATS_TOKEN, user: NATS_USER, password: NATS_PASSWORD });
  return {
    url: config.NATS_URL,
    name: `openpitrix-${name}`,
    ...identity,
    ...(Object.keys(tls).length > 0 ? { tls } : {}),
  };
}

/** The fields that have a value. */
function defined<K extends string>(fields: Readonly<Record<K, string | undefined>>): Partial<Record<K, string>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<
    Record<K, string>
  >;
}
