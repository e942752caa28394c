import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createUnzip } from "node:zlib";
import { Failure, messageOf } from "../errors.ts";

/** How to read a body and what its errors call it. */
export interface BodyOptions {
  /** What is being read, as errors name it: `get helmrepos/repo-abc`. */
  readonly what: string;
  /** Most bytes taken, after decompression. */
  readonly maxBytes: number;
  /** Undo `Content-Encoding: gzip` and `deflate`; without it the bytes stay as sent. */
  readonly decompress: boolean;
  /** What to do about a body that is too long. */
  readonly hint?: string;
  /** Slowest that a server may send; the time that the reader takes does not count. */
  readonly pace?: Pace;
}

/** At least so many bytes in so much time. */
interface Pace {
  readonly minBytes: number;
  readonly perMs: number;
}

/**
 * The whole body of an answer.
 * Fails with `TooLarge` beyond the limit, `Unavailable` when the body ends early, `Invalid` for an encoding we never asked for.
 */
export async function readBody(response: IncomingMessage, options: BodyOptions): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of received(response, options)) chunks.push(chunk);
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

/**
 * The body of an answer as it arrives; fails as `readBody` does, and ends the transfer when the reader stops early. Each
 * chunk is valid until the next is asked for: a collector would let tens of megabytes of them gather.
 */
export async function* bodyChunks(response: IncomingMessage, options: BodyOptions): AsyncGenerator<Buffer, void> {
  const { socket } = response;
  const parsed = (bytes: Buffer) => {
    // What comes later is for the next request on this connection, which may not have seen it yet.
    if (!response.complete) free(bytes);
  };
  // Called behind Node's own listener, whose parser copies what it hands on of these bytes.
  socket.on("data", parsed);
  try {
    for await (const chunk of received(response, options)) {
      yield chunk;
      free(chunk);
    }
  } finally {
    socket.off("data", parsed);
  }
}

/** Gives the memory of bytes back at once, where they are all that is in it. */
function free({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}

async function* received(response: IncomingMessage, options: BodyOptions): AsyncGenerator<Buffer, void> {
  const { what, maxBytes, hint } = options;
  let total = 0;
  try {
    refuseTooLong(response, options);
    const keepsPace = paceKeeper(options.pace);
    for await (const chunk of decoded(response, options)) {
      const { length } = chunk as Buffer;
      total += length;
      if (total > maxBytes) throw tooLarge(`${what}: the body has more than ${maxBytes} bytes, the limit`, hint);
      keepsPace.received(length);
      yield chunk as Buffer;
      keepsPace.asked();
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    const length = response.headers["content-length"];
    const got = `${total}${length === undefined ? "" : ` of ${Number(length)} announced`} bytes`;
    const why = `${messageOf(reasonOf(error))}); check the server if it goes on`;
    const message = `${what}: the body broke off after ${got} (${why}`;
    throw new Failure("Unavailable", message, { cause: error });
  } finally {
    response.destroy();
  }
}

/** Adds up how long was waited for how many bytes; fails where that was too slow. */
function paceKeeper({ minBytes, perMs }: Pace = { minBytes: 0, perMs: Number.POSITIVE_INFINITY }) {
  let asked = performance.now();
  let waited = 0;
  let bytes = 0;
  return {
    asked() {
      asked = performance.now();
    },
    received(length: number) {
      waited += performance.now() - asked;
      bytes += length;
      if (waited < perMs) return;
      if (bytes < minBytes) {
        throw new Error(
          `the server sent ${bytes} bytes in ${Math.round(waited)} ms, at least ${minBytes} are expected`,
        );
      }
      [waited, bytes] = [0, 0];
    },
  };
}

/** An aborted stream says only that it was. */
function reasonOf(error: unknown): unknown {
  return error instanceof Error && error.name === "AbortError" ? (error.cause ?? error) : error;
}

function tooLarge(message: string, hint: string | undefined): Failure {
  return new Failure("TooLarge", hint === undefined ? message : `${message}; ${hint}`);
}

/** Spares the transfer where the server already says that the body is too long. */
function refuseTooLong(response: IncomingMessage, { what, maxBytes, hint }: BodyOptions): void {
  const announced = Number(response.headers["content-length"] ?? 0);
  if (announced > maxBytes) {
    throw tooLarge(`${what}: the server announces ${announced} bytes, more than ${maxBytes}, the limit`, hint);
  }
}

function decoded(response: IncomingMessage, { what, decompress }: BodyOptions): Readable {
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (!decompress || encoding === "identity" || encoding === "") return response;
  if (!["gzip", "x-gzip", "deflate"].includes(encoding)) {
    throw new Failure("Invalid", `${what}: the server answers in encoding ${encoding}, which was not asked for`);
  }
  const unzip = createUnzip();
  // The callback keeps a broken connection from being thrown twice: the reader of `unzip` gets it.
  return pipeline(response, unzip, () => undefined);
}

/** Wait that a server asks for in `Retry-After` (seconds or an HTTP date), in milliseconds, at most an hour. */
export function retryAfterMs(header: string | undefined, now: number = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), 3_600_000);
}
