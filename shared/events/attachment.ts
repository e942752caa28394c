import * as z from "zod";
import { defineEvent } from "../event.ts";

const Attachment = { attachment: z.string().min(1).max(64).describe("Id of the attachment, att-….") };

/** Somebody put a picture into the upload bucket. */
export const AttachmentUploaded = defineEvent({
  type: "attachment.uploaded",
  summary: "A picture lies in the upload bucket under its digest and waits to be checked and kept.",
  data: z.object({
    digest: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/)
      .describe("Digest of the bytes, sha256:<hex>."),
    use: z.enum(["icon", "screenshot"]).optional().describe("What it is for; icons are smaller. Default: screenshot."),
  }),
  example: { digest: `sha256:${"ab".repeat(32)}`, use: "icon" },
});

/** Somebody takes a picture away. */
export const AttachmentDeleted = defineEvent({
  type: "attachment.deleted",
  summary: "A picture that no application shows is to be deleted; deleting what is gone already succeeds.",
  data: z.object(Attachment),
  example: { attachment: "att-uf9t4fb9ashy2y" },
});

/** An act on an attachment was accepted. */
export const AttachmentChanged = defineEvent({
  type: "attachment.changed",
  summary: "A picture is kept, or is gone.",
  data: z.object({
    ...Attachment,
    mediaType: z.string().nullable().describe("Type by its bytes; null: it is gone."),
    bytes: z.int().describe("Size in bytes."),
  }),
  example: { attachment: "att-uf9t4fb9ashy2y", mediaType: "image/png", bytes: 12345 },
});

/** An act on an attachment was refused. */
export const AttachmentActionRefused = defineEvent({
  type: "attachment.action.refused",
  summary: "A picture is not kept, or not deleted.",
  data: z.object({
    attachment: z.string().describe("Id of the attachment."),
    action: z.string().describe("What was asked for."),
    reason: z.string().describe("One CamelCase word for programs."),
    message: z.string().describe("Why it was refused."),
    operator: z.string().optional().describe("Who acted."),
  }),
  example: {
    attachment: "att-uf9t4fb9ashy2y",
    action: "upload",
    reason: "NotAPicture",
    message: "the bytes are no PNG, JPEG, GIF or WebP picture",
  },
});
