import type { IncomingMessage } from "node:http";
import { parseYaml } from "../../../shared/adapters/yaml.ts";
import { badRequest, tooLarge, unsupportedMediaType } from "./errors.ts";
import { decodeProtobuf, isProtobuf } from "./protobuf.ts";
import { isObject, type Json, type JsonObject } from "./schema/json.ts";

/** Bodies beyond this many bytes are refused, as etcd and the real server do. */
export const bodyLimit: number = 3 * 1024 * 1024;

// A YAML document of a few bytes may alias itself into gigabytes.
const yamlValueLimit = 500_000;

/** The media types in which objects are accepted. */
export const objectTypes: readonly string[] = [
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
];

/** A body as it came, with its media type. */
export interface RawBody {
  readonly bytes: Buffer;
  readonly type: string;
}

/** Reads the whole body. Throws 413 beyond the limit. */
export async function readBody(request: IncomingMessage): Promise<RawBody> {
  if (Number(request.headers["content-length"] ?? 0) > bodyLimit) throw tooLarge(bodyLimit);
  const bytes = await allBytes(request);
  const [type = ""] = (request.headers["content-type"] ?? "").split(";");
  return { bytes, type: type.trim().toLowerCase() };
}

// Listening costs a fraction of what iterating over the request does.
function allBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bodyLimit) chunks.push(chunk);
      else reject(tooLarge(bodyLimit));
    });
    request.on("end", () =>
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
    );
    request.on("error", reject);
    request.on("close", () => {
      if (!request.complete) reject(badRequest("the request ended before its body did"));
    });
  });
}

/** Decodes an object from JSON, YAML or Kubernetes' protobuf. Throws 400 and 415. */
export function decodeObject(body: RawBody): JsonObject {
  // Nothing is taken for an object without fields, as Go does.
  const value = decodeValue(body) ?? {};
  if (!isObject(value))
    throw badRequest("the body of the request is no object: send one object with apiVersion and kind");
  return value;
}

function decodeValue({ bytes, type }: RawBody): Json {
  if (type === "application/vnd.kubernetes.protobuf" || isProtobuf(bytes)) return decodeProtobuf(bytes);
  if (type === "application/yaml" || type === "application/x-yaml") return decodeYaml(bytes.toString());
  if (type !== "" && type !== "application/json" && type !== "*/*") throw unsupportedMediaType(objectTypes);
  return decodeJson(bytes.toString());
}

/** Parses JSON. Throws 400. */
export function decodeJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw badRequest(`couldn't decode the body as JSON: ${(error as Error).message}`);
  }
}

/** Parses YAML (and with it JSON). Throws 400, also for documents whose aliases would explode. */
export function decodeYaml(text: string): Json {
  try {
    return (parseYaml(text, { maxValues: yamlValueLimit }) ?? null) as Json;
  } catch (error) {
    throw badRequest(`couldn't decode the body as YAML: ${(error as Error).message}`);
  }
}
