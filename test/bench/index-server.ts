import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A server of indexes for both sides of a comparison. */
export interface IndexServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves each text at `<url>/<its name>/index.yaml`, with an ETag that it knows again. */
export async function serveIndexes(texts: Readonly<Record<string, string>>): Promise<IndexServer> {
  const bodies = new Map(Object.entries(texts).map(([name, text]) => [`/${name}/index.yaml`, Buffer.from(text)]));
  const server = createServer((request, response) => {
    const body = bodies.get(request.url ?? "");
    if (body === undefined) return response.writeHead(404).end();
    const etag = `"${request.url}"`;
    if (request.headers["if-none-match"] === etag) return response.writeHead(304, { etag }).end();
    return response.writeHead(200, { etag, "content-type": "text/yaml", "content-length": body.length }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
