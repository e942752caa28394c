import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, openCluster } from "../contracts/kubernetes/cluster.ts";
import { binary } from "./binaries.ts";

/** What a command printed and how it ended. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A scripted session of real programs against a cluster of its own. */
export interface Session {
  readonly cluster: Cluster;
  readonly folder: string;
  /** Runs `kubectl` or `helm`; never throws because of its exit code. */
  run(program: "kubectl" | "helm", args: readonly string[], more?: RunOptions): Promise<Ran>;
  /** Writes a file into the session's folder and gives its path. */
  file(name: string, text: string): Promise<string>;
  close(): Promise<void>;
}

/** What a command may get beside its arguments. */
export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const LIMIT_MS = 45_000;

/** Opens a cluster and a folder in which the programs keep what they would keep in a home directory. */
export async function openSession(): Promise<Session> {
  const cluster = await openCluster();
  const folder = await mkdtemp(join(tmpdir(), "session-"));
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, cluster.kubeconfig, { mode: 0o600 });
  const env = { PATH: "/usr/bin:/bin", HOME: folder, KUBECONFIG: kubeconfig, HELM_CACHE_HOME: join(folder, "cache") };
  return {
    cluster,
    folder,
    run: (program, args, more = {}) => start(binary(program), args, { ...more, env: { ...env, ...more.env }, folder }),
    file: async (name, text) => {
      const path = join(folder, name);
      await writeFile(path, text);
      return path;
    },
    async close() {
      await cluster.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function start(program: string, args: readonly string[], how: RunOptions & { readonly folder: string }): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { env: how.env ?? {}, cwd: how.folder, timeout: LIMIT_MS, maxBuffer: 32 * 1024 * 1024 };
    const child = execFile(program, [...args], options, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ code, out, err });
    });
    child.stdin?.end(how.input ?? "");
  });
}
