import type { CloudEventV1 } from "cloudevents";
import type { Event } from "../event.ts";
import { eventOf, invalid } from "./cloudevents-attributes.ts";
import { contentTypeOf, decodeData, parseJson } from "./cloudevents-content.ts";
import { decodeHeaderValue, decodeRawUtf8 } from "./cloudevents-headers.ts";

/** Headers by lower-case name, as node:http gives them. */
export type WireHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The headers of one event in structured mode. */
export const STRUCTURED_HEADERS = { "content-type": "application/cloudevents+json" } as const;

/** The headers of a batch. */
export const BATCH_HEADERS = { "content-type": "application/cloudevents-batch+json" } as const;

const MAX_BATCH = 1000;

/**
 * The events of an HTTP request: one in binary or structured mode, any number in a batch.
 * Fails with `Invalid`, naming the attribute; the size of the body is the server's affair.
 */
export function decodeHttp(headers: WireHeaders, body: Uint8Array): readonly Event[] {
  const type = contentTypeOf(first(headers["content-type"]) ?? "");
  if (type.media.startsWith("application/cloudevents-batch")) {
    checkFormat(type.media, BATCH_HEADERS["content-type"]);
    return decodeBatch(parseJson(body, type, "the batch"));
  }
  if (isStructured(type.media)) {
    checkFormat(type.media, STRUCTURED_HEADERS["content-type"]);
    return [decodeStructured(parseJson(body, type, "the event"))];
  }
  if (headers["ce-specversion"] === undefined) {
    throw invalid("neither a ce-specversion header nor content-type application/cloudevents+json");
  }
  return [decodeBinary(headers, body, { contentType: first(headers["content-type"]), raw: true })];
}

/** The event of a NATS message in binary or structured mode; a message without headers may be structured JSON. */
export function decodeNats(headers: WireHeaders, payload: Uint8Array): Event {
  const contentType = first(headers["content-type"]);
  if (headers["ce-specversion"] !== undefined) {
    return decodeBinary(headers, payload, { contentType: first(headers["ce-datacontenttype"]) ?? contentType });
  }
  const type = contentTypeOf(contentType ?? "");
  if (contentType !== undefined && isStructured(type.media))
    checkFormat(type.media, STRUCTURED_HEADERS["content-type"]);
  return decodeStructured(parseJson(payload, type, "the event"));
}

/** The event as structured JSON, to be sent with `STRUCTURED_HEADERS`. */
export function encodeStructured(event: Event): Uint8Array {
  return Buffer.from(JSON.stringify(wireForm(event)));
}

/** Several events as one JSON batch, to be sent with `BATCH_HEADERS`. */
export function encodeBatch(events: readonly Event[]): Uint8Array {
  return Buffer.from(JSON.stringify(events.map(wireForm)));
}

/** Headers and payload of a NATS message: structured, which every reader of the binding accepts. */
export function encodeNats(event: Event): {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Uint8Array;
} {
  return { headers: STRUCTURED_HEADERS, payload: encodeStructured(event) };
}

function isStructured(media: string): boolean {
  return media.startsWith("application/cloudevents");
}

function checkFormat(media: string, json: string): void {
  const bare = json.slice(0, -"+json".length);
  if (media !== json && media !== bare) throw invalid(`the format ${media} is not understood; send ${json}`);
}

function decodeBatch(value: unknown): readonly Event[] {
  if (!Array.isArray(value)) throw invalid("a batch is a JSON list of events");
  if (value.length > MAX_BATCH) throw invalid(`the batch has ${value.length} events; send at most ${MAX_BATCH}`);
  return value.map(decodeStructured);
}

function decodeStructured(value: unknown): Event {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid("a structured event is a JSON object");
  }
  const { data, data_base64: base64, ...attributes } = value as Partial<CloudEventV1<unknown>>;
  if (base64 === undefined || base64 === null) return eventOf(attributes, data);
  if (data !== undefined) throw invalid("both data and data_base64 are set; send one of them");
  return eventOf(attributes, bytesOf(base64));
}

function bytesOf(base64: unknown): Uint8Array {
  if (typeof base64 !== "string" || !/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(base64))
    throw invalid("data_base64 is not base64");
  return new Uint8Array(Buffer.from(base64, "base64"));
}

interface BinaryMode {
  readonly contentType: string | undefined;
  /** Whether header values are bytes read as Latin-1. */
  readonly raw?: boolean;
}

function decodeBinary(headers: WireHeaders, body: Uint8Array, { contentType, raw = false }: BinaryMode): Event {
  const attributes: Record<string, unknown> = {};
  for (const name in headers) {
    if (!name.startsWith("ce-")) continue;
    const value = first(headers[name]);
    if (value === undefined) continue;
    attributes[name.slice(3)] = decodeHeaderValue(name, raw ? decodeRawUtf8(value) : value);
  }
  // The content type is this attribute; a header of its own would contradict it (HTTP binding §3.1.1).
  if (contentType === undefined) delete attributes["datacontenttype"];
  else attributes["datacontenttype"] = contentType;
  return eventOf(attributes, decodeData(body, contentType));
}

function first(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" || value === undefined ? value : value[0];
}

function wireForm({ extensions, data, ...attributes }: Event): CloudEventV1<unknown> {
  if (data === undefined) return { ...attributes, ...extensions };
  if (data instanceof Uint8Array) {
    return {
      ...attributes,
      ...extensions,
      data_base64: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64"),
    };
  }
  return { ...attributes, datacontenttype: attributes.datacontenttype ?? "application/json", ...extensions, data };
}
