import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type * as z from "zod";
import { readBody } from "../../../shared/adapters/http-body.ts";
import { Failure, messageOf } from "../../../shared/errors.ts";
import type { StoreAddress } from "./address.ts";
import { refusal } from "./refusal.ts";

/** One request to the store. */
export interface StoreRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below `/kapis/openpitrix.io/v1`, or below what stands in `base`. */
  readonly path: string;
  readonly base?: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
  /** Sent instead of `body`, file by file as it is read. */
  readonly form?: FormData;
  /** What to do where the store refuses, as the end of a sentence: `see opx app list`. */
  readonly hint: string;
  /** Called with the number of bytes sent so far. */
  sent?(bytes: number): void;
}

/** The store's REST API as one person uses it. */
export interface StoreApi {
  /** The answer in its shape; a refusal is thrown as a `Failure` in the store's words. */
  call<S extends z.ZodType>(request: StoreRequest, shape: S): Promise<z.output<S>>;
}

const BASE = "/kapis/openpitrix.io/v1";

/** Longer than the store itself waits for what follows from an act. */
const TIMEOUT_MS = 75_000;

/** A package in base64 is the longest answer. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Speaks to the REST API at that address; nothing is connected before the first call. */
export function openStore(address: StoreAddress): StoreApi {
  return {
    async call(request, shape) {
      const { status, text } = await exchange(request, address);
      if (status !== 200) throw refusal({ status, text, hint: request.hint });
      const read = shape.safeParse(jsonOf(text));
      if (read.success) return read.data;
      const issue = read.error.issues[0];
      const where = `${issue?.path.join(".") || "the answer"}: ${issue?.message}`;
      throw new Failure(
        "Invalid",
        `${request.method} ${request.path}: no answer of the store (${where}); check --server`,
      );
    },
  };
}

async function exchange(request: StoreRequest, address: StoreAddress): Promise<{ status: number; text: string }> {
  const url = urlOf(request, address);
  const what = `${request.method} ${url.pathname}`;
  const content = contentOf(request);
  try {
    const response = await answerTo(open(url, request, { address, content }), content, request);
    const text = await readBody(response, { what, maxBytes: MAX_ANSWER_BYTES, decompress: false });
    return { status: response.statusCode ?? 0, text: text.toString("utf8") };
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure("Unavailable", `${url.origin} ${troubleOf(error)}`, { cause: error });
  }
}

function troubleOf(error: unknown): string {
  const why = messageOf(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/CERT|VERIFY/.test(code)) return `is not trusted (${why}); give its certificate authority with --server-ca FILE`;
  return `does not answer (${why}); check --server or OPX_SERVER`;
}

/** What is sent, and the headers that describe it. */
interface Content {
  readonly headers: Readonly<Record<string, string | number>>;
  readonly chunks: AsyncIterable<Uint8Array>;
}

function contentOf({ body, form }: StoreRequest): Content | undefined {
  if (form) {
    const { headers, body: stream } = new Response(form);
    // The platform's form fails outside every promise where it is cancelled while it reads a file.
    const chunks = stream?.values({ preventCancel: true });
    const described = { "content-type": headers.get("content-type") ?? "", expect: "100-continue" };
    return chunks && { headers: described, chunks };
  }
  if (body === undefined) return undefined;
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = { "content-type": "application/json", "content-length": bytes.length };
  return { headers, chunks: Readable.from([bytes]) };
}

function urlOf({ path, base = BASE, query = {} }: StoreRequest, { url }: StoreAddress): URL {
  const full = new URL(`${url}${base}${path}`);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) full.searchParams.set(name, value);
  return full;
}

interface Sending {
  readonly address: StoreAddress;
  readonly content: Content | undefined;
}

function open(url: URL, { method }: StoreRequest, { address, content }: Sending): ClientRequest {
  const { authorization, ca } = address;
  const headers = { authorization, accept: "application/json", ...content?.headers };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const options = { method, headers, signal, agent: false, ...(ca === undefined ? {} : { ca }) };
  return url.protocol === "https:" ? httpsRequest(url, options) : httpRequest(url, options);
}

/** Waits no longer for a server that does not say whether it wants the body. */
const CONTINUE_MS = 1_000;

/** An answer may come before everything is sent: then it says why the rest is not wanted. */
function answerTo(
  sending: ClientRequest,
  content: Content | undefined,
  { sent }: StoreRequest,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sending.on("response", resolve).on("error", reject);
    if (!content) return void sending.end();
    const send = () => void pipeline(counted(content.chunks, sent), sending).catch(reject);
    if (content.headers["expect"] === undefined) send();
    else onceWanted(sending, send);
  });
}

/** Waits until the server wants the body, or has not said for a while whether it does. */
function onceWanted(sending: ClientRequest, send: () => void): void {
  const over = () => {
    clearTimeout(timer);
    sending.off("continue", begin);
  };
  const begin = () => {
    over();
    send();
  };
  const timer = setTimeout(begin, CONTINUE_MS);
  sending.on("continue", begin).once("response", over).once("close", over);
}

async function* counted(chunks: AsyncIterable<Uint8Array>, sent: StoreRequest["sent"]): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    yield chunk;
    bytes += chunk.length;
    sent?.(bytes);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
