import { once } from "node:events";
import { connect } from "node:tls";
import type { Cluster } from "../contracts/kubernetes/cluster.ts";

/** One TLS connection that sends requests and reads answers in order: as little client as possible beside the server. */
export interface RawClient {
  /** Resolves to the length of the answer's body; rejects for answers that are no success. */
  send(method: string, path: string, body?: string): Promise<number>;
  close(): void;
}

interface Waiting {
  readonly resolve: (length: number) => void;
  readonly reject: (error: Error) => void;
}

/** Opens a connection to an API server. */
export async function connectRaw({ url, ca, token }: Cluster): Promise<RawClient> {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ...(ca === undefined ? {} : { ca }) });
  await once(socket, "secureConnect");
  const waiting: Waiting[] = [];
  const answers = answersIn((code, length) => {
    const request = waiting.shift();
    if (code < 300) request?.resolve(length);
    else request?.reject(new Error(`the API answered ${code}`));
  });
  socket.on("data", answers);
  socket.on("close", () => {
    for (const { reject } of waiting.splice(0)) reject(new Error("the API closed the connection"));
  });
  return {
    send(method, path, body = "") {
      const head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n`;
      const type = body === "" ? "" : "content-type: application/json\r\n";
      socket.write(`${head}${type}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    close: () => socket.destroy(),
  };
}

const HEAD_END = Buffer.from("\r\n\r\n");

/** Puts the chunks of answers with a length together. */
function answersIn(onAnswer: (code: number, length: number) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  const takeOne = (): boolean => {
    const end = rest.indexOf(HEAD_END);
    if (end < 0) return false;
    const head = rest.toString("latin1", 0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
    if (Number.isNaN(length)) throw new Error(`an answer without a length: ${head}`);
    const whole = end + HEAD_END.length + length;
    if (rest.length < whole) return false;
    rest = rest.subarray(whole);
    onAnswer(Number(head.slice(9, 12)), length);
    return true;
  };
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (takeOne());
  };
}
