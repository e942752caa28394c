import { messageOf } from "../../../shared/errors.ts";
import type { PingSource } from "../eventing/kinds.ts";

type Payload = Pick<PingSource["spec"], "contentType" | "data" | "dataBase64">;

const JSON_TYPE = "application/json";

/**
 * The data of a PingSource's events: parsed where its content type says JSON, else as it stands in the manifest;
 * `undefined` where there is none. Throws where Knative's webhook refuses: both fields, no base64, JSON but no object.
 */
export function pingPayload({ contentType, data, dataBase64 }: Payload): unknown {
  if (data && dataBase64) throw new Error("it has both data and dataBase64; leave one of them");
  const bytes = dataBase64 ? decodeBase64(dataBase64) : undefined;
  const text = bytes ? Buffer.from(bytes).toString("utf8") : data;
  if (!text) return undefined;
  return contentType === JSON_TYPE ? parseObject(text) : (bytes ?? text);
}

function decodeBase64(text: string): Uint8Array {
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64") !== text) throw new Error("dataBase64 is not base64");
  return new Uint8Array(bytes);
}

function parseObject(text: string): unknown {
  const value = parseJson(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new Error(`with content type ${JSON_TYPE} the data must be a JSON object`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`with content type ${JSON_TYPE} the data must be JSON: ${messageOf(error)}`, { cause: error });
  }
}
