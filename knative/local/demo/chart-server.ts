import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";

/** A Helm repository that is served over HTTP. */
export interface ChartServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the files that lie directly in `folder` on a free port of 127.0.0.1. */
export async function serveCharts(folder: string): Promise<ChartServer> {
  const server = createServer((request, response) => {
    const name = basename(new URL(request.url ?? "/", "http://localhost").pathname);
    readFile(join(folder, name)).then(
      (bytes) => response.writeHead(200, { "content-length": bytes.length }).end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
