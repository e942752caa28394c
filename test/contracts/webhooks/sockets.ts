import { Socket } from "node:net";
import { vi } from "vitest";

/** Every connection that this process begins, as host:port, until disposed. */
export interface WatchedSockets extends Disposable {
  readonly begun: readonly string[];
}

/** Watches the one call that all clients of Node end in, for plain and for TLS connections. */
export function watchSockets(): WatchedSockets {
  const begun: string[] = [];
  const { connect } = Socket.prototype;
  const spy = vi.spyOn(Socket.prototype, "connect");
  spy.mockImplementation(function (this: Socket, ...args: unknown[]) {
    begun.push(targetOf(args));
    return Reflect.apply(connect, this, args);
  });
  return { begun, [Symbol.dispose]: () => spy.mockRestore() };
}

function targetOf([first]: readonly unknown[]): string {
  const options = Array.isArray(first) ? first[0] : first;
  return typeof options === "object" && options !== null
    ? `${"host" in options ? options.host : "localhost"}:${"port" in options ? options.port : ""}`
    : String(options);
}
