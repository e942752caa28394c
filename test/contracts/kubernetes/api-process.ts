import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Cluster } from "./cluster.ts";

/** What a laptop API in a process of its own is told. */
export interface ApiChildOptions {
  readonly natsUrl: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly storage: "memory" | "file";
}

/** What it tells when it listens. */
export interface ApiChildReady {
  readonly url: string;
  readonly token: string;
  readonly ca: string;
}

/** A laptop API in a process of its own. */
export interface ApiProcess {
  readonly cluster: Cluster;
  /** Resident memory of the process in bytes, after a garbage collection where the process may run one. */
  memory(): Promise<number>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
}

const CHILD = fileURLToPath(new URL("./api-child.ts", import.meta.url));

/** Starts a laptop API in a process of its own and waits until it listens. */
export async function startApiProcess(options: ApiChildOptions): Promise<ApiProcess> {
  const child = fork(CHILD, [JSON.stringify(options)], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const ready = (await answerOf(child)) as ApiChildReady;
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };
  return {
    cluster: { ...ready, kubeconfig: "", close: kill },
    async memory() {
      const answer = answerOf(child);
      child.send("memory");
      return ((await answer) as { rss: number }).rss;
    },
    kill,
  };
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the API process ended with code ${code} instead of answering`);
  });
  const [message] = await Promise.race([once(child, "message"), ended]);
  return message;
}
