import { id36 } from "./charts/ids.ts";

/** Icons may have this many bytes, screenshots more. */
export const MAX_ICON_BYTES = 1024 * 1024;

/** Attachments above this are refused. */
export const MAX_ATTACHMENT_BYTES = 4 * 1024 * 1024;

const ID = /^att-[0-9a-zA-Z]{1,59}$/;

/** Whether a text may be the id of an attachment; KubeSphere's may have capital letters (§1.9). */
export function isAttachmentId(text: string): boolean {
  return ID.test(text);
}

/** Id of an attachment with these bytes that this person uploads: what another one uploads is another one's. */
export function attachmentId(operator: string, digest: string): string {
  return `att-${id36("att", operator, digest)}`;
}

const SIGNATURES: readonly (readonly [type: string, matches: (bytes: Buffer) => boolean])[] = [
  ["image/png", (bytes) => bytes.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"))],
  ["image/jpeg", (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ["image/gif", (bytes) => /^GIF8[79]a/.test(bytes.toString("latin1", 0, 6))],
  ["image/webp", (bytes) => /^RIFF.{4}WEBP/s.test(bytes.toString("latin1", 0, 12))],
];

/**
 * The type of a picture by its first bytes, whatever its sender says; `undefined` for all that is not PNG, JPEG, GIF or
 * WebP. SVG is none: it can carry scripts.
 */
export function pictureType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 16));
  return SIGNATURES.find(([, matches]) => matches(head))?.[0];
}
