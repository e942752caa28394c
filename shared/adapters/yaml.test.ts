import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseYaml, parseYamlDocuments, stringifyYaml, YamlError } from "./yaml.ts";

function errorOf(text: string, limits = {}): YamlError {
  try {
    parseYaml(text, limits);
  } catch (error) {
    if (error instanceof YamlError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text.slice(0, 80)}`);
}

describe("parseYaml", () => {
  test.each([
    ["empty text", "", undefined],
    ["comments only", "# nothing here\n", undefined],
    ["an empty first document", "---\n# nothing\n", undefined],
    ["a byte order mark", "\ufeffa: 1\n", { a: 1 }],
    ["timestamps as text", "t: 2020-01-02T03:04:05Z\nd: 2020-01-02\n", { t: "2020-01-02T03:04:05Z", d: "2020-01-02" }],
    ["the last of equal keys", "a: 1\na: 2\n", { a: 2 }],
    ["merge keys", "a: &x {b: 1}\nc: {<<: *x, d: 2}\n", { a: { b: 1 }, c: { b: 1, d: 2 } }],
    ["the first of several documents", "a: 1\n---\nb: 2\n", { a: 1 }],
    ["a quoted text that goes on at the margin", 'a:\n  b: "x\ny\n\n z"\nc: 1\n', { a: { b: "x y\nz" }, c: 1 }],
    ["a flow list that goes on at the margin", "a:\n  b: [1,\n2\n]\nc: 3\n", { a: { b: [1, 2] }, c: 3 }],
    ["Windows line ends", "a: 1\r\nb:\r\n  - 2\r\n", { a: 1, b: [2] }],
    ["JSON", '{"a": [1, {"b": null}]}', { a: [1, { b: null }] }],
  ])("reads %s", (_, text, expected) => {
    expect(parseYaml(text)).toEqual(expected);
  });

  test("a key called __proto__ is data and changes no prototype", () => {
    const value = parseYaml("__proto__: {polluted: true}\n") as object;
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("reads all documents on request", () => {
    expect(parseYamlDocuments("a: 1\n---\n# none\n---\nb: 2\n")).toEqual([{ a: 1 }, undefined, { b: 2 }]);
  });

  test("an error names the line and the cause", () => {
    expect(errorOf("a: 1\nb:\n\t- 2\n")).toMatchObject({ line: 3 });
    expect(errorOf("a: 1\nb: [1\n").message).toMatch(/^line 3: .*flow collection/);
    expect(errorOf("a: *unknown\n").message).toMatch(/^line 1: .*alias/);
  });

  test("limits length, depth, aliases and what aliases stand for", () => {
    expect(errorOf("a: 1234567890", { maxLength: 5 }).message).toMatch(/13 characters, at most 5/);
    expect(errorOf("[".repeat(500) + "]".repeat(500)).message).toMatch(/depth/i);
    const bomb = ["a0: &a0 [1, 1]"];
    for (let i = 1; i < 40; i++) bomb.push(`a${i}: &a${i} [*a${i - 1}, *a${i - 1}]`);
    expect(errorOf(bomb.join("\n")).message).toMatch(/aliases stand for more than 2000000 values/);
    const tower = Array.from({ length: 5000 }, (_, at) => `${9999 - at}: &a${at} [${at === 0 ? "" : `*a${at - 1}`}]`);
    expect(errorOf(tower.join("\n")).message).toMatch(/aliases nest values more than 101 levels deep/);
    expect(errorOf(tower.map((line) => `k${line}`).join("\n")).message).toMatch(/aliases nest values/);
    expect(errorOf("a: &a [*a]\n").message).toMatch(/inside the value it names/);
    expect(errorOf(`a: &a 1\nb: [${"*a, ".repeat(20_000)}]\n`).message).toMatch(/alias/);
  });

  test("a text that is never repaired ends in an error, not in a loop", () => {
    expect(errorOf('a:\n  b: "x\n\ty\n').message).toMatch(/^line /);
  });
});

describe("stringifyYaml", () => {
  test("quotes what Helm would read as something else", () => {
    expect(stringifyYaml({ a: "yes", b: "012", c: "1.0", d: "2020-01-01", e: undefined, f: "null" })).toBe(
      "a: 'yes'\nb: '012'\nc: '1.0'\nd: '2020-01-01'\nf: 'null'\n",
    );
  });

  test("parse reads back what stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value));
        expect(parseYaml(stringifyYaml(plain))).toEqual(plain ?? undefined);
      }),
      { numRuns: 500 },
    );
  });
});
