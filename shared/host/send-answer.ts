import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { HttpAnswer } from "../http-function.ts";

/** Sends an answer: bytes at once, a stream as fast as the client takes it. A client that leaves is no error. */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: HttpAnswer,
): Promise<void> {
  // What is left of the body is not read, so the connection is of no more use.
  const close = request.complete ? {} : { connection: "close" };
  if (body === undefined || typeof body === "string" || body instanceof Uint8Array) {
    const bytes = Buffer.from(body ?? "");
    response.writeHead(status, { "content-length": String(bytes.length), ...headers, ...close }).end(bytes);
    return;
  }
  response.writeHead(status, { ...headers, ...close });
  await pipeline(Readable.from(body), response).catch(() => response.destroy());
}
