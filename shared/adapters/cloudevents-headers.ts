import { invalid } from "./cloudevents-attributes.ts";

/**
 * An attribute value as a header carries it, decoded: quotes off first, then one round of percent-decoding
 * (HTTP binding §3.1.3.2). A lone `%` stays, since the Go and Java SDKs send values as they are.
 */
export function decodeHeaderValue(name: string, value: string): string {
  const text = isQuoted(value) ? value.slice(1, -1).replace(/\\(.)/g, "$1") : value;
  return text.includes("%") ? percentDecoded(name, text) : text;
}

/** Undoes that Node reads header bytes as Latin-1: what senders put there unencoded is UTF-8. */
export function decodeRawUtf8(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text)) return text;
  const decoded = Buffer.from(text, "latin1").toString("utf8");
  return decoded.includes("\ufffd") ? text : decoded;
}

function isQuoted(value: string): boolean {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"');
}

function percentDecoded(name: string, text: string): string {
  try {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, decodeURIComponent);
  } catch (error) {
    throw invalid(`header ${name} is percent-encoded, but not as UTF-8`, error);
  }
}
