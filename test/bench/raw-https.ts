import { once } from "node:events";
import { connect } from "node:tls";
import type { Cluster } from "../contracts/kubernetes/cluster.ts";

/** One TLS connection that sends requests and reads answers in order: as little client as possible beside the server. */
export interface RawClient {
  /** Resolves to the length of the answer's body; rejects for answers that are no success. */
  send(method: string, path: string, body?: string): Promise<number>;
  /** Sends a GET whose answer goes on for ever and calls back for each of its lines; nothing else can be sent afterwards. */
  stream(path: string, onLine: () => void): Promise<void>;
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
    async stream(path, onLine) {
      socket.off("data", answers);
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n\r\n`);
      const [head] = (await once(socket, "data")) as [Buffer];
      if (!head.toString("latin1").startsWith("HTTP/1.1 200 ")) throw new Error(`the API answered ${head}`);
      socket.on("data", (chunk: Buffer) => {
        for (let at = chunk.indexOf("}\n"); at >= 0; at = chunk.indexOf("}\n", at + 1)) onLine();
      });
    },
    close: () => socket.destroy(),
  };
}

const HEAD_END = Buffer.from("\r\n\r\n");
const LAST_CHUNK = Buffer.from("\r\n0\r\n\r\n");

/** Tells where answers end: after their length, or, of those that come in chunks, after the empty one. */
function answersIn(onAnswer: (code: number, length: number) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let streamed: { readonly code: number; length: number } | undefined;
  const takeOne = (): boolean => {
    const end = rest.indexOf(HEAD_END);
    if (end < 0) return false;
    const head = rest.toString("latin1", 0, end);
    const code = Number(head.slice(9, 12));
    const [, length] = /content-length: (\d+)/i.exec(head) ?? [];
    if (length === undefined) {
      streamed = { code, length: 0 };
      return false;
    }
    const whole = end + HEAD_END.length + Number(length);
    if (rest.length < whole) return false;
    rest = rest.subarray(whole);
    onAnswer(code, Number(length));
    return true;
  };
  const takeChunk = (answer: { readonly code: number; length: number }, received: number): void => {
    answer.length += received;
    if (!rest.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)) {
      // Putting a long answer together would cost the client more than making it costs the server.
      rest = rest.subarray(-LAST_CHUNK.length);
      return;
    }
    rest = Buffer.alloc(0);
    streamed = undefined;
    onAnswer(answer.code, answer.length);
  };
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (streamed === undefined && takeOne());
    if (streamed !== undefined) takeChunk(streamed, chunk.length);
  };
}
