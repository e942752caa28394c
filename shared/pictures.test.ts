import { expect, it } from "vitest";
import { attachmentId, isAttachmentId, pictureType } from "./pictures.ts";

it.each([
  ["image/png", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")],
  ["image/jpeg", Buffer.from("ffd8ffe000104a464946", "hex")],
  ["image/gif", Buffer.from("GIF89a…")],
  ["image/webp", Buffer.from("RIFF\x01\x00\n\x00WEBPVP8 ", "latin1")],
  [undefined, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  [undefined, Buffer.from("<html><script>alert(1)</script>")],
  [undefined, Buffer.from("GIF87")],
  [undefined, Buffer.alloc(0)],
])("tells %s by its bytes", (type, bytes) => {
  expect(pictureType(bytes)).toBe(type);
  expect(pictureType(new Uint8Array([0, ...bytes]).subarray(1)), "in a larger buffer").toBe(type);
});

it("gives the same bytes of one person one id, and another person's another", () => {
  expect(attachmentId("ann", "sha256:1")).toBe(attachmentId("ann", "sha256:1"));
  expect(attachmentId("ann", "sha256:1")).not.toBe(attachmentId("bob", "sha256:1"));
  expect(isAttachmentId(attachmentId("ann", "sha256:1"))).toBe(true);
  expect(["att-", "att-../x", "https://example.org", "attx"].filter(isAttachmentId)).toEqual([]);
});
