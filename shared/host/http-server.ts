import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { messageOf } from "../errors.ts";
import type { Log } from "../ports.ts";
import { expectContinue } from "./request-body.ts";

/** A function that listens. */
export interface HttpHost {
  readonly url: string;
  /** Turns the readiness probe negative, takes no more connections and waits for requests under way. */
  close(): Promise<void>;
}

/** Where to listen; port 0 takes a free one. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
}

/** Answers every request that is no probe. */
export type Receiver = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Listens, answers Knative's probes below `/health/`, and hands everything else to `receive`; what that throws is 503. */
export async function startServer(receive: Receiver, log: Log, { host, port }: ListenOptions): Promise<HttpHost> {
  let closing = false;
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    if (closing) response.setHeader("connection", "close");
    if (isProbe(request)) return answerProbe(request, response, !closing);
    receive(request, response).catch((error: unknown) => {
      log.error({ reason: messageOf(error) }, "a request could not be answered");
      if (!response.headersSent) end(response, 503, { "retry-after": "1" });
    });
  };
  const server = createServer({ requestTimeout: 60_000 }, listener);
  server.on("checkContinue", (request, response) => {
    expectContinue(request, response);
    listener(request, response);
  });
  await listening(server, { host, port });
  const address = server.address() as AddressInfo;
  const shown = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return {
    url: `http://${shown}:${address.port}`,
    close() {
      closing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      return closed;
    },
  };
}

/** Answers without a body. */
export function end(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { "content-length": "0", ...headers }).end();
}

/** The path of a request without its query, as sent. */
export function pathOf({ url = "/" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "/";
}

function isProbe(request: IncomingMessage): boolean {
  const path = pathOf(request);
  return path === "/health/liveness" || path === "/health/readiness";
}

function answerProbe(request: IncomingMessage, response: ServerResponse, ready: boolean): void {
  if (request.method !== "GET" && request.method !== "HEAD") end(response, 405, { allow: "GET" });
  else end(response, ready || pathOf(request) === "/health/liveness" ? 200 : 503);
}

function listening(server: Server, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
