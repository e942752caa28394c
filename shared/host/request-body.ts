import type { IncomingMessage, ServerResponse } from "node:http";
import { Failure } from "../errors.ts";

/** Most bytes of one request, as brokers take them. */
export const MAX_BODY_BYTES = 1024 * 1024;

const unasked = new WeakMap<IncomingMessage, ServerResponse>();

/** Notes a sender that waits to hear that its body is wanted (`Expect: 100-continue`): it hears so from whoever reads it. */
export function expectContinue(request: IncomingMessage, response: ServerResponse): void {
  unasked.set(request, response);
}

function askForBody(request: IncomingMessage): void {
  unasked.get(request)?.writeContinue();
  unasked.delete(request);
}

/** The bytes of a request; `undefined` where there are more than allowed. Rejects when the sender breaks off. */
export function readRequest(request: IncomingMessage, maxBytes = MAX_BODY_BYTES): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return Promise.resolve(undefined);
  askForBody(request);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let total = 0;
    request.on("data", (chunk: Buffer) => {
      total += chunk.length;
      if (total > maxBytes) {
        request.pause();
        resolve(undefined);
      } else chunks.push(chunk);
    });
    request.on("end", () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, total)));
    request.on("error", reject);
    // Every request closes; an error made for each would cost more than reading it.
    request.on("close", () => {
      if (!request.complete) reject(new Error("the sender broke off"));
    });
  });
}

/** The bytes of a request as they arrive; fails with `TooLarge` beyond `maxBytes`, at once where the sender says so. */
export async function* boundedBody(request: IncomingMessage, maxBytes: number): AsyncGenerator<Uint8Array> {
  const tooLarge = () => new Failure("TooLarge", `the body has more than ${maxBytes} bytes; send less`);
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
  askForBody(request);
  let total = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes = chunk as Buffer;
    total += bytes.length;
    if (total > maxBytes) throw tooLarge();
    yield bytes;
  }
}

/** All chunks in one piece. */
export async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all = await Array.fromAsync(chunks);
  return all.length === 1 && all[0] ? all[0] : Buffer.concat(all);
}
