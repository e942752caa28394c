import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readBase64Field } from "./base64-field.ts";

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, size = 7) {
  const collect = async (bytes: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(bytes));
  const { text: rest, taken } = await readBase64Field(
    inPieces(text, size),
    { field: "package", maxRest: 1_000 },
    collect,
  );
  return { rest: JSON.parse(rest), taken };
}

test("whatever the object holds and however it is cut, the bytes and the other fields come out", async () => {
  const objects = fc.record({
    before: fc.dictionary(fc.string({ maxLength: 9 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 300 }),
    after: fc.jsonValue({ maxDepth: 2 }),
    indent: fc.nat(2),
    size: fc.integer({ min: 1, max: 50 }),
  });
  await fc.assert(
    fc.asyncProperty(objects, async ({ before, bytes, after, indent, size }) => {
      const { package: _, ...others } = before;
      const object = { ...others, package: Buffer.from(bytes).toString("base64"), after };
      const text = JSON.stringify(object, null, indent);
      const collect = async (each: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(each));
      const long = { field: "package", maxRest: 1_000_000 };
      const { text: rest, taken } = await readBase64Field(inPieces(text, size), long, collect);
      expect(JSON.parse(rest)).toEqual(JSON.parse(JSON.stringify({ ...object, package: "" })));
      expect(taken && [...taken]).toEqual([...bytes]);
    }),
    { numRuns: 300 },
  );
});

describe("as other encoders write it", () => {
  const bytes = Buffer.from([0xfb, 0xff, 0xfe, 1]);
  test.each([
    ["slashes escaped", '{"package": "+\\/\\/+AQ=="}'],
    ["signs escaped", '{"package": "\\u002B//\\u002bAQ\\u003d\\u003D"}'],
    ["in lines", '{"package": "+//+\\r\\nAQ==\\n"}'],
    ["without padding", '{"package":"+//+AQ"}'],
  ])("%s", async (_, text) => {
    for (const size of [1, 2, 3, 5, 100]) expect((await read(text, size)).taken).toEqual(bytes);
  });
});

test.each([
  ['{"other": "package", "x": {"package": "AAAA"}, "y": ["package", "AAAA"]}'],
  ['{"package": 5}'],
  ['{"package": null, "name": "a:\\"package\\":\\"AAAA\\""}'],
  ['{"package": ""}'],
  ["{}"],
  ["[]"],
])("%s holds no such text, and stays as it is", async (text) => {
  const { rest, taken } = await read(text);
  expect([rest, taken]).toEqual([JSON.parse(text), undefined]);
});

test.each([
  ["no base64", '{"package": "%%%%"}'],
  ["quotes within", '{"package": "AA\\"AA"}'],
  ["more after the end", '{"package": "AQ==AQ=="}'],
  ["something else escaped", '{"package": "AAA\\u0041"}'],
  ["an end within", '{"package": "AAAA'],
  ["the field twice", '{"package": "AAAA", "package": "AAAA"}'],
])("%s is refused", async (_, text) => {
  for (const size of [1, 3, 1_000]) await expect(read(text, size)).rejects.toMatchObject({ kind: "Invalid" });
});

test("too much besides is refused, however long the bytes are", async () => {
  const long = randomBytes(100_000).toString("base64");
  expect((await read(JSON.stringify({ package: long, name: "a" }), 10_000)).taken).toHaveLength(100_000);
  const text = JSON.stringify({ name: "x".repeat(2_000), package: long });
  await expect(read(text, 10_000)).rejects.toMatchObject({ kind: "TooLarge" });
});
