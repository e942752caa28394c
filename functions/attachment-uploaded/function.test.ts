import { expect, it } from "vitest";
import { sha256 } from "../../shared/digest.ts";
import { AttachmentUploaded } from "../../shared/events/attachment.ts";
import { attachmentId } from "../../shared/pictures.ts";
import { announcedBy, happened, LONG_AGO, NOW } from "../../test/support/objects.ts";
import subject from "./function.ts";

const PNG = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(64)]);

function upload(bytes: Uint8Array | "too many" | undefined, data: object = {}, time = LONG_AGO) {
  const digest = sha256(bytes instanceof Uint8Array ? bytes : "");
  const event = happened(AttachmentUploaded, { digest, ...data }, { operator: "ann", time });
  return subject.decide({ bytes, now: NOW }, event);
}

it("keeps a picture under an id that follows from its bytes and who sent it", () => {
  const key = attachmentId("ann", sha256(PNG));
  const decision = upload(PNG);
  expect(decision.blobs).toEqual([{ bucket: "attachments", key, bytes: PNG }]);
  expect(decision.announce).toMatchObject([{ data: { attachment: key, mediaType: "image/png", bytes: 72 } }]);
});

it.each([
  { bytes: Buffer.from("<svg/>"), data: {}, reason: "NotAPicture" },
  { bytes: "too many" as const, data: {}, reason: "TooLarge" },
  { bytes: Buffer.concat([PNG, Buffer.alloc(1024 * 1024)]), data: { use: "icon" }, reason: "TooLarge" },
  { bytes: PNG, data: { digest: `sha256:${"0".repeat(64)}` }, reason: "DigestMismatch" },
  { bytes: undefined, data: {}, reason: "UploadNotFound" },
])("refuses visibly: $reason", ({ bytes, data, reason }) => {
  const decision = upload(bytes, data);
  expect(decision).toMatchObject({ outcome: "refuse", reason });
  expect(decision.blobs).toBeUndefined();
  expect(announcedBy(decision)).toEqual(["attachment.action.refused"]);
});

it("takes a screenshot that is too large for an icon, and waits for bytes that are under way", () => {
  expect(upload(Buffer.concat([PNG, Buffer.alloc(1024 * 1024)])).outcome).toBe("change");
  expect(upload(undefined, {}, NOW.toISOString()).outcome).toBe("wait");
});
