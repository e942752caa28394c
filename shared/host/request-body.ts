import type { IncomingMessage } from "node:http";

/** Most bytes of one request, as brokers take them. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** The bytes of a request; `undefined` where there are more than allowed. Rejects when the sender breaks off. */
export function readRequest(request: IncomingMessage, maxBytes = MAX_BODY_BYTES): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return Promise.resolve(undefined);
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
