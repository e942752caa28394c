import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NatsConnection } from "nats";
import { startNatsProcess } from "../../knative/local/nats-process.ts";
import { closeNats, connectNats } from "../../shared/adapters/nats-connection.ts";
import type { Log } from "../../shared/ports.ts";
import { binary } from "./binaries.ts";

/** A nats-server of a test's own, with its own folder. */
export interface TestNats extends AsyncDisposable {
  readonly url: string;
  /** Connects; the connection is closed with the server. */
  connect(): Promise<NatsConnection>;
  /** Ends the server as a crash would: nothing is flushed, nobody is told. */
  kill(): Promise<void>;
  /** Starts it again on the same port and files. */
  restart(): Promise<void>;
}

/** A log that says nothing. */
export const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Starts a nats-server with JetStream on a free port; `await using` stops it and removes its files. */
export async function startNats(): Promise<TestNats> {
  const folder = await mkdtemp(join(tmpdir(), "openpitrix-nats-"));
  const program = binary("nats-server");
  let server = await startNatsProcess({ binary: program, folder, port: 0 });
  const { url } = server;
  const connections: NatsConnection[] = [];
  return {
    url,
    async connect() {
      const connection = await connectNats({ url, name: "test" }, { log: silent });
      connections.push(connection);
      return connection;
    },
    async kill() {
      process.kill(server.pid, "SIGKILL");
      await server.stop();
    },
    async restart() {
      server = await startNatsProcess({ binary: program, folder, port: Number(new URL(url).port) });
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(connections.map(closeNats));
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until a condition holds; fails after 20 s, saying what was waited for. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited 20 s in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
