import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Where a nats-server of our own keeps its things and listens. */
export interface NatsProcessOptions {
  /** Path of the nats-server program. */
  readonly binary: string;
  /** Folder for configuration, log and JetStream's files. */
  readonly folder: string;
  /** 0 takes a free one. */
  readonly port: number;
}

/** A running nats-server. */
export interface NatsProcess {
  readonly url: string;
  readonly pid: number;
  /** Stops it gently, then by force. */
  stop(): Promise<void>;
}

const START_MS = 20_000;
const STOP_MS = 10_000;

/** Starts a nats-server with JetStream on 127.0.0.1 and waits until it takes connections. */
export async function startNatsProcess(options: NatsProcessOptions): Promise<NatsProcess> {
  const { binary, folder } = options;
  const config = join(folder, "nats-server.conf");
  await mkdir(folder, { recursive: true });
  await endPredecessor(folder, config);
  await writeFile(config, configuration(options));
  // Its own process group: Ctrl-C must reach it last, after everything that still has to write.
  const child = spawn(binary, ["-c", config], { stdio: "ignore", detached: true });
  const failed = new Promise<never>((_, reject) => {
    child.once("error", (cause) => reject(new Error(`nats-server could not be started from ${binary}`, { cause })));
    child.once("exit", async () => reject(new Error(`nats-server does not start: ${await complaint(folder)}`)));
  });
  failed.catch(() => {});
  const killNow = () => child.kill("SIGKILL");
  process.once("exit", killNow);
  const stop = async () => {
    process.off("exit", killNow);
    await end(child);
  };
  try {
    const url = await Promise.race([failed, listening(folder, child)]);
    return { url, pid: child.pid ?? 0, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function configuration({ folder, port }: NatsProcessOptions): string {
  const path = (name: string) => JSON.stringify(join(folder, name));
  return [
    `listen: "127.0.0.1:${port === 0 ? -1 : port}"`,
    `server_name: openpitrix-laptop`,
    // Kubernetes objects may have 1.5 MiB and more.
    "max_payload: 8MB",
    `jetstream { store_dir: ${path("jetstream")}, max_memory_store: 2GB, max_file_store: 64GB }`,
    `ports_file_dir: ${JSON.stringify(folder)}`,
    `pid_file: ${path("nats.pid")}`,
    `log_file: ${path("nats.log")}`,
    "logfile_size_limit: 10MB",
    "",
  ].join("\n");
}

/** What the log says last. */
async function complaint(folder: string): Promise<string> {
  const path = join(folder, "nats.log");
  const lines = (await readFile(path, "utf8").catch(() => "")).trimEnd().split("\n");
  const fatal = lines.findLast((line) => /\[(FTL|ERR)\]/.test(line)) ?? lines.at(-1) ?? "";
  return `${fatal.replace(/^.*\[(FTL|ERR)\] /, "")} (${path})`;
}

async function listening(folder: string, child: ChildProcess): Promise<string> {
  const file = join(folder, `nats-server_${child.pid}.ports`);
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    const url = await readUrl(file);
    if (url !== undefined) return url;
    await delay(10);
  }
  throw new Error(`nats-server did not listen within ${START_MS / 1000} s; see ${join(folder, "nats.log")}`);
}

async function readUrl(file: string): Promise<string | undefined> {
  try {
    const { nats } = JSON.parse(await readFile(file, "utf8")) as { readonly nats?: readonly string[] };
    return nats?.[0];
  } catch {
    return undefined;
  }
}

/** A laptop that was killed leaves its server behind: two of them on one folder would spoil the files. */
async function endPredecessor(folder: string, config: string): Promise<void> {
  const file = join(folder, "nats.pid");
  const pid = Number(await readFile(file, "utf8").catch(() => ""));
  const command = pid > 0 ? await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "") : "";
  if (command.split("\0").includes(config)) {
    process.kill(pid, "SIGTERM");
    const deadline = Date.now() + STOP_MS;
    while (isAlive(pid)) {
      if (Date.now() > deadline) throw new Error(`nats-server ${pid} of an earlier run does not end: kill ${pid}`);
      await delay(20);
    }
  }
  await rm(file, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const killer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await exited;
  clearTimeout(killer);
}
