import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** A secret on its way: the bytes lie in a bucket, the key travels in an event; neither alone tells anything. */
export interface Envelope {
  readonly bytes: Uint8Array;
  /** 32 bytes in base64. */
  readonly key: string;
}

/** Sealed envelopes above this are not opened. */
export const MAX_ENVELOPE_BYTES = 64 * 1024;

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals a text with a key of its own, by AES-256-GCM: nonce, tag, cipher text. */
export function seal(text: string): Envelope {
  const key = randomBytes(32);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  const sealed = [cipher.update(text, "utf8"), cipher.final()];
  return { bytes: Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]), key: key.toString("base64") };
}

/** The text in an envelope; `undefined` where the key is another one's, or the bytes were changed. */
export function unseal({ bytes, key }: Envelope): string | undefined {
  const sealed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const decipher = createDecipheriv(CIPHER, Buffer.from(key, "base64"), sealed.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return undefined;
  }
}
