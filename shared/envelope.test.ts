import { expect, it } from "vitest";
import { seal, unseal } from "./envelope.ts";

it("opens with its own key and no other, and not after it was changed", () => {
  const envelope = seal('{"password":"geheim 🔑"}');
  expect(unseal(envelope)).toBe('{"password":"geheim 🔑"}');
  expect(Buffer.from(envelope.bytes).includes("geheim")).toBe(false);
  expect(unseal({ ...envelope, key: seal("").key })).toBeUndefined();
  const changed = Buffer.from(envelope.bytes);
  changed.writeUInt8(changed.readUInt8(30) ^ 1, 30);
  expect(unseal({ ...envelope, bytes: changed })).toBeUndefined();
  expect(unseal({ ...envelope, bytes: new Uint8Array(3) })).toBeUndefined();
  expect(seal("same").key).not.toBe(seal("same").key);
});
