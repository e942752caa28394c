import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readRealIndex } from "./real-data.ts";

/** Serves every real index at `<url>/<name>/index.yaml` until disposed. */
export async function serveRealIndexes(): Promise<{ readonly url: string; [Symbol.asyncDispose](): Promise<void> }> {
  const server = createServer((request, response) => {
    const name = /^\/([a-z0-9-]+)\/index\.yaml$/.exec(request.url ?? "")?.[1];
    if (name === undefined) return response.writeHead(404).end();
    return response.writeHead(200, { "content-type": "text/yaml" }).end(readRealIndex(name));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
