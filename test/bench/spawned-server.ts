import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { freePort } from "../../knative/local/functions/free-port.ts";

/** A server process of the bench. */
export interface SpawnedServer {
  readonly url: string;
  /** Milliseconds from the start of the process to the answer to its first request. */
  readonly firstAnswerMs: number;
  stop(): Promise<void>;
}

/** How to start a server and what to ask it first. */
export interface SpawnOptions {
  readonly file: string;
  readonly args?: (port: number) => readonly string[];
  readonly env: (port: number) => Readonly<Record<string, string>>;
  readonly first: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
}

const TIMEOUT_MS = 20_000;

/** Starts a server process and posts to it until it answers; the same loop for every side of a comparison. */
export async function spawnServer({ file, args, env, first }: SpawnOptions): Promise<SpawnedServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const started = performance.now();
  const environment = { PATH: process.env["PATH"] ?? "", ...env(port) };
  const child = spawn(process.execPath, [file, ...(args?.(port) ?? [])], {
    env: environment,
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (;;) {
    const status = await post(url, first);
    if (status !== undefined && status < 300) {
      return { url, firstAnswerMs: performance.now() - started, stop: () => stop(child) };
    }
    if (status !== undefined || child.exitCode !== null || performance.now() - started > TIMEOUT_MS) {
      await stop(child);
      throw new Error(`${file} answered its first request with ${status ?? "nothing"} (exit code ${child.exitCode})`);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function post(url: string, { headers, body }: SpawnOptions["first"]): Promise<number | undefined> {
  return new Promise((resolve) => {
    const sent = request(url, {
      method: "POST",
      agent: false,
      headers: { ...headers, "content-length": `${Buffer.byteLength(body)}` },
    });
    sent.once("error", () => resolve(undefined));
    sent.once("response", (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode));
    });
    sent.end(body);
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}
