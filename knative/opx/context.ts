import type { Readable } from "node:stream";
import type { NatsConnection } from "nats";
import { createKube, type Kube } from "../../shared/adapters/kubernetes.ts";
import { Failure } from "../../shared/errors.ts";
import type { OpxEnvironment } from "./config.ts";
import type { Progress } from "./progress.ts";
import { type StoreValues, storeAddress } from "./store/address.ts";
import { openStore, type StoreApi } from "./store/api.ts";

/** What commands work with. */
export interface OpxContext {
  readonly kube: Kube;
  readonly environment: OpxEnvironment;
  readonly stdin: Readable;
  readonly progress: Progress;
  /** Connects to NATS; `undefined` where neither `--nats` nor NATS_URL says where it is. */
  nats(url: string | undefined): Promise<NatsConnection | undefined>;
  /** The store's REST API, at the address and with the token that the options or the environment give. */
  store(values: StoreValues): Promise<StoreApi>;
  now(): Date;
  close(): Promise<void>;
}

/** Where a command finds its cluster. */
export interface ContextOptions {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly environment: OpxEnvironment;
  readonly stdin: Readable;
  readonly progress: Progress;
}

/** Opens what a command may need; nothing is connected before it is used. */
export function openContext(options: ContextOptions): OpxContext {
  const { environment, stdin, progress, kubeconfig, context } = options;
  const named = context === undefined ? {} : { context };
  const path = kubeconfig ?? environment.KUBECONFIG;
  const kube = createKube({ from: "kubeconfig", path, ...named });
  const opened: NatsConnection[] = [];
  return {
    kube,
    environment,
    stdin,
    progress,
    async nats(url = environment.NATS_URL) {
      if (url === undefined) return undefined;
      const connection = await connect(url, environment);
      opened.push(connection);
      return connection;
    },
    store: async (values) => openStore(await storeAddress(values, { environment, kubeconfig: path, ...named })),
    now: () => new Date(),
    async close() {
      kube.close();
      for (const connection of opened) await connection.close();
    },
  };
}

/** The library takes a third of a second to load, so only commands that read events wait for it. */
async function connect(url: string, environment: OpxEnvironment): Promise<NatsConnection> {
  const { connect: open, credsAuthenticator } = await import("nats");
  const { NATS_CREDS, NATS_USER: user, NATS_PASSWORD: pass, NATS_TOKEN: token } = environment;
  const creds = NATS_CREDS === undefined ? undefined : await (await import("node:fs/promises")).readFile(NATS_CREDS);
  const identity = Object.entries({ user, pass, token }).filter(([, value]) => value !== undefined);
  const authenticator = creds ? { authenticator: credsAuthenticator(creds) } : {};
  try {
    const servers = url.split(",");
    return await open({
      servers,
      name: "opx",
      maxReconnectAttempts: 2,
      ...Object.fromEntries(identity),
      ...authenticator,
    });
  } catch (error) {
    throw new Failure("Unavailable", `NATS at ${withoutUser(url)} does not answer; check --nats or NATS_URL`, {
      cause: error,
    });
  }
}

function withoutUser(url: string): string {
  return url.replace(/\/\/[^/,]*@/g, "//");
}
