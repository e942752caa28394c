import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A repository that has an index and nothing else. */
export interface IndexServer extends AsyncDisposable {
  readonly url: string;
  /** Offers another index from now on. */
  publish(text: string): void;
  /** How often the index was sent, and how often it had not changed. */
  counts(): { readonly sent: number; readonly notModified: number };
}

/** Serves an index with an ETag on a free port until disposed. */
export async function serveIndex(text: string): Promise<IndexServer> {
  let offered = textOf(text);
  const counts = { sent: 0, notModified: 0 };
  const server = createServer((request, response) => {
    const same = request.headers["if-none-match"] === offered.etag;
    counts[same ? "notModified" : "sent"] += 1;
    if (same) return response.writeHead(304, { etag: offered.etag }).end();
    return response.writeHead(200, { "content-type": "text/yaml", etag: offered.etag }).end(offered.bytes);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    publish(next) {
      offered = textOf(next);
    },
    counts: () => ({ ...counts }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function textOf(text: string) {
  const bytes = Buffer.from(text);
  return { bytes, etag: `"${createHash("sha256").update(bytes).digest("hex")}"` };
}
