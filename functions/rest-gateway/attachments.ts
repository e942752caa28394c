import type { DataOf } from "../../shared/event.ts";
import { type AttachmentChanged, AttachmentDeleted, AttachmentUploaded } from "../../shared/events/attachment.ts";
import { attachmentSubject } from "../../shared/lifecycle/attachment-act.ts";
import { isAttachmentId, MAX_ATTACHMENT_BYTES, pictureType } from "../../shared/pictures.ts";
import { answered, RestError } from "../../shared/rest/answers.ts";
import { readForm } from "../../shared/rest/form.ts";
import { act } from "./acts.ts";
import { type Call, type Handler, param } from "./call.ts";

/** Ids that one request may delete. */
const MAX_DELETED = 50;

/** Keeps the first file of a form as an attachment (§5.2). */
export const createAttachment: Handler = async (call) => {
  const { headers, body } = call.request;
  const contentType = headers["content-type"] ?? "";
  if (!/^multipart\/form-data\b/i.test(contentType)) {
    throw new RestError(400, "request Content-Type isn't multipart/form-data");
  }
  const { taken } = await readForm({ contentType, body }, ({ chunks }) => upload(call, chunks));
  if (taken === undefined) throw new RestError(400, "the form holds no file");
  return answered({ attachment_id: await kept(call, taken, "screenshot") });
};

/** An attachment in JSON, or with `?filename=raw` the picture itself, in a way that no browser runs anything of it. */
export const describeAttachment: Handler = async (call) => {
  const id = param(call, "attachment");
  const bytes = isAttachmentId(id) ? await call.ports.blobs.get("attachments", id, MAX_ATTACHMENT_BYTES) : undefined;
  if (!bytes) throw new RestError(404, `attachment ${id} not found`);
  const name = call.request.query.get("filename");
  if (!name) {
    return answered({ attachment_id: id, attachment_content: { raw: Buffer.from(bytes).toString("base64") } });
  }
  return {
    status: 200,
    headers: { ...SAFE, "content-type": pictureType(bytes) ?? "application/octet-stream" },
    body: bytes,
  };
};

/** Ids follow from the bytes, so that what was shown once need not be asked for again. */
const SAFE = {
  "cache-control": "private, max-age=31536000, immutable",
  "content-disposition": "inline",
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff",
};

/** Deletes attachments, their ids joined by commas; those that are gone count as deleted. */
export const deleteAttachments: Handler = async (call) => {
  const ids = param(call, "attachment").split(",").filter(Boolean);
  if (ids.length > MAX_DELETED) throw new RestError(400, `${ids.length} ids, at most ${MAX_DELETED} are taken at once`);
  for (const attachment of ids) await act(call, AttachmentDeleted.of(attachmentSubject(attachment), { attachment }));
  return { status: 200, body: "" };
};

/** Uploads a picture and has it kept; the answer is its id. */
export async function keepPicture(call: Call, bytes: Uint8Array, use: "icon" | "screenshot"): Promise<string> {
  return kept(call, await upload(call, inOnePiece(bytes)), use);
}

async function upload(call: Call, chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const { digest } = await call.ports.uploads.take(chunks, MAX_ATTACHMENT_BYTES);
  return digest;
}

async function kept(call: Call, digest: string, use: "icon" | "screenshot"): Promise<string> {
  const outcome = await act(call, AttachmentUploaded.of(attachmentSubject(digest), { digest, use }));
  return (outcome.data as DataOf<typeof AttachmentChanged>).attachment;
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
