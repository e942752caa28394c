import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CommandResult, runCommand } from "./helm-command.ts";
import { complaintOf } from "./helm-output.ts";
import type { KubeAccess } from "./kubernetes-config.ts";

/** The Helm program and the cluster it works on. */
export interface HelmAt {
  /** Path of the helm program, version 3 or 4. */
  readonly helm: string;
  readonly access: KubeAccess;
  /** Passed to Helm and to the credential plugins of a kubeconfig: PATH, HOME, proxies. Nothing else is. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Where the private folders are made; default: the system's temporary folder. */
  readonly temporary?: string;
}

/** One or more Helm commands that share a private folder. */
export interface HelmSession {
  /** Path of the private folder. */
  readonly folder: string;
  /** Writes a file into the folder and tells its path. */
  write(name: string, content: string | Uint8Array): Promise<string>;
  run(args: readonly string[], timeoutMs: number): Promise<HelmRun>;
}

/** A finished command and, where it failed, what Helm complains about. */
export interface HelmRun extends CommandResult {
  readonly complaint: string | undefined;
}

/** Runs `work` with a folder that only we can read and that is gone afterwards, whatever happens. */
export async function withHelm<T>(at: HelmAt, work: (session: HelmSession) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(at.temporary ?? tmpdir(), "openpitrix-helm-"));
  try {
    const write = async (name: string, content: string | Uint8Array) => {
      const path = join(folder, name);
      await writeFile(path, content, { mode: 0o600 });
      return path;
    };
    const environment = await environmentOf(at, folder, write);
    const run = async (args: readonly string[], timeoutMs: number): Promise<HelmRun> => {
      const result = await runCommand(at.helm, args, { folder, environment, timeoutMs });
      return { ...result, complaint: result.code === 0 ? undefined : complaintOf(result, folder) };
    };
    return await work({ folder, write, run });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Major version of the Helm program: its options differ. */
export async function helmMajor(at: HelmAt): Promise<number> {
  const { stdout } = await withHelm(at, (session) => session.run(["version", "--short"], 10_000));
  return Number(/^v(\d+)\./.exec(stdout)?.[1] ?? "3");
}

type Write = HelmSession["write"];

async function environmentOf(at: HelmAt, folder: string, write: Write): Promise<Record<string, string>> {
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: folder,
    ...at.environment,
    ...(await clusterEnvironment(at.access, write)),
    // Caches, plugins and registry logins of the account we run under are none of a release's business.
    HELM_CACHE_HOME: join(folder, "cache"),
    HELM_CONFIG_HOME: join(folder, "config"),
    HELM_DATA_HOME: join(folder, "data"),
    HELM_PLUGINS: join(folder, "plugins"),
    KUBECACHEDIR: join(folder, "kube-cache"),
  };
}

async function clusterEnvironment(access: KubeAccess, write: Write): Promise<Record<string, string>> {
  switch (access.from) {
    case "pod":
      return { KUBERNETES_SERVICE_HOST: access.host, KUBERNETES_SERVICE_PORT: access.port };
    case "kubeconfig":
      return {
        KUBECONFIG: access.path,
        ...(access.context === undefined ? {} : { HELM_KUBECONTEXT: access.context }),
      };
    case "server":
      return { KUBECONFIG: await write("kubeconfig", kubeconfigOf(access)) };
  }
}

function kubeconfigOf({ url, token, ca }: Extract<KubeAccess, { from: "server" }>): string {
  const authority = ca === undefined ? {} : { "certificate-authority-data": Buffer.from(ca).toString("base64") };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "cluster",
    contexts: [{ name: "cluster", context: { cluster: "cluster", user: "user" } }],
    clusters: [{ name: "cluster", cluster: { server: url, ...authority } }],
    users: [{ name: "user", user: token === undefined ? {} : { token } }],
  });
}
