import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { afterEach } from "vitest";

/** A repository server for tests: where it is and what it was asked. */
export interface HostileServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly IncomingMessage[];
}

interface ServerTls {
  readonly key: string;
  readonly cert: string;
  readonly ca?: string;
  readonly requestCert?: boolean;
}

type Script = (request: IncomingMessage, response: ServerResponse, count: number) => void;

const open: (() => PromiseLike<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Answers as the script says until the test ends; over TLS where key and certificate are given. */
export async function hostile(script: Script, tls?: ServerTls): Promise<HostileServer> {
  const server = await startHostile(script, tls);
  open.push(() => server[Symbol.asyncDispose]());
  return server;
}

/** The same until it is disposed of. */
export async function startHostile(script: Script, tls?: ServerTls): Promise<HostileServer> {
  const requests: IncomingMessage[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    requests.push(request);
    response.on("error", () => undefined);
    script(request, response, requests.length);
  };
  const server = tls ? createHttpsServer({ ...tls, rejectUnauthorized: false }, answer) : createHttpServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `${tls ? "https" : "http"}://127.0.0.1:${port}`;
  return { url, port, requests, [Symbol.asyncDispose]: async () => closeNow(server) };
}

/** Answers with a few bytes now and then, without end. */
export function drip(everyMs: number): Script {
  return (_, response) => {
    const timer = setInterval(() => response.write("#"), everyMs);
    response.on("close", () => clearInterval(timer));
  };
}

/** A server that announces one length and sends another, until the test ends. */
export async function lying(announced: number, body: string): Promise<{ readonly url: string }> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${announced}\r\n\r\n${body}`));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(async () => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function closeNow(server: Server): void {
  server.closeAllConnections();
  server.close();
}
