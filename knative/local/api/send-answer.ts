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

/** Status and headers of an answer; names and values in turn, which Node sends without sorting them first. */
interface Head {
  readonly code: number;
  readonly headers: readonly string[];
}

/** Sends an answer: as YAML if that is preferred, compressed if it is long, in parts if it is made in parts. */
export async function sendAnswer(call: Call, answer: Answer): Promise<void> {
  const yaml = answer.type === undefined && prefersYaml(call.request);
  const head = headOf(call, answer, yaml);
  if (answer.bytes !== undefined) sendWhole(call, head, answer.bytes);
  else if (yaml) await sendText(call, head, stringifyYaml(JSON.parse(wholeText(answer))));
  else if (answer.more === undefined) await sendText(call, head, answer.text);
  else await sendParts(call, head, { start: answer.text, parts: answer.more });
}

function headOf({ warnings }: Call, { code, type }: Answer, yaml: boolean): Head {
  const content = type ?? (yaml ? "application/yaml" : "application/json");
  const headers = ["content-type", content, "cache-control", "no-cache, private"];
  return { code, headers: [...headers, ...warnings.flatMap((text) => ["warning", warning(text)])] };
}

function wholeText({ text, more }: Answer): string {
  return more === undefined ? text : [text, ...more].join("");
}

async function sendText(call: Call, head: Head, text: string): Promise<void> {
  if (text.length < compressFrom || !takesGzip(call.request)) sendWhole(call, head, text);
  else sendWhole(call, compressed(head), await compress(text, gzipOptions));
}

// With its length and its letters known, a text is sent together with its head in one piece.
function sendWhole({ response }: Call, { code, headers }: Head, body: string | Buffer): void {
  const length = Buffer.byteLength(body);
  response.writeHead(code, [...headers, "content-length", String(length)]);
  response.end(body, typeof body === "string" && length === body.length ? "latin1" : "utf8");
}

interface Parts {
  readonly start: string;
  readonly parts: Generator<string>;
}

// What fits into the first part is sent like any other answer.
async function sendParts(call: Call, head: Head, { start, parts }: Parts): Promise<void> {
  const [first, second] = [parts.next(), parts.next()];
  const whole = start + (first.done === true ? "" : first.value);
  if (second.done === true) return sendText(call, head, whole);
  const all = function* (): Generator<string> {
    yield whole + second.value;
    yield* parts;
  };
  const { response } = call;
  const zipped = takesGzip(call.request);
  const { code, headers } = zipped ? compressed(head) : head;
  response.writeHead(code, [...headers]);
  if (zipped) return pipeline(Readable.from(all()), createGzip(gzipOptions), response);
  return pipeline(Readable.from(all()), response);
}

function takesGzip(request: IncomingMessage): boolean {
  return /\bgzip\b/u.test(String(request.headers["accept-encoding"] ?? ""));
}

function compressed({ code, headers }: Head): Head {
  return { code, headers: [...headers, "content-encoding", "gzip", "vary", "Accept-Encoding"] };
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
