import fc from "fast-check";
import { expect, test } from "vitest";
import { parseYaml, stringifyYaml } from "../adapters/yaml.ts";
import { openItemReader } from "./index-item.ts";
import { readPlainMapping } from "./plain-yaml.ts";

test.each([
  ["texts", "a: b c\nd: e-f/g.h\n", { a: "b c", d: "e-f/g.h" }],
  ["texts over lines", "a: b\n  c\n\n  d\ne: f\n", { a: "b c\nd", e: "f" }],
  ["quoted texts", `a: "b\\n\\u00e9"\nc: 'it''s'\n`, { a: "b\né", c: "it's" }],
  ["quoted texts over lines", 'a: "b\n  c\n\n  d \\\n  \\ e"\n', { a: "b c\nd  e" }],
  ["literal texts", "a: |\n  b\n    c\n\n  d\n\ne: |-\n  f\n", { a: "b\n  c\n\nd\n", e: "f" }],
  [
    "numbers, words and nothing",
    "a: 1\nb: -2.50\nc: true\nd: ~\ne:\nf: null\n",
    { a: 1, b: -2.5, c: true, d: null, e: null, f: null },
  ],
  [
    "versions and digests, which are texts",
    "a: 1.2.3\nb: 4.x\nc: 0b1d\nd: 2020-01-01\n",
    { a: "1.2.3", b: "4.x", c: "0b1d", d: "2020-01-01" },
  ],
  [
    "lists and mappings",
    "a:\n- b\n- c: d\n  e: f\ng:\n  h:\n    - i\n",
    { a: ["b", { c: "d", e: "f" }], g: { h: ["i"] } },
  ],
  ["empty ones", "a: []\nb: {}\n", { a: [], b: {} }],
])("reads %s as the library does", (_, text, expected) => {
  expect(readPlainMapping(text)).toEqual(expected);
  expect(parseYaml(text)).toEqual(expected);
});

test.each([
  ["anchors", "a: &b c\n"],
  ["aliases", "a: *b\n"],
  ["tags", "a: !!str b\n"],
  ["flow style", "a: [b]\n"],
  ["folded texts", "a: >\n  b\n"],
  ["indentation indicators", "a: |2\n    b\n"],
  ["comments", "a: b # c\n"],
  ["a comment on a line of its own", "# c\na: b\n"],
  ["tabs", "a:\tb\n"],
  ["carriage returns", "a: b\r\n"],
  ["quoted keys", '"a": b\n'],
  ["keys that are no text", "1: b\n"],
  ["a key twice", "a: b\na: c\n"],
  ["numbers in other forms", "a: 0x1F\n"],
  ["escapes of rare kinds", 'a: "\\U0001F525"\n'],
  ["what goes on too far left", 'a: "b\nc"\n'],
  ["a quote that is never closed", 'a: "b\n'],
  ["another document", "a: b\n---\nc: d\n"],
  ["what is deeper than it may be", "a: b\n    c: d\n"],
  ["a byte order mark", "\ufeffa: b\n"],
])("leaves %s to the library", (_, text) => {
  expect(readPlainMapping(text)).toBeUndefined();
});

test("reads what the library writes as the library does, or leaves it", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.stringMatching(/^[\n\t "'\\:#|>a-c0-9.-]{0,40}$/),
    fc.lorem({ mode: "sentences" }),
  );
  const value = fc.oneof(
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(text, { maxLength: 3 }),
    fc.dictionary(text, text, { maxKeys: 3 }),
  );
  const mapping = fc.dictionary(fc.stringMatching(/^[A-Za-z][\w./-]{0,10}$/), value, { maxKeys: 5 });
  fc.assert(
    fc.property(mapping, (data) => {
      const written = stringifyYaml(data);
      const read = written === "{}\n" ? data : readPlainMapping(written);
      if (read !== undefined) expect(read).toEqual(parseYaml(written) ?? {});
    }),
    { numRuns: 2000 },
  );
});

test("fields written as in the item before are taken over, and others are not", () => {
  const read = openItemReader();
  const texts = [
    "- a: 1\n  b:\n  - c\n  d: |\n    e\n",
    "- a: 2\n  b:\n  - c\n  d: |\n    e\n\n    f\n",
    "- a: 2\n  b:\n  - c\n  - g\n  d: |\n    e\n",
    "- a: 2\n  d: h\n    i\n",
  ];
  const items = texts.map((text) => read(text, 0));
  expect(items).toEqual(texts.map((text) => (parseYaml(text) as unknown[])[0]));
  expect(items[1]?.["b"]).toBe(items[0]?.["b"]);
});
