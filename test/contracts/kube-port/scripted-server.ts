import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect } from "vitest";
import { createKube, type Kube } from "../../../shared/adapters/kubernetes.ts";
import type { KubeLimits } from "../../../shared/adapters/kubernetes-http.ts";
import { Failure } from "../../../shared/errors.ts";

/** A request as the server got it. */
export interface Seen {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

const open: { close(): void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

/** A server that answers as the script says, and a Kube that talks to it. */
export async function scripted(
  script: (request: Seen, response: ServerResponse, count: number) => void,
  limits: Partial<KubeLimits> = {},
): Promise<{ kube: Kube; seen: Seen[]; close(): void }> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? "/", "http://server");
    const { method = "", headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    script(seen.at(-1) as Seen, response, seen.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const kube = createKube(
    { from: "server", url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prefix`, token: "t0ken" },
    limits,
  );
  const close = () => {
    kube.close();
    server.closeAllConnections();
    server.close();
  };
  open.push({ close });
  return { kube, seen, close };
}

/** Answers with JSON. */
export function json(response: ServerResponse, code: number, body: unknown): void {
  response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** A failed answer as Kubernetes words it. */
export function status(code: number, message: string, details: object = {}): object {
  return { kind: "Status", apiVersion: "v1", status: "Failure", code, reason: "Because", message, details };
}

/** The Failure that a call ends with. */
export async function failure(call: Promise<unknown>): Promise<Failure> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Failure);
  return error as Failure;
}
