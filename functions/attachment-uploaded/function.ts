import { change, wait } from "../../shared/decision.ts";
import { sha256 } from "../../shared/digest.ts";
import { Failure } from "../../shared/errors.ts";
import { AttachmentActionRefused, AttachmentChanged, AttachmentUploaded } from "../../shared/events/attachment.ts";
import { defineFunction } from "../../shared/function.ts";
import { isYoung } from "../../shared/lifecycle/act.ts";
import { type AttachmentDecision, attachmentChanged, refuseAttachment } from "../../shared/lifecycle/attachment-act.ts";
import { attachmentId, MAX_ATTACHMENT_BYTES, MAX_ICON_BYTES, pictureType } from "../../shared/pictures.ts";
import type { Blobs } from "../../shared/ports.ts";

/** What an upload is decided on. */
interface World {
  readonly bytes: Uint8Array | "too many" | undefined;
  readonly now: Date;
}

/** A picture is kept by an id of its own, if it is one. */
export default defineFunction({
  on: AttachmentUploaded,
  summary: "Checks an uploaded picture by its bytes and keeps it, or says why not.",
  emits: [AttachmentChanged, AttachmentActionRefused],
  reads: [],
  writes: [],
  uses: ["blobs", "clock"],
  timeoutMs: 20_000,
  concurrency: 4,
  gather: async ({ data, operator = "" }, { blobs, clock }): Promise<World> => ({
    bytes: await uploaded(data.digest, attachmentId(operator, data.digest), blobs),
    now: clock.now(),
  }),
  decide: ({ bytes, now }, event): AttachmentDecision => {
    const { digest, use = "screenshot" } = event.data;
    const attachment = attachmentId(event.operator ?? "", digest);
    const refused = (reason: string, why: string) =>
      refuseAttachment(event, { attachment, action: "upload", reason, why });
    if (bytes === undefined) {
      if (isYoung(event, now)) return wait("UploadNotFound");
      return refused(
        "UploadNotFound",
        `nothing was uploaded under ${digest}; upload the bytes first, then announce them`,
      );
    }
    const limit = use === "icon" ? MAX_ICON_BYTES : MAX_ATTACHMENT_BYTES;
    if (bytes === "too many" || bytes.byteLength > limit) {
      return refused("TooLarge", `the ${use} has more than ${limit} bytes; send a smaller picture`);
    }
    if (sha256(bytes) !== digest)
      return refused("DigestMismatch", "the uploaded bytes have another digest; send them again");
    const type = pictureType(bytes);
    if (!type) {
      const why = "the bytes are no PNG, JPEG, GIF or WebP picture; SVG is not taken, since it can carry scripts";
      return refused("NotAPicture", why);
    }
    return change({
      blobs: [{ bucket: "attachments", key: attachment, bytes }],
      announce: [attachmentChanged(attachment, type, bytes.byteLength)],
    });
  },
});

/** What was kept already is there when the upload itself is cleared away. */
async function uploaded(digest: string, attachment: string, blobs: Blobs): Promise<World["bytes"]> {
  try {
    const bytes = await blobs.get("uploads", digest, MAX_ATTACHMENT_BYTES);
    return bytes ?? (await blobs.get("attachments", attachment, MAX_ATTACHMENT_BYTES));
  } catch (error) {
    if (error instanceof Failure && error.kind === "TooLarge") return "too many";
    throw error;
  }
}
