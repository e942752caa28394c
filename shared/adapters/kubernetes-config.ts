import { readFile } from "node:fs/promises";
import { Agent as HttpAgent } from "node:http";
import { type AgentOptions, Agent as HttpsAgent } from "node:https";
import { delimiter, join } from "node:path";
import { Failure, messageOf } from "../errors.ts";

/** Where the API server is and how we identify ourselves. */
export type KubeAccess =
  /** The ServiceAccount of the Pod we run in; host and port as KUBERNETES_SERVICE_HOST and _PORT say. */
  | { readonly from: "pod"; readonly host: string; readonly port: string; readonly directory?: string }
  /** One or more kubeconfig files (joined like PATH), in the current context unless another is named. */
  | { readonly from: "kubeconfig"; readonly path: string; readonly context?: string }
  | { readonly from: "server"; readonly url: string; readonly token?: string; readonly ca?: string };

/** How to send the next request. */
interface Authorization {
  readonly agent: HttpAgent;
  readonly headers: Readonly<Record<string, string>>;
}

/** A known API server. */
export interface KubeConnection {
  /** Base address; its path is kept in front of every request (Rancher and other proxies). */
  readonly server: URL;
  authorize(): Promise<Authorization>;
  /** Called after a 401: credentials are read anew for the next request. */
  forget(): void;
  close(): void;
}

/** Rotated tokens and certificates are noticed within this time. */
const FRESH_MS = 10_000;

const POD_DIRECTORY = "/var/run/secrets/kubernetes.io/serviceaccount";

const AGENT: AgentOptions = { keepAlive: true, maxSockets: 64, maxFreeSockets: 64, scheduling: "lifo" };

/** Finds server and credentials. Fails with `Invalid` where the configuration makes no sense, naming its place. */
export async function connectKube(access: KubeAccess): Promise<KubeConnection> {
  switch (access.from) {
    case "pod": {
      const directory = access.directory ?? POD_DIRECTORY;
      const host = access.host.includes(":") ? `[${access.host}]` : access.host;
      return connection(new URL(`https://${host}:${access.port}`), () => podCredentials(directory));
    }
    case "server": {
      const credentials = { ...bearer(access.token), tls: access.ca === undefined ? {} : { ca: access.ca } };
      return connection(serverUrl(access.url, "the Kubernetes API address"), async () => credentials);
    }
    case "kubeconfig":
      return kubeconfigConnection(access);
  }
}

interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: AgentOptions;
  /** Replaces our own agent where the way leads through a proxy. */
  readonly agent?: HttpAgent;
}

function connection(server: URL, read: () => Promise<Credentials>): KubeConnection {
  let current: { readonly until: number; readonly value: Promise<Authorization> } | undefined;
  const agents = agentCache(server);
  const authorize = async (): Promise<Authorization> => {
    const { headers, tls, agent } = await read();
    refuseCleartext(server, headers);
    return { headers, agent: agent ?? agents.for(tls) };
  };
  return {
    server,
    authorize() {
      if (current === undefined || current.until < performance.now()) {
        const value = authorize();
        current = { until: performance.now() + FRESH_MS, value };
        value.catch(() => {
          current = undefined;
        });
      }
      return current.value;
    },
    forget() {
      current = undefined;
    },
    close: () => agents.close(),
  };
}

/** One keep-alive agent, replaced when certificates change. */
function agentCache(server: URL) {
  let key = "";
  let agent: HttpAgent | undefined;
  return {
    for(tls: AgentOptions): HttpAgent {
      const wanted = JSON.stringify(tls);
      if (agent === undefined || wanted !== key) {
        agent = server.protocol === "https:" ? new HttpsAgent({ ...AGENT, ...tls }) : new HttpAgent(AGENT);
        key = wanted;
      }
      return agent;
    },
    close: () => agent?.destroy(),
  };
}

function refuseCleartext(server: URL, headers: Readonly<Record<string, string>>): void {
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(server.hostname);
  if (server.protocol === "https:" || loopback || headers["authorization"] === undefined) return;
  throw new Failure("Invalid", `${server.origin}: credentials are not sent without TLS; use an https address`);
}

async function podCredentials(directory: string): Promise<Credentials> {
  const read = async (name: string) => {
    const path = join(directory, name);
    try {
      return await readFile(path, "utf8");
    } catch (error) {
      const hint = "run in a Pod with a mounted ServiceAccount token, or name a kubeconfig";
      throw new Failure("Unavailable", `cannot read ${path} (${messageOf(error)}); ${hint}`, { cause: error });
    }
  };
  const [token, ca] = await Promise.all([read("token"), read("ca.crt")]);
  return { ...bearer(token.trim()), tls: { ca } };
}

async function kubeconfigConnection(access: Extract<KubeAccess, { from: "kubeconfig" }>): Promise<KubeConnection> {
  const { config, server } = await loadKubeconfig(access);
  const proxied = config.getCurrentCluster()?.proxyUrl !== undefined;
  return connection(serverUrl(server, access.path), async () => {
    const options: AgentOptions & { headers?: Record<string, unknown>; auth?: string; agent?: HttpAgent } = {};
    try {
      await config.applyToHTTPSOptions(options as Parameters<typeof config.applyToHTTPSOptions>[0]);
    } catch (error) {
      throw new Failure("Unavailable", `credentials of ${access.path}: ${messageOf(error)}`, { cause: error });
    }
    const { headers, auth, agent, ...tls } = options;
    const sent = lowerCased(headers);
    if (auth !== undefined) sent["authorization"] = `Basic ${Buffer.from(auth).toString("base64")}`;
    return { headers: sent, tls: serializable(tls), ...(proxied && agent ? { agent } : {}) };
  });
}

/** The client library costs 70 ms and 35 MB at start, so it is loaded only where a kubeconfig must be understood. */
async function loadKubeconfig({ path, context }: { readonly path: string; readonly context?: string }) {
  const { KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  try {
    const [first = path, ...others] = path.split(delimiter).filter((part) => part !== "");
    config.loadFromFile(first);
    for (const other of others) {
      const next = new KubeConfig();
      next.loadFromFile(other);
      config.mergeConfig(next, true);
    }
  } catch (error) {
    throw new Failure("Invalid", `kubeconfig ${path}: ${messageOf(error)}`, { cause: error });
  }
  if (context !== undefined) config.setCurrentContext(context);
  const cluster = config.getCurrentCluster();
  if (cluster === null) {
    const name = config.getCurrentContext();
    throw new Failure("Invalid", `kubeconfig ${path}: context "${name}" names no cluster; choose another context`);
  }
  // The library forgets the CA where there is no user, and refuses http even on loopback.
  const http = cluster.server.startsWith("http:");
  const user = config.getCurrentUser() ?? { name: "anonymous" };
  config.loadFromClusterAndUser(http ? { ...cluster, skipTLSVerify: true } : cluster, user);
  return { config, server: cluster.server };
}

function serverUrl(text: string, where: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw new Failure("Invalid", `${where}: "${text}" is no http or https address of an API server`);
}

function bearer(token: string | undefined): { readonly headers: Readonly<Record<string, string>> } {
  return { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } };
}

function lowerCased(headers: Readonly<Record<string, unknown>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}

/** PEM bytes as text, so that equal options compare equal. */
function serializable(tls: AgentOptions): AgentOptions {
  const text = ([name, value]: [string, unknown]) => [name, Buffer.isBuffer(value) ? value.toString("latin1") : value];
  return Object.fromEntries(
    Object.entries(tls)
      .filter(([, value]) => value !== undefined)
      .map(text),
  );
}
