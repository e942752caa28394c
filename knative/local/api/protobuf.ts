import { PbfReader } from "pbf";
import { ApiError, badRequest, unsupportedMediaType } from "./errors.ts";
import { type MessageField, messageFields, messageOfKind } from "./protobuf-messages.ts";
import type { Json, MutableObject } from "./schema/json.ts";

// Bodies start with these bytes; a message of type runtime.Unknown follows.
const magic = Buffer.from("k8s\0");
// Kubernetes' deepest messages stay far below this; it bounds hostile nesting.
const depthLimit = 64;

/** True when bytes carry Kubernetes' protobuf envelope, whatever their content type says. */
export function isProtobuf(bytes: Buffer): boolean {
  return bytes.subarray(0, magic.length).equals(magic);
}

/** Decodes an object of a built-in kind to what its JSON form would be. Throws 400, or 415 for kinds without a message. */
export function decodeProtobuf(bytes: Buffer): Json {
  if (!isProtobuf(bytes))
    throw badRequest("the body is no Kubernetes protobuf: it does not start with the bytes k8s\\0");
  try {
    const { apiVersion, kind, raw } = readEnvelope(bytes.subarray(magic.length));
    const message = messageOfKind(apiVersion, kind);
    if (message === undefined) throw unsupportedMediaType(["application/json", "application/yaml"]);
    return { apiVersion, kind, ...readMessage(new PbfReader(raw), message, 0) };
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw badRequest(`couldn't decode the body as protobuf: ${(error as Error).message}`);
  }
}

interface Envelope {
  apiVersion: string;
  kind: string;
  raw: Uint8Array;
}

function readEnvelope(bytes: Uint8Array): Envelope {
  const envelope: Envelope = { apiVersion: "", kind: "", raw: new Uint8Array() };
  const typeMeta = (tag: number, into: Envelope, reader: PbfReader): void => {
    if (tag === 1) into.apiVersion = reader.readString();
    else if (tag === 2) into.kind = reader.readString();
  };
  return new PbfReader(bytes).readFields((tag, into, reader) => {
    if (tag === 1) reader.readMessage(typeMeta, into);
    else if (tag === 2) into.raw = reader.readBytes();
  }, envelope);
}

function readMessage(reader: PbfReader, message: string, depth: number): MutableObject {
  if (depth > depthLimit) throw new RangeError("messages are nested too deeply");
  const fields = messageFields(message) ?? {};
  return reader.readFields((tag, into, from) => {
    const field = fields[tag];
    if (field !== undefined) readField(field, into, { reader: from, depth: depth + 1 });
  }, {} as MutableObject);
}

interface Place {
  readonly reader: PbfReader;
  readonly depth: number;
}

function readField([name, type, mode]: MessageField, into: MutableObject, place: Place): void {
  if (mode === "map") readMapEntry(name, type, { into, place });
  else if (mode === "list")
    into[name] = [...((into[name] as readonly Json[] | undefined) ?? []), ...readItems(type, place)];
  else {
    const value = readValue(type, place);
    if (mode === "inline") Object.assign(into, value);
    else if (mode === "kept" || !isZero(value)) into[name] = value;
  }
}

// Go writes fields without a pointer even when they are empty, while JSON leaves them out.
function isZero(value: Json): boolean {
  if (value === "" || value === 0 || value === false || value === null) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function readItems(type: string, place: Place): readonly Json[] {
  const packed = place.reader.type === 2 && (type === "int32" || type === "int64");
  return packed ? place.reader.readPackedVarint([], true) : [readValue(type, place)];
}

function readMapEntry(name: string, type: string, { into, place }: { into: MutableObject; place: Place }): void {
  const entry: { key: string; value: Json } = { key: "", value: type === "string" || type === "bytes" ? "" : {} };
  place.reader.readMessage((tag, pair, reader) => {
    if (tag === 1) pair.key = reader.readString();
    else if (tag === 2) pair.value = readValue(type, { reader, depth: place.depth });
  }, entry);
  into[name] = { ...(into[name] as MutableObject | undefined), [entry.key]: entry.value };
}

function readValue(type: string, place: Place): Json {
  const scalar = scalars[type];
  if (scalar !== undefined) return scalar(place.reader);
  const value = place.reader.readMessage((tag, into, reader) => {
    const field = messageFields(type)?.[tag];
    if (field !== undefined) readField(field, into, { reader, depth: nextDepth(place) });
  }, {} as MutableObject);
  return special[type.split(".").at(-1) ?? ""]?.(value) ?? value;
}

function nextDepth(place: Place): number {
  if (place.depth > depthLimit) throw new RangeError("messages are nested too deeply");
  return place.depth + 1;
}

const scalars: Readonly<Record<string, (reader: PbfReader) => Json>> = {
  string: (reader) => reader.readString(),
  bytes: (reader) => Buffer.from(reader.readBytes()).toString("base64"),
  bool: (reader) => reader.readBoolean(),
  int32: (reader) => reader.readVarint(true),
  int64: (reader) => reader.readVarint(true),
  uint32: (reader) => reader.readVarint(),
  uint64: (reader) => reader.readVarint(),
  double: (reader) => reader.readDouble(),
};

// Types whose JSON form is not that of their fields.
const special: Readonly<Record<string, (value: MutableObject) => Json>> = {
  Time: (value) => timeText(value, 0),
  MicroTime: (value) => timeText(value, 6),
  Quantity: (value) => value["string"] ?? "0",
  IntOrString: (value) => (value["type"] === 1 ? (value["strVal"] ?? "") : (value["intVal"] ?? 0)),
  FieldsV1: (value) => rawJson(value["Raw"]),
  RawExtension: (value) => rawJson(value["raw"]),
  ExtraValue: (value) => value["items"] ?? [],
};

function timeText(value: MutableObject, digits: number): Json {
  if (value["seconds"] === undefined) return "";
  const time = new Date(Number(value["seconds"]) * 1000).toISOString().slice(0, 19);
  const fraction = String(Number(value["nanos"] ?? 0))
    .padStart(9, "0")
    .slice(0, digits);
  return digits === 0 ? `${time}Z` : `${time}.${fraction}Z`;
}

function rawJson(base64: Json | undefined): Json {
  const text = Buffer.from(String(base64 ?? ""), "base64").toString();
  return text === "" ? null : (JSON.parse(text) as Json);
}
