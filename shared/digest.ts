import { createHash } from "node:crypto";

/** The digest of bytes or text in the form that objects and buckets use: `sha256:<64 hex digits>`. */
export function sha256(bytes: Uint8Array | string): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
