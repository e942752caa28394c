import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCertificate } from "../../knative/local/api/certificate.ts";
import { kubeconfigText } from "../../knative/local/api/kubeconfig.ts";
import { freePort } from "../../knative/local/functions/free-port.ts";
import { until } from "./until.ts";

/** A real Kubernetes API server of a test's own, on 127.0.0.1. */
export interface ApiServer {
  readonly kubeconfig: string;
  /** True when the folder also had a kube-controller-manager: then owners, namespaces and accounts are looked after. */
  readonly controllers: boolean;
  stop(): Promise<void>;
}

const START_MS = 120_000;
const TOKEN = "contract-admin";

/** Starts etcd, kube-apiserver and, where it is there, kube-controller-manager from one folder (as envtest lays them out). */
export async function startApiServer(assets: string): Promise<ApiServer> {
  const folder = await mkdtemp(join(tmpdir(), "api-server-"));
  const running: Program[] = [];
  const stop = async (): Promise<void> => {
    for (const program of running.reverse()) await program.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const start = async (name: string, flags: Flags): Promise<Program> => {
    const program = await startProgram({ path: join(assets, name), log: join(folder, `${name}.log`), flags });
    running.push(program);
    return program;
  };
  try {
    const controllers = existsSync(join(assets, "kube-controller-manager"));
    const etcd = await etcdFlags(folder);
    await start("etcd", etcd);
    const { certificate, flags } = await apiServerFlags(folder, {
      etcd: etcd["listen-client-urls"] ?? "",
      controllers,
    });
    const url = `https://127.0.0.1:${flags["secure-port"]}`;
    const server = await start("kube-apiserver", flags);
    const ready = async (): Promise<boolean> => {
      if (server.ended()) throw new Error(`kube-apiserver ended instead of serving: ${await server.lastWords()}`);
      return isReady(url, certificate);
    };
    await until("kube-apiserver is ready", ready, { timeoutMs: START_MS, found: () => server.lastWords() });
    const kubeconfig = kubeconfigText({ url, certificate, token: TOKEN });
    if (controllers) await start("kube-controller-manager", await controllerFlags(folder, kubeconfig));
    return { kubeconfig, controllers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Flags = Readonly<Record<string, string>>;

async function etcdFlags(folder: string): Promise<Flags> {
  const [client, peer] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  return {
    "data-dir": join(folder, "etcd"),
    "listen-client-urls": client,
    "advertise-client-urls": client,
    "listen-peer-urls": peer,
    "initial-advertise-peer-urls": peer,
    "initial-cluster": `default=${peer}`,
    "unsafe-no-fsync": "true",
  };
}

async function apiServerFlags(
  folder: string,
  { etcd, controllers }: { readonly etcd: string; readonly controllers: boolean },
): Promise<{ certificate: string; flags: Flags }> {
  const { key, certificate } = await makeCertificate("127.0.0.1");
  const accounts = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const accountsKey = await file("accounts.key", accounts.privateKey);
  const flags = {
    "etcd-servers": etcd,
    "bind-address": "127.0.0.1",
    "advertise-address": "127.0.0.1",
    "secure-port": String(await freePort()),
    "tls-cert-file": await file("server.crt", certificate),
    "tls-private-key-file": await file("server.key", key),
    "token-auth-file": await file("tokens.csv", `${TOKEN},admin,admin,system:masters\n`),
    "service-account-issuer": "https://kubernetes.default.svc.cluster.local",
    "service-account-key-file": accountsKey,
    "service-account-signing-key-file": accountsKey,
    "service-cluster-ip-range": "10.96.0.0/16",
    "authorization-mode": "RBAC",
    "allow-privileged": "true",
    // Without controllers no namespace ever gets the account that pods are given.
    ...(controllers ? {} : { "disable-admission-plugins": "ServiceAccount" }),
  };
  return { certificate, flags };
}

async function controllerFlags(folder: string, kubeconfig: string): Promise<Flags> {
  const path = join(folder, "controllers.kubeconfig");
  await writeFile(path, kubeconfig, { mode: 0o600 });
  return {
    kubeconfig: path,
    "leader-elect": "false",
    "secure-port": "0",
    "use-service-account-credentials": "false",
    "root-ca-file": join(folder, "server.crt"),
    "service-account-private-key-file": join(folder, "accounts.key"),
  };
}

interface Program {
  ended(): boolean;
  /** The end of its log. */
  lastWords(): Promise<string>;
  stop(): Promise<void>;
}

async function startProgram(what: {
  readonly path: string;
  readonly log: string;
  readonly flags: Flags;
}): Promise<Program> {
  const log = await open(what.log, "w");
  const args = Object.entries(what.flags).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(what.path, args, { stdio: ["ignore", log.fd, log.fd] });
  try {
    await once(child, "spawn");
  } catch (cause) {
    const next = "set KUBEBUILDER_ASSETS to a folder with etcd and kube-apiserver";
    throw new Error(`${what.path} cannot be started: ${next}`, { cause });
  } finally {
    await log.close();
  }
  const killNow = (): void => void child.kill("SIGKILL");
  process.once("exit", killNow);
  return {
    ended: () => child.exitCode !== null || child.signalCode !== null,
    lastWords: async () => (await readFile(what.log, "utf8")).slice(-2000),
    async stop() {
      process.off("exit", killNow);
      await end(child);
    },
  };
}

// Nothing of it is kept, so nothing has to be ended gently.
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

function isReady(url: string, ca: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(new URL("/readyz", url), { ca, headers: { authorization: `Bearer ${TOKEN}` } }, (reply) => {
      reply.resume();
      resolve(reply.statusCode === 200);
    });
    asked.on("error", () => resolve(false));
    asked.end();
  });
}
