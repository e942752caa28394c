import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { sha256 } from "../digest.ts";
import { Failure } from "../errors.ts";
import { type FormFile, readForm } from "./multipart.ts";

/** A form as a browser or curl sends it. */
async function sent(parts: Readonly<Record<string, string | Blob>>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, value, "web-1.0.0.tgz");
  }
  const response = new Response(form);
  return { type: response.headers.get("content-type") ?? "", bytes: new Uint8Array(await response.arrayBuffer()) };
}

async function* inPieces(bytes: Uint8Array, size = 1_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function whole({ field, filename, chunks }: FormFile) {
  const bytes = Buffer.concat(await Array.fromAsync(chunks));
  return { field, filename, digest: sha256(bytes) };
}

const content = randomBytes(300_000);

test.each([1_000, 65_536, 1_000_000])(
  "texts come back, the file is handed on as it arrives, in pieces of %i",
  async (size) => {
    const { type, bytes } = await sent({ name: "grüße", package: new Blob([content]), type: "helm" });
    const { fields, taken } = await readForm(type, inPieces(bytes, size), whole);
    expect(Object.fromEntries(fields)).toEqual({ name: "grüße", type: "helm" });
    expect(taken).toEqual({ field: "package", filename: "web-1.0.0.tgz", digest: sha256(content) });
  },
);

test("a form without a file has only texts", async () => {
  const { type, bytes } = await sent({ name: "a" });
  expect(await readForm(type, inPieces(bytes), whole)).toMatchObject({ taken: undefined });
});

test("who takes the file may refuse it before its end", async () => {
  const { type, bytes } = await sent({ package: new Blob([content]) });
  const refuse = async ({ chunks }: FormFile) => {
    for await (const _ of chunks) throw new Failure("TooLarge", "too much");
  };
  await expect(readForm(type, inPieces(bytes), refuse)).rejects.toMatchObject({ kind: "TooLarge" });
});

test("a body that fails, fails with its own words", async () => {
  const { type, bytes } = await sent({ package: new Blob([content]) });
  async function* tooLarge(): AsyncGenerator<Uint8Array> {
    yield bytes.subarray(0, 10_000);
    throw new Failure("TooLarge", "the body has more than allowed");
  }
  await expect(readForm(type, tooLarge(), whole)).rejects.toMatchObject({
    kind: "TooLarge",
    message: expect.stringMatching(/body/),
  });
});

test.each([
  ["two files", { a: new Blob(["1"]), b: new Blob(["2"]) }],
  ["a crowd of fields", Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`f${at}`, "x"]))],
  ["a field of a megabyte", { name: "x".repeat(1_000_000) }],
])("%s are refused", async (_, parts) => {
  const { type, bytes } = await sent(parts as Record<string, string | Blob>);
  await expect(readForm(type, inPieces(bytes), whole)).rejects.toMatchObject({ kind: "Invalid" });
});

test("what is cut off, or no form at all, is refused", async () => {
  const { type, bytes } = await sent({ package: new Blob([content]) });
  await expect(readForm(type, inPieces(bytes.subarray(0, 200_000)), whole)).rejects.toMatchObject({ kind: "Invalid" });
  await expect(readForm("multipart/form-data", inPieces(bytes), whole)).rejects.toMatchObject({ kind: "Invalid" });
  await expect(readForm("text/plain", inPieces(bytes), whole)).rejects.toMatchObject({ kind: "Invalid" });
  const other = "multipart/form-data; boundary=other";
  await expect(readForm(other, inPieces(bytes), whole)).rejects.toMatchObject({ kind: "Invalid" });
});
