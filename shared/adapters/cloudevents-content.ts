import { messageOf } from "../errors.ts";
import { invalid } from "./cloudevents-attributes.ts";

/** A content type taken apart: media type in lower case without parameters, and the charset where one is named. */
export interface ContentType {
  readonly media: string;
  readonly charset: string | undefined;
}

/** Deeper nesting overflows the stack of whoever walks the value; a shorter text cannot nest that deep. */
const MAX_DEPTH = 512;
const SHALLOW_BYTES = 8192;

const parsedTypes = new Map<string, ContentType>();

/** Reads a `Content-Type`; names and charset are compared without regard to case (RFC 9110 §8.3). */
export function contentTypeOf(text: string): ContentType {
  const known = parsedTypes.get(text);
  if (known) return known;
  const [media = "", ...parameters] = text.split(";");
  const charset = parameters.map((each) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/i.exec(each)?.[1]).find(Boolean);
  const parsed = { media: media.trim().toLowerCase(), charset: charset?.toLowerCase() };
  // Senders use a handful of types; anything beyond that is not worth remembering.
  if (parsedTypes.size < 64) parsedTypes.set(text, parsed);
  return parsed;
}

/** Data of a binary-mode event: JSON types parsed, text as a string, everything else as bytes; no bytes is no data. */
export function decodeData(body: Uint8Array, contentType: string | undefined): unknown {
  if (body.length === 0) return undefined;
  if (contentType === undefined) return body;
  const type = contentTypeOf(contentType);
  if (isJson(type.media)) return parseJson(body, type, "data");
  if (type.media.startsWith("text/") || /[/+]xml$/.test(type.media)) return decodeText(body, type, "data");
  return body;
}

/** Parses JSON bytes within a depth limit; fails with `Invalid`, calling the text by the name given. */
export function parseJson(body: Uint8Array, type: ContentType | undefined, name: string): unknown {
  const text = decodeText(body, type, name);
  if (text.length > SHALLOW_BYTES) checkDepth(text, name);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`${name} is not JSON: ${messageOf(error)}`, error);
  }
}

function isJson(media: string): boolean {
  return media === "application/json" || media === "text/json" || media.endsWith("+json");
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

function decodeText(body: Uint8Array, type: ContentType | undefined, name: string): string {
  const charset = type?.charset;
  if (charset !== undefined && charset !== "utf-8" && charset !== "utf8" && charset !== "us-ascii") {
    throw invalid(`${name} is in charset ${charset}; send UTF-8`);
  }
  try {
    return UTF8.decode(body);
  } catch (error) {
    throw invalid(`${name} is not UTF-8`, error);
  }
}

function checkDepth(text: string, name: string): void {
  let depth = 0;
  // Strings are skipped whole: brackets in them do not nest.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/gs)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    if (depth > MAX_DEPTH) throw invalid(`${name} is nested deeper than ${MAX_DEPTH} levels`);
  }
}
