import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createGzip, gzip } from "node:zlib";
import { stringifyYaml } from "../../../shared/adapters/yaml.ts";
import type { Answer, Call } from "./call.ts";
import { mediaRanges } from "./negotiate.ts";

const compress = promisify(gzip);

// Real servers compress from this size on; below it costs more than it saves.
const compressFrom = 128 * 1024;
const gzipOptions = { level: 1 };

/** Sends an answer: as YAML if that is preferred, compressed if it is long, in parts if it is made in parts. */
export async function sendAnswer(call: Call, answer: Answer): Promise<void> {
  const { response, request } = call;
  const yaml = answer.type === undefined && prefersYaml(request);
  response.setHeader("content-type", answer.type ?? (yaml ? "application/yaml" : "application/json"));
  response.setHeader("cache-control", "no-cache, private");
  if (call.warnings.length > 0) response.setHeader("warning", call.warnings.map(warning));
  response.statusCode = answer.code;
  if (answer.bytes !== undefined) response.end(answer.bytes);
  else if (yaml) await sendText(call, stringifyYaml(JSON.parse(wholeText(answer))));
  else if (answer.more === undefined) await sendText(call, answer.text);
  else await sendParts(call, answer.text, answer.more);
}

function wholeText({ text, more }: Answer): string {
  return more === undefined ? text : [text, ...more].join("");
}

async function sendText(call: Call, text: string): Promise<void> {
  if (text.length < compressFrom || !takesGzip(call.request)) {
    sendWhole(call, text);
    return;
  }
  noteGzip(call);
  call.response.end(await compress(text, gzipOptions));
}

// With its length and its letters known, a text is sent together with its head in one piece.
function sendWhole({ response }: Call, text: string): void {
  const length = Buffer.byteLength(text);
  response.setHeader("content-length", length);
  response.end(text, length === text.length ? "latin1" : "utf8");
}

// What fits into the first part is sent like any other answer.
async function sendParts(call: Call, head: string, parts: Generator<string>): Promise<void> {
  const [first, second] = [parts.next(), parts.next()];
  const start = head + (first.done === true ? "" : first.value);
  if (second.done === true) return sendText(call, start);
  const all = function* (): Generator<string> {
    yield start + second.value;
    yield* parts;
  };
  if (!takesGzip(call.request)) return pipeline(Readable.from(all()), call.response);
  noteGzip(call);
  return pipeline(Readable.from(all()), createGzip(gzipOptions), call.response);
}

function takesGzip(request: IncomingMessage): boolean {
  return /\bgzip\b/u.test(String(request.headers["accept-encoding"] ?? ""));
}

function noteGzip({ response }: Call): void {
  response.setHeader("content-encoding", "gzip");
  response.setHeader("vary", "Accept-Encoding");
}

function prefersYaml(request: IncomingMessage): boolean {
  return mediaRanges(request.headers.accept)[0]?.type === "application/yaml";
}

function warning(text: string): string {
  const safe = text
    .replace(/[^\t\x20-\x7e]/gu, "?")
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"');
  return `299 - "${safe}"`;
}
