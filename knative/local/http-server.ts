import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Failure, messageOf } from "../../shared/errors.ts";

/** A server of the laptop that listens. */
export interface HttpServer {
  readonly url: string;
  /** Takes no more requests and waits for those under way. */
  close(): Promise<void>;
}

/** Where to listen; port 0 takes a free one. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
}

/** Answers one request; a thrown `Failure` becomes an answer that says why. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const STATUS: Partial<Record<Failure["kind"], number>> = { Invalid: 400, TooLarge: 413, Forbidden: 403, Conflict: 409 };

/** Listens and hands requests on. */
export async function startHttpServer(handler: RequestHandler, { host, port }: ListenOptions): Promise<HttpServer> {
  const server = createServer({ requestTimeout: 60_000 }, (request, response) => {
    handler(request, response).catch((error: unknown) => {
      const status = error instanceof Failure ? (STATUS[error.kind] ?? 503) : 500;
      answerError(response, status, messageOf(error));
    });
  });
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host}:${address.port}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}

/** Answers with an error as JSON `{error}`; the connection ends, since what it still carries is not read. */
export function answerError(response: ServerResponse, status: number, error: string): void {
  if (response.headersSent) return void response.destroy();
  const headers = { "content-type": "application/json", connection: "close" };
  response.writeHead(status, headers).end(`${JSON.stringify({ error })}\n`);
}

/** The bytes of a request; fails with `TooLarge` beyond `maxBytes`. */
export async function readRequest(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    total += (chunk as Buffer).length;
    if (total > maxBytes) throw new Failure("TooLarge", `the body has more than ${maxBytes} bytes; send less`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks, total);
}
