import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NatsConnection } from "nats";
import { startNatsProcess } from "../../knative/local/nats-process.ts";
import { closeNats, connectNats, type NatsAccess } from "../../shared/adapters/nats-connection.ts";
import type { Log } from "../../shared/ports.ts";
import { binary } from "./binaries.ts";

/** A nats-server of a test's own, with its own folder. */
export interface TestNats extends AsyncDisposable {
  readonly url: string;
  /** Connects; the connection is closed with the server. */
  connect(options?: Pick<NatsAccess, "noEcho">): Promise<NatsConnection>;
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
    async connect(options = {}) {
      const connection = await connectNats({ url, name: "test", ...options }, { log: silent });
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
