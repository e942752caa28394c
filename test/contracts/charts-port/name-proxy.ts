import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach } from "vitest";

/** A proxy that takes every name for this machine, so that tests can have repositories at public names. */
export interface NameProxy extends AsyncDisposable {
  readonly url: string;
  /** What it was asked for: `GET http://charts.example/index.yaml`, `CONNECT charts.example:443`. */
  readonly asked: readonly string[];
}

const open: NameProxy[] = [];
afterEach(async () => {
  for (const proxy of open.splice(0)) await proxy[Symbol.asyncDispose]();
});

/** A proxy that leads to `port` whatever host is asked for, until the test ends. */
export async function nameProxy(port: number): Promise<NameProxy> {
  const proxy = await startNameProxy(port);
  open.push(proxy);
  return proxy;
}

/** The same until it is disposed of. */
export async function startNameProxy(port: number): Promise<NameProxy> {
  const asked: string[] = [];
  const server = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    forward(port, incoming, response);
  });
  server.on("connect", (incoming: IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${incoming.url}`);
    const upstream = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [upstream, socket]) end.on("error", () => [upstream, socket].map((each) => each.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function forward(port: number, incoming: IncomingMessage, response: ServerResponse): void {
  const { pathname, search, host } = new URL(incoming.url ?? "");
  const headers = { ...incoming.headers, host };
  const onward = request({ port, host: "127.0.0.1", path: pathname + search, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  onward.end();
}
