import { randomBytes } from "node:crypto";
import { type Certificate, makeCertificate } from "./certificate.ts";
import { parseObject } from "./object.ts";
import { at, textOf } from "./schema/json.ts";
import { type ObjectId, type Storage, WriteConflict } from "./storage.ts";
import { storeText } from "./storage-text.ts";

/** The secrets of a server that have to survive a restart. */
export interface Keys extends Certificate {
  readonly adminToken: string;
  readonly signingKey: Buffer;
}

// No kind is registered for this resource, so the API never serves it.
const place: ObjectId = { resource: "internal.openpitrix.io/keys", namespace: "", name: "server" };

/** Reads the keys of the bucket; the first start makes them. */
export async function loadKeys(storage: Storage, host: string): Promise<Keys> {
  const known = readKeys(storage);
  if (known !== undefined) return known;
  const { key, certificate } = await makeCertificate(host);
  const data = {
    key,
    certificate,
    adminToken: randomBytes(24).toString("base64url"),
    signingKey: randomBytes(32).toString("base64"),
  };
  const object = { apiVersion: "internal.openpitrix.io/v1", kind: "Keys", metadata: { name: place.name }, data };
  try {
    await storage.create(place, storeText(object));
  } catch (error) {
    // Another server on the same bucket was faster: its keys count.
    if (!(error instanceof WriteConflict)) throw error;
  }
  const made = readKeys(storage);
  if (made === undefined) throw new Error("the keys of the API server could not be read back from its bucket; retry");
  return made;
}

function readKeys(storage: Storage): Keys | undefined {
  const entry = storage.get(place);
  if (entry === undefined) return undefined;
  const data = at(parseObject(entry.text), "data");
  const text = (name: string): string => textOf(at(data, name));
  return {
    key: text("key"),
    certificate: text("certificate"),
    adminToken: text("adminToken"),
    signingKey: Buffer.from(text("signingKey"), "base64"),
  };
}
