import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";

/** A repository server for tests: where it is and what it was asked. */
export interface HostileServer {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly IncomingMessage[];
}

type Script = (request: IncomingMessage, response: ServerResponse, count: number) => void;

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** Answers as the script says until the test ends; over TLS where key and certificate are given. */
export async function hostile(
  script: Script,
  tls?: { readonly key: string; readonly cert: string; readonly ca?: string; readonly requestCert?: boolean },
): Promise<HostileServer> {
  const requests: IncomingMessage[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    requests.push(request);
    response.on("error", () => undefined);
    script(request, response, requests.length);
  };
  const server = tls ? createHttpsServer({ ...tls, rejectUnauthorized: false }, answer) : createHttpServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `${tls ? "https" : "http"}://127.0.0.1:${port}`, port, requests };
}
